#define _GNU_SOURCE 1
#include "CTerminalGuard.h"
#include "ending.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int watched[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { watched_count = sizeof watched / sizeof watched[0] };

static struct sigaction previous[watched_count];
static atomic_int wake = -1;

static void wake_with(unsigned char byte) {
    int pipe = atomic_load(&wake);
    if (pipe < 0) return;
    ssize_t ignored = write(pipe, &byte, 1);
    (void)ignored;
}

void signals_wake(void) { wake_with(terminal_signal_end); }

static void on_signal(int signal) {
    int error = errno;
    wake_with(
        signal == SIGWINCH      ? terminal_signal_resize
            : signal == SIGTSTP ? terminal_signal_suspend
                                : terminal_signal_continue);
    errno = error;
}

void terminal_signals_install(int pipe) {
    if (atomic_exchange(&wake, pipe) >= 0) return;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < watched_count; i++) sigaction(watched[i], &action, &previous[i]);
}

void terminal_signals_remove(void) {
    if (atomic_exchange(&wake, -1) < 0) return;
    for (int i = 0; i < watched_count; i++) sigaction(watched[i], &previous[i], NULL);
}

void terminal_signals_stop_job(void) {
    struct sigaction action, before;
    sigset_t stop, mask;
    memset(&action, 0, sizeof action);
    // The others first, without a signal to this process that another thread could take later.
    action.sa_handler = SIG_IGN;
    sigaction(SIGTSTP, &action, &before);
    kill(0, SIGTSTP);
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &action, NULL);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    // To this thread, which has the signal before the call returns: then the process was stopped and continued, or never stopped.
    pthread_kill(pthread_self(), SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
    // To the others as well: who continues this process alone, as kill(1) does, would leave its plugins stopped.
    kill(0, SIGCONT);
}
