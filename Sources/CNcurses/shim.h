#define _XOPEN_SOURCE_EXTENDED 1
#include <ncurses.h>
