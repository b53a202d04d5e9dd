#ifndef ADTOP_CPOSTGRES_H
#define ADTOP_CPOSTGRES_H

#include <stddef.h>

/// The functions of libpq that the program uses. The library is loaded when it is first needed, not linked: it brings some twenty
/// others, which every start would load (docs/adr/0028). The functions and numbers below are those of libpq 5 (PostgreSQL
/// documentation, chapter 34), whose binary interface has been the same since PostgreSQL 8.

/// Loads the library. Returns 1 if it is there with all functions, else 0; all other functions need it.
int adtop_pq_load(void);

/// A connection, and the warnings that came on it.
typedef struct adtop_pq_connection adtop_pq_connection;
/// An answer, or one row of it.
typedef struct pg_result adtop_pq_result;

/// One setting of a connection: its keyword (`host`), and its value or NULL. The layout is that of `PQconninfoOption`.
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} adtop_pq_option;

/// What a connection that is being opened waits for.
enum { ADTOP_PQ_FAILED = 0, ADTOP_PQ_READING = 1, ADTOP_PQ_WRITING = 2, ADTOP_PQ_OK = 3 };

/// What an answer is.
enum { ADTOP_PQ_EMPTY = 0, ADTOP_PQ_COMMAND = 1, ADTOP_PQ_TUPLES = 2, ADTOP_PQ_SINGLE = 9 };

/// The settings that `text` names, ended by an entry without keyword; NULL if it is not an address. The caller frees them.
adtop_pq_option *adtop_pq_parse(const char *text);
/// The settings with which a connection was begun. The caller frees them.
adtop_pq_option *adtop_pq_settings(adtop_pq_connection *connection);
void adtop_pq_free_settings(adtop_pq_option *settings);

/// Begins a connection; the lists end with NULL, and the value of `dbname` may be an address. Later values replace those of the
/// address, which replace earlier ones. NULL without memory. Errors of the server are only their SQLSTATE.
adtop_pq_connection *adtop_pq_start(const char *const *keywords, const char *const *values);
/// Continues; one of the numbers above.
int adtop_pq_poll(adtop_pq_connection *connection);
/// Ends the connection and frees it.
void adtop_pq_finish(adtop_pq_connection *connection);

/// The socket; -1 without one.
int adtop_pq_socket(adtop_pq_connection *connection);
/// Host, port, user and database of the newest attempt; perhaps NULL.
const char *adtop_pq_host(adtop_pq_connection *connection);
const char *adtop_pq_port(adtop_pq_connection *connection);
const char *adtop_pq_user(adtop_pq_connection *connection);
const char *adtop_pq_database(adtop_pq_connection *connection);
/// The version as a number: 150018.
int adtop_pq_server_version(adtop_pq_connection *connection);
/// Whether the server wanted a password and there was none.
int adtop_pq_needs_password(adtop_pq_connection *connection);
/// The words of the newest error.
const char *adtop_pq_error(adtop_pq_connection *connection);
/// How many messages of severity WARNING have come, and the SQLSTATE of the first since `adtop_pq_forget_warnings`.
int adtop_pq_warnings(adtop_pq_connection *connection);
const char *adtop_pq_warning_state(adtop_pq_connection *connection);
void adtop_pq_forget_warnings(adtop_pq_connection *connection);

/// Sends a statement with text parameters (NULL entries are null) whose answer comes row by row; 0 on failure.
int adtop_pq_send(adtop_pq_connection *connection, const char *sql, int count, const char *const *values);
/// Sends several statements without parameters, as one transaction unless they begin some of their own; 0 on failure.
int adtop_pq_send_script(adtop_pq_connection *connection, const char *sql);
/// Writes what waits: 0 when all is written, 1 when the socket is full, -1 on failure.
int adtop_pq_flush(adtop_pq_connection *connection);
/// Reads what is there; 0 on failure.
int adtop_pq_consume(adtop_pq_connection *connection);
/// Bytes that were there to read since the newest call was sent, before TLS.
size_t adtop_pq_received(adtop_pq_connection *connection);
/// Whether the connection is still open, as far as the library knows.
int adtop_pq_is_open(adtop_pq_connection *connection);
/// Whether the next result would have to be waited for.
int adtop_pq_is_busy(adtop_pq_connection *connection);
/// Takes the notifications that were read; how many of them other sessions sent.
int adtop_pq_take_notifications(adtop_pq_connection *connection);
/// The next result; NULL at the end. The caller clears it.
adtop_pq_result *adtop_pq_next(adtop_pq_connection *connection);

int adtop_pq_result_status(const adtop_pq_result *result);
/// A field of an error: 'C' its SQLSTATE, 'M' its words, 'D' its detail; NULL without one.
const char *adtop_pq_result_error(const adtop_pq_result *result, int field);
int adtop_pq_rows(const adtop_pq_result *result);
int adtop_pq_columns(const adtop_pq_result *result);
const char *adtop_pq_column(const adtop_pq_result *result, int column);
/// A value as text, ended by NUL; NULL for null.
const char *adtop_pq_value(const adtop_pq_result *result, int row, int column);
int adtop_pq_length(const adtop_pq_result *result, int row, int column);
void adtop_pq_clear(adtop_pq_result *result);

#endif
