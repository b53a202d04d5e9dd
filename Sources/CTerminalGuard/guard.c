// Everything reachable from `guard_die` is async-signal-safe: write, dup2, poll, tcflush, tcsetattr, pthread_kill,
// pread, sigaction, kill.
#define _GNU_SOURCE 1
#include "CTerminalGuard.h"
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

// Faults of the program itself.
static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
// All others end a process that does not handle them, real-time signals as well.
static const int harmless[] = {
    SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
#ifdef SIGINFO
    SIGINFO, SIGIO,
#endif
};
enum { fault_count = sizeof faults / sizeof faults[0], harmless_count = sizeof harmless / sizeof harmless[0] };
// Signals are numbered from 1.
enum { signal_end = NSIG };
enum { stack_size = 64 * 1024, stderr_tail = 64 * 1024 };
enum { reset_attempts = 50, reset_pause_ms = 10, blocked_limit_ms = 500 };

static struct sigaction previous[signal_end];
static int installed[signal_end];
static struct termios saved;
static unsigned char reset_bytes[TERMINAL_GUARD_RESET_LIMIT];
static size_t reset_length;
static pthread_t painter_thread;
static int painter = -1, direct = -1, null_device = -1;
static atomic_int stderr_original = -1, stderr_captured = -1;
// 1 while a dying process has to restore; the thread that sets it to 0 restores.
static atomic_int armed;
// While above 0 the descriptors are in use by a restore; a painter that closes at the same moment waits.
static atomic_int restoring;
static atomic_int enabled;

static void write_all(int fd, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(fd, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            if (poll(&ready, 1, blocked_limit_ms) <= 0) return;
        } else if (count == 0 || errno != EINTR) {
            return;
        }
    }
}

// The queue of a terminal that accepts no output (stopped, or its window hangs) is emptied: it matters less than the
// reset. The painter may sleep in a write, and with it the terminal's lock, which no flush releases; a signal does, and
// as its descriptor now is /dev/null, it does not come back.
static void write_reset(void) {
    ssize_t count = -1;
    for (int attempt = 0; attempt < reset_attempts && count <= 0; attempt++) {
        count = write(direct, reset_bytes, reset_length);
        if (count > 0 || (errno != EAGAIN && errno != EINTR)) break;
        tcflush(direct, TCOFLUSH);
        if (!pthread_equal(painter_thread, pthread_self())) pthread_kill(painter_thread, SIGWINCH);
        struct pollfd ready = {.fd = direct, .events = POLLOUT};
        poll(&ready, 1, reset_pause_ms);
    }
    if (count > 0) write_all(direct, reset_bytes + count, reset_length - (size_t)count);
}

// What libraries wrote while the screen was ours, most of all "Fatal error: …", goes to the real standard error.
static void release_stderr(void) {
    int original = atomic_exchange(&stderr_original, -1), captured = atomic_exchange(&stderr_captured, -1);
    if (original < 0) return;
    dup2(original, STDERR_FILENO);
    if (captured < 0) return;
    off_t end = lseek(captured, 0, SEEK_END);
    off_t offset = end > stderr_tail ? end - stderr_tail : 0;
    unsigned char buffer[1024], before = 0;
    for (;;) {
        ssize_t count = pread(captured, buffer, sizeof buffer, offset);
        if (count <= 0) return;
        // The text may quote outside input: no control character reaches the terminal (TERM-26).
        for (ssize_t i = 0; i < count; i++) {
            unsigned char byte = buffer[i];
            int is_c0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
            int is_c1 = before == 0xC2 && byte >= 0x80 && byte <= 0x9F;
            if (is_c0 || is_c1) buffer[i] = '?';
            before = byte;
        }
        write_all(STDERR_FILENO, buffer, (size_t)count);
        offset += count;
    }
}

void terminal_guard_restore(void) {
    int expected = 1;
    atomic_fetch_add(&restoring, 1);
    if (!atomic_compare_exchange_strong(&armed, &expected, 0)) {
        atomic_fetch_sub(&restoring, 1);
        return;
    }
    int error = errno;
    // A background process that touches the modes is stopped by SIGTTOU, unless it blocks it.
    sigset_t tty_output, before;
    sigemptyset(&tty_output);
    sigaddset(&tty_output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &tty_output, &before);
    // A painter in the middle of a frame must not paint over the shell.
    if (painter >= 0 && null_device >= 0) dup2(null_device, painter);
    write_reset();
    tcsetattr(direct, TCSANOW, &saved);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_fetch_sub(&restoring, 1);
    errno = error;
}

static void at_end(void) {
    terminal_guard_restore();
    release_stderr();
}

// A program that was asked to end has ended in order: what it printed is flushed, as by any exit.
static void at_exit(void) {
    at_end();
    if (terminal_end_asked() == 0) return;
    fflush(NULL);
    terminal_end_as_asked();
}

