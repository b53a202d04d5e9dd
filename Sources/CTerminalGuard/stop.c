#define _GNU_SOURCE 1
#include "CTerminalGuard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
enum { stop_count = sizeof stops / sizeof stops[0] };

static atomic_int stop_pipe = -1;

static void on_stop(int signal) {
    int error = errno;
    unsigned char byte = (unsigned char)signal;
    ssize_t ignored = write(atomic_load(&stop_pipe), &byte, 1);
    (void)ignored;
    errno = error;
}

void stop_signals_install(int pipe) {
    struct sigaction action;
    atomic_store(&stop_pipe, pipe);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_stop;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < stop_count; i++) {
        struct sigaction before;
        sigaction(stops[i], NULL, &before);
        // A shell ignores SIGINT for what it starts in the background, and that is no reason to ignore one that is sent.
        if (stops[i] == SIGHUP && before.sa_handler == SIG_IGN) continue;
        sigaction(stops[i], &action, NULL);
    }
}

void stop_signals_unblock(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < stop_count; i++) sigaddset(&set, stops[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
