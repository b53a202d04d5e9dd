#ifndef ADTOP_TERMINAL_GUARD_H
#define ADTOP_TERMINAL_GUARD_H

#include <stddef.h>

/// Gives the terminal back whatever kills the process (TERM-10).
///
/// While enabled, every signal that ends a process and `exit` first restore the terminal: further output of the painter
/// goes nowhere, one fixed string switches every mode off, the saved termios come back. Then the previous handler runs
/// (Swift's backtracer keeps its registers), and the process dies of the same signal, so a shell sees 128 + n. TERM, HUP
/// and INT ask for an end in order first, see `terminal_end_asked`. Signals that were ignored stay ignored (nohup). One
/// terminal at a time.

/// Room for the reset string: the fixed part and what terminfo adds.
#define TERMINAL_GUARD_RESET_LIMIT 512

/// Saves the modes of `terminal` and arms the guard; called on the thread that will paint. `output` is the descriptor
/// the painter writes to; `reset` is sent on death. Returns 0, or errno: EBUSY when it guards already, EMSGSIZE when
/// `reset` is too long, or the error of tcgetattr.
int terminal_guard_enable(int terminal, int output, const unsigned char *reset, size_t length);

/// Disarms and gives the signals back to their previous handlers; the terminal itself is left as it is.
void terminal_guard_disable(void);

/// While paused (suspended by ^Z) the terminal belongs to the shell and death does not touch it.
void terminal_guard_pause(void);
void terminal_guard_resume(void);

/// Restores now, from a normal thread, when the painter can no longer be asked. Async-signal-safe, acts once.
void terminal_guard_restore(void);

/// Puts the saved modes back without sending anything: what a clean end or a suspend needs. Returns 0 or errno.
int terminal_guard_restore_modes(void);

/// On death descriptor 2 becomes `original` again and the text in the file `captured` is written to it. -1 ends that.
void terminal_guard_set_stderr(int original, int captured);

/// Gives the calling thread an alternate signal stack, so that a stack overflow can still restore; NULL when it has
/// one.
void *terminal_guard_stack_install(void);
void terminal_guard_stack_remove(void *stack);

/// The first of SIGTERM, SIGHUP and SIGINT that came since a guard was first enabled; 0 for none. The reader of
/// `terminal_signals_install` is woken by it, and the program should end in order. After 3 s the process dies as of any
/// other signal, and at once of a further SIGTERM or SIGINT. An `exit` ends it by the signal.
int terminal_end_asked(void);
/// Ends the process by the signal that asked, without what is registered for its exit. Returns if none asked.
void terminal_end_as_asked(void);

/// Bytes that the handlers below write to the pipe.
static const unsigned char terminal_signal_resize = 'W';
static const unsigned char terminal_signal_suspend = 'T';
static const unsigned char terminal_signal_continue = 'C';
static const unsigned char terminal_signal_end = 'E';

/// SIGWINCH, SIGTSTP and SIGCONT write one byte each to `pipe` (non-blocking; a full pipe wakes the reader anyway).
void terminal_signals_install(int pipe);
/// Gives the three signals back to their previous handlers.
void terminal_signals_remove(void);

/// Stops the whole job, as the key of a terminal that makes signals does, and returns when it is continued. A job without a shell that
/// could continue it (an orphaned process group) is not stopped (POSIX.1-2024, XSH 2.4.3). SIGCONT to the job follows in either case.
void terminal_signals_stop_job(void);

/// Programs without a screen: SIGINT, SIGTERM and SIGHUP write their number as one byte to `pipe` (non-blocking). SIGHUP stays ignored where
/// it was ignored: nohup is there to outlive the terminal.
void stop_signals_install(int pipe);
/// Lets the calling thread take these signals: all others may have blocked them.
void stop_signals_unblock(void);

#endif
