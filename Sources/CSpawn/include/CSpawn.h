#ifndef ADTOP_CSPAWN_H
#define ADTOP_CSPAWN_H

#include <sys/types.h>

/// Starts `path` without arguments and environment, with `folder` as its working folder, the three descriptors as its standard
/// streams and no others, and no signal blocked or ignored. The caller waits for the process.
///
/// Returns 0, or the error number. It is in C because the functions for the folder and the descriptors are hidden from Swift.
int adtop_spawn(pid_t *process, const char *path, const char *folder, int input, int output, int errors);

/// The same with arguments, the first of which is the name of the program, and an environment, both ended by NULL, and in a process
/// group of its own: keys of the terminal do not reach it.
int adtop_spawn_apart(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *folder, int input, int output, int errors);

#endif
