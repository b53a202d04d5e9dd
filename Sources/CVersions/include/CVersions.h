#ifndef ADTOP_CVERSIONS_H
#define ADTOP_CVERSIONS_H

/// A library of the system: its version when the program was built, from its headers, and the version in use.
typedef struct {
    const char *name;
    const char *built;
    const char *used;
} adtop_library;

/// The libraries whose version matters in a report of a fault, by index from 0; after the last one `name` is NULL. It is in C because
/// the versions are macros of strings and functions that Swift does not import.
adtop_library adtop_library_at(int index);

/// Whether the Swift runtime is part of the program, not a shared library.
int adtop_has_static_runtime(void);

#endif
