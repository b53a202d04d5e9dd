// What the C library's allocator has handed out: mallinfo2 is not in the overlay of Glibc.
#include <malloc.h>
