#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CVersions.h"

#include <curses.h>
#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/xmlversion.h>
#include <sqlite3.h>
#include <string.h>
#include <zlib.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

adtop_library adtop_library_at(int index) {
    switch (index) {
    case 0: return (adtop_library){"ncurses", NCURSES_VERSION "." TEXT(NCURSES_VERSION_PATCH), curses_version()};
    case 1: return (adtop_library){"SQLite", SQLITE_VERSION, sqlite3_libversion()};
    case 2: return (adtop_library){"libxml2", LIBXML_VERSION_STRING, xmlParserVersion};
    case 3: return (adtop_library){"zlib", ZLIB_VERSION, zlibVersion()};
#ifdef __GLIBC__
    case 4: return (adtop_library){"glibc", TEXT(__GLIBC__) "." TEXT(__GLIBC_MINOR__), gnu_get_libc_version()};
#endif
    default: return (adtop_library){NULL, NULL, NULL};
    }
}

int adtop_has_static_runtime(void) {
    void *function = dlsym(RTLD_DEFAULT, "swift_retain");
    Dl_info place;
    // A program with the runtime in it does not export the function, or exports it itself.
    return !function || !dladdr(function, &place) || !place.dli_fname || !strstr(place.dli_fname, "libswiftCore");
}
