#ifndef ADTOP_TERMINAL_ENDING_H
#define ADTOP_TERMINAL_ENDING_H

#include <signal.h>

/// Restores the terminal and ends the process by the signal. Async-signal-safe.
void guard_die(int signal, siginfo_t *info, void *context);

/// Whether the signal asks a program with a screen to end in order.
int is_end(int signal);
/// The handler of these signals.
void on_end(int signal, siginfo_t *info, void *context);
/// Ends the process by the signal's default action. Returns where the process lives for a moment longer. Async-signal-safe.
void end_by(int signal);
/// Wakes the reader of the terminal. Async-signal-safe.
void signals_wake(void);

#endif
