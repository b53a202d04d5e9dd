// Nothing is called here by name: the library is loaded in front of others (LD_PRELOAD) and takes clock_gettime's place.
#ifndef CLOCK_SHIFT_H
#define CLOCK_SHIFT_H

/// The variable that names a file with seconds, as text, that are added to the wall clock; read anew each time.
#define CLOCK_SHIFT_FILE "CLOCK_SHIFT_FILE"

#endif
