// A program with a screen that gets SIGTERM, SIGHUP or SIGINT is asked to end in order, and ends in any case (TERM-10). The handler uses only
// what is async-signal-safe: clock_gettime, sigaction, alarm, write, and what `guard_die` uses.
#define _GNU_SOURCE 1
#include "CTerminalGuard.h"
#include "ending.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// How long the program has, and within which time several signals are one: who stops a service or closes a window may send to the process
// and to its group.
enum { limit_seconds = 3, together_ms = 50, death_ms = 100 };

// The first signal that asked; 0 for none.
static atomic_int asked;
// When it asked, in ms; 0 until that is known.
static atomic_llong asked_at;

int is_end(int signal) { return signal == SIGTERM || signal == SIGHUP || signal == SIGINT; }

int terminal_end_asked(void) { return atomic_load(&asked); }

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Whatever hangs, the alarm ends the process. The end in order touches the terminal, which must not stop it in the background.
static void begin(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGTTOU, &action, NULL);
    action.sa_sigaction = guard_die;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGALRM, &action, NULL);
    alarm(limit_seconds);
    signals_wake();
}

void on_end(int signal, siginfo_t *info, void *context) {
    int none = 0, error = errno;
    if (atomic_compare_exchange_strong(&asked, &none, signal)) {
        atomic_store(&asked_at, now_ms());
        begin();
    } else if (signal != SIGHUP) {
        // A window that closes may send any number of SIGHUP. Somebody who asks again does not want to wait.
        long long since = atomic_load(&asked_at);
        if (since != 0 && now_ms() - since > together_ms) guard_die(signal, info, context);
    }
    errno = error;
}

void end_by(int signal) {
    struct sigaction plain;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    sigemptyset(&plain.sa_mask);
    sigaction(signal, &plain, NULL);
    // Not raise: a thread of libdispatch blocks nearly every signal and would keep this one for itself (TERM-9).
    kill(getpid(), signal);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

void terminal_end_as_asked(void) {
    int signal = atomic_load(&asked);
    if (signal == 0) return;
    end_by(signal);
    // Another thread may have to take it; the first process of a container dies of none.
    poll(NULL, 0, death_ms);
    _exit(128 + signal);
}
