#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

typedef struct pg_conn pg_conn;
// The fields of PGnotify that are documented.
typedef struct {
    char *channel;
    int sender;
    char *payload;
} notification;
typedef void (*notice_receiver)(void *argument, const adtop_pq_result *result);

struct adtop_pq_connection {
    pg_conn *inner;
    int warnings;
    char warning_state[6];
    size_t received;
};

// Return type, name in libpq without PQ, parameters.
#define FUNCTIONS(F) \
    F(adtop_pq_option *, conninfoParse, (const char *, char **)) \
    F(adtop_pq_option *, conninfo, (pg_conn *)) \
    F(void, conninfoFree, (adtop_pq_option *)) \
    F(pg_conn *, connectStartParams, (const char *const *, const char *const *, int)) \
    F(int, connectPoll, (pg_conn *)) \
    F(void, finish, (pg_conn *)) \
    F(int, status, (const pg_conn *)) \
    F(int, socket, (const pg_conn *)) \
    F(char *, host, (const pg_conn *)) \
    F(char *, port, (const pg_conn *)) \
    F(char *, user, (const pg_conn *)) \
    F(char *, db, (const pg_conn *)) \
    F(int, serverVersion, (const pg_conn *)) \
    F(int, connectionNeedsPassword, (const pg_conn *)) \
    F(char *, errorMessage, (const pg_conn *)) \
    F(int, setErrorVerbosity, (pg_conn *, int)) \
    F(notice_receiver, setNoticeReceiver, (pg_conn *, notice_receiver, void *)) \
    F(int, setnonblocking, (pg_conn *, int)) \
    F(int, sendQueryParams, (pg_conn *, const char *, int, const unsigned int *, const char *const *, const int *, const int *, int)) \
    F(int, sendQuery, (pg_conn *, const char *)) \
    F(int, setSingleRowMode, (pg_conn *)) \
    F(int, flush, (pg_conn *)) \
    F(int, consumeInput, (pg_conn *)) \
    F(int, isBusy, (pg_conn *)) \
    F(notification *, notifies, (pg_conn *)) \
    F(int, backendPID, (const pg_conn *)) \
    F(adtop_pq_result *, getResult, (pg_conn *)) \
    F(int, resultStatus, (const adtop_pq_result *)) \
    F(char *, resultErrorField, (const adtop_pq_result *, int)) \
    F(int, ntuples, (const adtop_pq_result *)) \
    F(int, nfields, (const adtop_pq_result *)) \
    F(char *, fname, (const adtop_pq_result *, int)) \
    F(int, getisnull, (const adtop_pq_result *, int, int)) \
    F(char *, getvalue, (const adtop_pq_result *, int, int)) \
    F(int, getlength, (const adtop_pq_result *, int, int)) \
    F(void, clear, (adtop_pq_result *)) \
    F(void, freemem, (void *))

#define DECLARE(type, name, parameters) type (*name) parameters;
static struct { FUNCTIONS(DECLARE) } pq;

static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void) {
#ifdef __APPLE__
    // Homebrew does not link its libpq into the folders that are searched.
    static const char *const names[] = {
        "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib", NULL};
#else
    static const char *const names[] = {"libpq.so.5", NULL};
#endif
    for (int index = 0; names[index] != NULL; index++) {
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) return library;
    }
    return NULL;
}

