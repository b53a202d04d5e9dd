#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CSpawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

// The actions run in this order in the new process; the first that fails ends it, and its error is returned.
static int add_actions(posix_spawn_file_actions_t *actions, const char *folder, const int streams[3]) {
    int code = 0;
    for (int number = 0; number < 3 && code == 0; number++) {
        code = posix_spawn_file_actions_adddup2(actions, streams[number], number);
    }
    if (code == 0) code = posix_spawn_file_actions_addchdir_np(actions, folder);
#ifndef __APPLE__
    if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return code;
}

static int set_attributes(posix_spawnattr_t *attributes, int is_apart) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (is_apart) flags |= POSIX_SPAWN_SETPGROUP;
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int code = posix_spawnattr_setsigmask(attributes, &none);
    if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
    return code == 0 ? posix_spawnattr_setflags(attributes, (short)flags) : code;
}

static int spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *folder, const int streams[3], int is_apart) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    code = add_actions(&actions, folder, streams);
    if (code == 0) code = set_attributes(&attributes, is_apart);
    if (code == 0) code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int adtop_spawn(pid_t *process, const char *path, const char *folder, int input, int output, int errors) {
    const int streams[3] = {input, output, errors};
    char *const arguments[] = {(char *)path, NULL};
    char *const environment[] = {NULL};
    return spawn(process, path, arguments, environment, folder, streams, 0);
}

int adtop_spawn_apart(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *folder, int input, int output, int errors) {
    const int streams[3] = {input, output, errors};
    return spawn(process, path, arguments, environment, folder, streams, 1);
}