static void chain(const struct sigaction *next, int signal, siginfo_t *info, void *context) {
    if (next->sa_flags & SA_SIGINFO) {
        if (next->sa_sigaction) next->sa_sigaction(signal, info, context);
    } else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) {
        next->sa_handler(signal);
    }
}

// From here on every signal is the previous handler's: a fault inside it must not come back to us.
static void give_signals_back(void) {
    for (int signal = 1; signal < signal_end; signal++) {
        if (installed[signal]) sigaction(signal, &previous[signal], NULL);
    }
}

static void say_quit(void) {
    static const char text[] = "ended at once by SIGQUIT (^\\), with a core dump if enabled; q ends in order\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

void guard_die(int signal, siginfo_t *info, void *context) {
    int asked = terminal_end_asked();
    // The time in which the program could end in order is over.
    if (signal == SIGALRM && asked != 0) signal = asked;
    at_end();
    if (signal == SIGQUIT) say_quit();
    // The backtracer of a program with a terminal asks for a key, and would wait for it where nobody is any more.
    if (null_device >= 0) dup2(null_device, STDIN_FILENO);
    give_signals_back();
    // ^\ is asked for: a backtrace of seconds would call it a crash.
    if (signal != SIGQUIT) chain(&previous[signal], signal, info, context);
    end_by(signal);
}

// Its own open description, so that O_NONBLOCK here does not reach the painter.
static int open_direct(int terminal) {
    char name[128];
    if (ttyname_r(terminal, name, sizeof name) == 0) {
        int fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0) return fd;
    }
    return fcntl(terminal, F_DUPFD_CLOEXEC, 3);
}

static int is_harmless(int signal) {
    for (int i = 0; i < harmless_count; i++) {
        if (harmless[i] == signal) return 1;
    }
    return 0;
}

static void take_signals(void) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    // Swift's backtracer reads memory that may fault, on a thread that inherits this mask: no fault may stay blocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < fault_count; i++) sigdelset(&action.sa_mask, faults[i]);
    for (int signal = 1; signal < signal_end; signal++) {
        installed[signal] = 0;
        // The C library refuses those that it keeps for itself.
        if (is_harmless(signal) || sigaction(signal, NULL, &before) != 0) continue;
        if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN) continue;
        if (is_end(signal)) {
            // Kept when the guard is disabled: what follows the screen ends in order as well.
            if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction == on_end) continue;
            action.sa_sigaction = on_end;
            action.sa_flags |= SA_RESTART;
            sigaction(signal, &action, &previous[signal]);
            continue;
        }
        action.sa_sigaction = guard_die;
        action.sa_flags &= ~SA_RESTART;
        installed[signal] = sigaction(signal, &action, &previous[signal]) == 0;
    }
}

int terminal_guard_enable(int terminal, int output, const unsigned char *reset, size_t length) {
    static atomic_flag at_exit_registered = ATOMIC_FLAG_INIT;
    if (length > sizeof reset_bytes) return EMSGSIZE;
    int expected = 0;
    if (!atomic_compare_exchange_strong(&enabled, &expected, 1)) return EBUSY;
    if (tcgetattr(terminal, &saved) != 0) {
        atomic_store(&enabled, 0);
        return errno;
    }
    memcpy(reset_bytes, reset, length);
    reset_length = length;
    painter = output;
    painter_thread = pthread_self();
    direct = open_direct(terminal);
    null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
    take_signals();
    atomic_store(&armed, 1);
    if (!atomic_flag_test_and_set(&at_exit_registered)) atexit(at_exit);
    return 0;
}

void terminal_guard_disable(void) {
    if (!atomic_load(&enabled)) return;
    atomic_store(&armed, 0);
    while (atomic_load(&restoring) > 0) sched_yield();
    // The alarm of a program that was asked to end stays.
    if (terminal_end_asked() == 0) give_signals_back();
    if (direct >= 0) close(direct);
    if (null_device >= 0) close(null_device);
    direct = null_device = painter = -1;
    atomic_store(&enabled, 0);
}

void terminal_guard_pause(void) { atomic_store(&armed, 0); }

void terminal_guard_resume(void) {
    if (atomic_load(&enabled)) atomic_store(&armed, 1);
}

int terminal_guard_restore_modes(void) {
    if (!atomic_load(&enabled)) return EINVAL;
    return tcsetattr(direct, TCSANOW, &saved) == 0 ? 0 : errno;
}

void terminal_guard_set_stderr(int original, int captured) {
    atomic_store(&stderr_captured, captured);
    atomic_store(&stderr_original, original);
}

void *terminal_guard_stack_install(void) {
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return NULL;
    void *memory = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = stack_size};
    if (sigaltstack(&stack, NULL) == 0) return memory;
    munmap(memory, stack_size);
    return NULL;
}

void terminal_guard_stack_remove(void *memory) {
    if (!memory) return;
    stack_t none = {.ss_flags = SS_DISABLE, .ss_size = stack_size};
    sigaltstack(&none, NULL);
    munmap(memory, stack_size);
}
