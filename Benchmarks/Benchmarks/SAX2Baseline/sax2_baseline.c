#include "sax2_baseline.h"

#include <libxml/parser.h>
#include <string.h>

static void on_start(
    void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int nb_namespaces,
    const xmlChar **namespaces, int nb_attributes, int nb_defaulted, const xmlChar **attributes) {
    (void)name, (void)prefix, (void)uri, (void)nb_namespaces, (void)namespaces;
    (void)nb_attributes, (void)nb_defaulted, (void)attributes;
    *(long *)data += 1;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    *(long *)data += 1;
}

static void on_text(void *data, const xmlChar *text, int length) {
    (void)text, (void)length;
    *(long *)data += 1;
}

long sax2_baseline_events(const char *bytes, int count) {
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = on_start;
    handler.endElementNs = on_end;
    handler.characters = on_text;
    handler.cdataBlock = on_text;
    long events = 0;
    return xmlSAXUserParseMemory(&handler, &events, bytes, count) == 0 ? events : -1;
}
