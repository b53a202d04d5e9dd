// A disk that forgets, for one process and without rights: the content that a database file had at its last sync is copied
// to a folder. After the process was killed, a test puts these copies in the place of the files: all that was written
// after the last sync is lost, as when the power fails. A file that was deleted is gone for good once its folder is synced:
// SQLite does so with a rollback journal, which would undo all that came later.
#define _GNU_SOURCE
#include "power_loss.h"

#if defined(__linux__)
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// The folder of the database; empty until one of its files was synced.
static char database_folder[4096];

/// The path of an open file or folder; false if it has none.
static int has_path(int file, char path[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, 4095);
    if (count <= 0) return 0;
    path[count] = 0;
    return 1;
}

/// The name of an open database file or its log; NULL for other files.
static const char *database_name(int file, char path[4096]) {
    if (!has_path(file, path)) return NULL;
    const char *name = strrchr(path, '/');
    return name && strstr(name, ".sqlite") ? name + 1 : NULL;
}

/// Copies all of a file, from its start and without moving its position.
static int copy(int from, int to) {
    static char buffer[1 << 16];
    off_t position = 0;
    ssize_t count;
    while ((count = pread(from, buffer, sizeof buffer, position)) > 0) {
        for (ssize_t done = 0; done < count;) {
            ssize_t written = write(to, buffer + done, (size_t)(count - done));
            if (written <= 0) return -1;
            done += written;
        }
        position += count;
    }
    return count < 0 ? -1 : 0;
}

/// The folder of the database was synced: what was deleted from it is deleted on the disk, too.
static void forget_deleted(const char *kept_folder) {
    DIR *kept = opendir(kept_folder);
    if (!kept) return;
    for (struct dirent *entry; (entry = readdir(kept));) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", database_folder, entry->d_name);
        if (entry->d_name[0] == '.' || access(path, F_OK) == 0) continue;
        snprintf(path, sizeof path, "%s/%s", kept_folder, entry->d_name);
        unlink(path);
    }
    closedir(kept);
}

static void remember(int file) {
    const char *folder = getenv(POWER_LOSS_FOLDER);
    if (!folder || getenv(POWER_LOSS_NEVER_SYNCS)) return;
    char path[4096], fresh[8192], kept[8192];
    const char *name = database_name(file, path);
    if (!name) {
        pthread_mutex_lock(&lock);
        if (database_folder[0] && has_path(file, path) && strcmp(path, database_folder) == 0) forget_deleted(folder);
        pthread_mutex_unlock(&lock);
        return;
    }
    // A path of its own: databases may be open for writing only through another descriptor.
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return;
    snprintf(fresh, sizeof fresh, "%s/.%s.new", folder, name);
    snprintf(kept, sizeof kept, "%s/%s", folder, name);
    pthread_mutex_lock(&lock);
    snprintf(database_folder, sizeof database_folder, "%.*s", (int)(name - 1 - path), path);
    int to = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    // A process that is killed in between keeps the copy of the sync before.
    if (to >= 0 && copy(from, to) == 0) rename(fresh, kept);
    if (to >= 0) close(to);
    pthread_mutex_unlock(&lock);
    close(from);
}

/// If it is to hang, waits for good at the first database file once the file that says so exists, and says so in it.
static void hang(int file) {
    const char *sign = getenv(POWER_LOSS_HANGS);
    char path[4096];
    if (!sign || access(sign, F_OK) != 0 || !database_name(file, path)) return;
    int to = open(sign, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (to >= 0) {
        if (write(to, "x", 1) < 0) unlink(sign);
        close(to);
    }
    for (;;) pause();
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    hang(file);
    int result = real(file);
    if (result == 0) remember(file);
    return result;
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    hang(file);
    int result = real(file);
    if (result == 0) remember(file);
    return result;
}
#endif