static void load(void) {
    void *library = open_library();
    if (library == NULL) return;
    int missing = 0;
#define FIND(type, name, parameters) \
    *(void **)&pq.name = dlsym(library, "PQ" #name); \
    if (pq.name == NULL) missing = 1;
    FUNCTIONS(FIND)
    is_loaded = !missing;
}

int adtop_pq_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

// PG_DIAG_SEVERITY_NONLOCALIZED and PG_DIAG_SQLSTATE. Messages of the library itself have neither.
static void note(void *argument, const adtop_pq_result *result) {
    adtop_pq_connection *connection = argument;
    const char *severity = pq.resultErrorField(result, 'V');
    if (severity == NULL || strcmp(severity, "WARNING") != 0) return;
    const char *state = pq.resultErrorField(result, 'C');
    if (connection->warnings++ == 0) strncpy(connection->warning_state, state ? state : "01000", 5);
}

adtop_pq_option *adtop_pq_parse(const char *text) {
    char *words = NULL;
    adtop_pq_option *settings = pq.conninfoParse(text, &words);
    if (words != NULL) pq.freemem(words);
    return settings;
}

adtop_pq_option *adtop_pq_settings(adtop_pq_connection *connection) { return pq.conninfo(connection->inner); }
void adtop_pq_free_settings(adtop_pq_option *settings) { pq.conninfoFree(settings); }

adtop_pq_connection *adtop_pq_start(const char *const *keywords, const char *const *values) {
    adtop_pq_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    connection->inner = pq.connectStartParams(keywords, values, 1);
    if (connection->inner == NULL) {
        free(connection);
        return NULL;
    }
    // PQERRORS_SQLSTATE: an error while connecting has no fields, and its words are translated.
    pq.setErrorVerbosity(connection->inner, 3);
    pq.setNoticeReceiver(connection->inner, note, connection);
    return connection;
}

int adtop_pq_poll(adtop_pq_connection *connection) {
    // CONNECTION_BAD
    if (pq.status(connection->inner) == 1) return ADTOP_PQ_FAILED;
    int state = pq.connectPoll(connection->inner);
    if (state == ADTOP_PQ_OK) pq.setnonblocking(connection->inner, 1);
    return state;
}

void adtop_pq_finish(adtop_pq_connection *connection) {
    pq.finish(connection->inner);
    free(connection);
}

int adtop_pq_socket(adtop_pq_connection *connection) { return pq.socket(connection->inner); }
const char *adtop_pq_host(adtop_pq_connection *connection) { return pq.host(connection->inner); }
const char *adtop_pq_port(adtop_pq_connection *connection) { return pq.port(connection->inner); }
const char *adtop_pq_user(adtop_pq_connection *connection) { return pq.user(connection->inner); }
const char *adtop_pq_database(adtop_pq_connection *connection) { return pq.db(connection->inner); }
int adtop_pq_server_version(adtop_pq_connection *connection) { return pq.serverVersion(connection->inner); }
int adtop_pq_needs_password(adtop_pq_connection *connection) { return pq.connectionNeedsPassword(connection->inner); }
const char *adtop_pq_error(adtop_pq_connection *connection) { return pq.errorMessage(connection->inner); }
int adtop_pq_warnings(adtop_pq_connection *connection) { return connection->warnings; }
const char *adtop_pq_warning_state(adtop_pq_connection *connection) { return connection->warning_state; }
void adtop_pq_forget_warnings(adtop_pq_connection *connection) { connection->warnings = 0; }

int adtop_pq_send(adtop_pq_connection *connection, const char *sql, int count, const char *const *values) {
    connection->received = 0;
    return pq.sendQueryParams(connection->inner, sql, count, NULL, values, NULL, NULL, 0)
        && pq.setSingleRowMode(connection->inner);
}

int adtop_pq_send_script(adtop_pq_connection *connection, const char *sql) {
    connection->received = 0;
    return pq.sendQuery(connection->inner, sql) && pq.setSingleRowMode(connection->inner);
}

int adtop_pq_flush(adtop_pq_connection *connection) { return pq.flush(connection->inner); }

int adtop_pq_consume(adtop_pq_connection *connection) {
    int waiting = 0;
    if (ioctl(pq.socket(connection->inner), FIONREAD, &waiting) == 0 && waiting > 0) connection->received += (size_t)waiting;
    return pq.consumeInput(connection->inner);
}

size_t adtop_pq_received(adtop_pq_connection *connection) { return connection->received; }
// CONNECTION_OK
int adtop_pq_is_open(adtop_pq_connection *connection) { return pq.status(connection->inner) == 0; }
int adtop_pq_is_busy(adtop_pq_connection *connection) { return pq.isBusy(connection->inner); }

int adtop_pq_take_notifications(adtop_pq_connection *connection) {
    int foreign = 0;
    notification *next;
    while ((next = pq.notifies(connection->inner)) != NULL) {
        foreign += next->sender != pq.backendPID(connection->inner);
        pq.freemem(next);
    }
    return foreign;
}

adtop_pq_result *adtop_pq_next(adtop_pq_connection *connection) { return pq.getResult(connection->inner); }

int adtop_pq_result_status(const adtop_pq_result *result) { return pq.resultStatus(result); }
const char *adtop_pq_result_error(const adtop_pq_result *result, int field) { return pq.resultErrorField(result, field); }
int adtop_pq_rows(const adtop_pq_result *result) { return pq.ntuples(result); }
int adtop_pq_columns(const adtop_pq_result *result) { return pq.nfields(result); }
const char *adtop_pq_column(const adtop_pq_result *result, int column) { return pq.fname(result, column); }
const char *adtop_pq_value(const adtop_pq_result *result, int row, int column) {
    return pq.getisnull(result, row, column) ? NULL : pq.getvalue(result, row, column);
}
int adtop_pq_length(const adtop_pq_result *result, int row, int column) { return pq.getlength(result, row, column); }
void adtop_pq_clear(adtop_pq_result *result) { pq.clear(result); }
