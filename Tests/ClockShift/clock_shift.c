// A wall clock that tests can set for one process, without rights and without touching that of the machine.
#define _GNU_SOURCE
#include "clock_shift.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    const char *path = getenv(CLOCK_SHIFT_FILE);
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    char text[32] = {0};
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift();
    return result;
}
#endif
