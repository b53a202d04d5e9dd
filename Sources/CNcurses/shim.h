#define _XOPEN_SOURCE_EXTENDED 1
#ifndef ADTOP_CNCURSES_SHIM_H
#define ADTOP_CNCURSES_SHIM_H
// The macro above must come before the first include: without it no wide-character function is declared (TERM-1).
// Swift rejects the C globals (stdscr, COLS) and cannot see macros with casts (A_BOLD), so both are functions and
// constants here. Nothing in this file keeps state: mutable statics in a header do not link (TERM-3).

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <term.h>
#include <wchar.h>

// term.h names terminal capabilities with lower-case macros that would rewrite our own words.
#undef lines
#undef columns
#undef tab

static const attr_t curses_bold = WA_BOLD;
static const attr_t curses_dim = WA_DIM;
static const attr_t curses_underline = WA_UNDERLINE;
static const attr_t curses_reverse = WA_REVERSE;
#ifdef WA_ITALIC
static const attr_t curses_italic = WA_ITALIC;
#else
static const attr_t curses_italic = 0;
#endif

/// Colours the terminal has, 0 or less for none.
static inline int curses_colors(void) { return COLORS; }
/// Colour pairs the terminal has.
static inline int curses_color_pairs(void) { return COLOR_PAIRS; }
/// Rows and columns ncurses works with.
static inline int curses_rows(void) { return LINES; }
static inline int curses_columns(void) { return COLS; }

/// What a frame starts and ends with.
static inline int curses_options(void) {
    idlok(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    return typeahead(-1);
}
static inline int curses_erase(void) { return werase(stdscr); }
static inline int curses_stage(void) { return wnoutrefresh(stdscr); }
static inline int curses_move(int y, int x) { return wmove(stdscr, y, x); }
/// The next doupdate repaints every cell.
static inline int curses_repaint(void) { return clearok(curscr, TRUE); }

/// One cell: a spacing character with its marks. The pair must be below 32,768.
static inline int curses_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, short pair) {
    return setcchar(cell, text, attributes, pair, NULL);
}
/// Puts another spacing character into a cell made by `curses_cell`; cheaper than making it again.
static inline void curses_cell_character(cchar_t *cell, wchar_t character) { cell->chars[0] = character; }
/// Attributes and pair of a cell.
static inline int curses_cell_style(const cchar_t *cell, attr_t *attributes, short *pair) {
    wchar_t text[CCHARW_MAX + 1];
    return getcchar((cchar_t *)cell, text, attributes, pair, NULL);
}
/// Writes cells from (y, x): no wrapping, no scrolling, a wide one takes two columns.
static inline int curses_put(int y, int x, const cchar_t *cells, int count) {
    if (wmove(stdscr, y, x) == ERR) return ERR;
    return wadd_wchnstr(stdscr, cells, count);
}
/// The character of the cell at (y, x) as ncurses holds it; for tests.
static inline wchar_t curses_character(int y, int x, attr_t *attributes, short *pair) {
    cchar_t cell;
    wchar_t text[CCHARW_MAX + 1];
    memset(text, 0, sizeof text);
    if (mvwin_wch(stdscr, y, x, &cell) == ERR) return 0;
    getcchar(&cell, text, attributes, pair, NULL);
    return text[0];
}

/// Pairs above 255 need the extended form where the library has it.
static inline int curses_init_pair(int pair, int foreground, int background) {
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
    return init_extended_pair(pair, foreground, background);
#else
    if (pair > 32767 || foreground > 32767 || background > 32767) return ERR;
    return init_pair((short)pair, (short)foreground, (short)background);
#endif
}

/// Reads the terminfo entry of a type without a screen; 0 when there is none. Unlike initscr it never exits (TERM-4).
static inline int curses_terminfo_open(const char *type, int fd) {
    int result = 0;
    return setupterm((NCURSES_CONST char *)type, fd, &result) == OK && result == 1;
}
static inline void curses_terminfo_close(void) {
    if (cur_term) del_curterm(cur_term);
}
/// A terminfo string, NULL when the terminal lacks it; tigetstr marks a wrong name with (char *)-1.
static inline const char *curses_terminfo_string(const char *name) {
    char *text = tigetstr((NCURSES_CONST char *)name);
    return text == (char *)-1 ? NULL : text;
}
/// Whether the terminfo entry carries a flag; -1 for a name that is not a flag.
static inline int curses_terminfo_flag(const char *name) { return tigetflag((NCURSES_CONST char *)name); }
/// A terminfo number, negative when absent. `RGB` is a flag, a number or a string, depending on who wrote the entry.
static inline int curses_terminfo_number(const char *name) { return tigetnum((NCURSES_CONST char *)name); }

/// Whether the locale's character set is UTF-8.
static inline int curses_locale_is_utf8(void) {
    const char *name = nl_langinfo(CODESET);
    return name && (strcasecmp(name, "UTF-8") == 0 || strcasecmp(name, "utf8") == 0);
}

/// Cells libc gives a character, -1 for one it does not print. Glibc's module hides wcwidth from Swift (TERM-2).
static inline int curses_width(wchar_t character) { return wcwidth(character); }

#endif
