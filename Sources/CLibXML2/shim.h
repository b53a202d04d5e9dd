#ifndef ADTOP_CLIBXML2_SHIM_H
#define ADTOP_CLIBXML2_SHIM_H
// libxml2's SAX2 interface, reduced to what a reader of untrusted documents needs: elements, text and the first error.
// The tree, files, the network, DTDs and entities are not accessible. Functions here only forward; nothing has static
// storage.

#include <libxml/xmlversion.h>
// Headers of a libxml2 built with ICU include the system's ICU, whose types conflict with the ICU inside Foundation
// when one target imports both. Nothing declared below depends on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/valid.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <string.h>

/// Why parsing stops although libxml2 would continue.
enum xml_reader_refusal {
    XML_READER_NOT_REFUSED = 0,
    XML_READER_ENTITY_DECLARED = 1,
    XML_READER_UNKNOWN_ENTITY = 2,
    XML_READER_LIMIT = 3,
    XML_READER_ATTRIBUTES_DECLARED = 4
};

/// A position in the text passed to xml_reader_parse: byte offset from 0, line and column (in bytes) from 1.
typedef struct {
    int offset;
    int line;
    int column;
} xml_reader_position;

/// One attribute as the SAX2 interface passes it: five pointers in a row.
typedef struct {
    const xmlChar *name;
    const xmlChar *prefix;
    const xmlChar *uri;
    const xmlChar *value;
    const xmlChar *end;
} xml_reader_attribute;

/// A CDATA section whose text is replaced by a single character: its position in the parsed text (the offset of that
/// character, and the offset after the section), and the position of its text in the whole text.
typedef struct {
    int start;
    int end;
    int text;
    int length;
} xml_reader_section;

struct xml_reader;

/// Start tag of an element; a nonzero result stops the parser.
typedef int (*xml_reader_start)(
    void *owner, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
    const xmlChar *const *declarations, int attributes, const xml_reader_attribute *values, xml_reader_position position);
/// End of the innermost element; `end` is the offset after its end tag.
typedef void (*xml_reader_end)(void *owner, int end);
/// Text of the innermost element or, if `cdata` is 1, a CDATA section.
typedef void (*xml_reader_text)(void *owner, const xmlChar *text, int length, int cdata);

/// The most attributes that a document type declaration may declare.
enum { xml_reader_most_declared_attributes = 16 };

/// Input and result of one parse; zero it, then set the first eleven members, line and line_start.
typedef struct xml_reader {
    void *owner;
    /// The whole text, to which offsets, lines and columns refer.
    const char *bytes;
    int count;
    /// The text that libxml2 parses: the whole text without the text of `sections`, which are in order.
    const char *parsed;
    int parsed_count;
    const xml_reader_section *sections;
    int section_count;
    xml_reader_start start;
    xml_reader_end end;
    xml_reader_text text;
    /// Whether some carriage return without a line feed ends a line (XML 1.0 section 2.11).
    int has_bare_returns;

    xmlParserCtxtPtr context;
    /// The first section not yet passed, and the number of bytes by which the sections before it are shorter.
    int section;
    int shortened;
    int refusal;
    /// Whether there was a document type declaration.
    int doctype;
    /// The number of attributes that it declared.
    int declared_attributes;
    /// The first fatal error as an xmlParserErrors code; 0 for none.
    int error;
    int error_line;
    int error_column;
    char error_message[240];
    /// How far line ends were counted, for positions; the line up to there and the offset at which it starts.
    int counted;
    int line;
    int line_start;
} xml_reader;

/// The offset of the first `byte` at or after `from`; -1 for none.
static inline int xml_reader_find(const void *bytes, int from, int count, unsigned char byte) {
    if (from < 0 || from >= count) return -1;
    const char *start = (const char *)bytes;
    const char *found = (const char *)memchr(start + from, byte, (size_t)(count - from));
    return found ? (int)(found - start) : -1;
}

/// The offset of the next line end that was not counted, before `limit`; -1 for none.
static inline int xml_reader_line_end(const xml_reader *reader, int limit) {
    if (!reader->has_bare_returns) return xml_reader_find(reader->bytes, reader->counted, limit, '\n');
    for (int offset = reader->counted; offset < limit; offset += 1) {
        if (reader->bytes[offset] == '\n') return offset;
        if (reader->bytes[offset] != '\r') continue;
        if (offset + 1 == reader->count || reader->bytes[offset + 1] != '\n') return offset;
    }
    return -1;
}

static inline void xml_reader_count_lines(xml_reader *reader, int offset) {
    if (offset > reader->count) offset = reader->count;
    while (reader->counted < offset) {
        int found = xml_reader_line_end(reader, offset);
        if (found < 0) {
            reader->counted = offset;
            return;
        }
        reader->counted = found + 1;
        reader->line += 1;
        reader->line_start = reader->counted;
    }
}

/// Bytes of the parsed text consumed so far. The input is not decoded again, so libxml2's offsets are also ours.
static inline int xml_reader_parsed_offset(const xml_reader *reader) {
    xmlParserInputPtr input = reader->context->input;
    if (!input) return reader->parsed_count;
    unsigned long offset = input->consumed + (unsigned long)(input->cur - input->base);
    return offset > (unsigned long)reader->parsed_count ? reader->parsed_count : (int)offset;
}

/// Passes the sections that end at or before an offset of the parsed text; offsets never decrease.
static inline void xml_reader_pass_sections(xml_reader *reader, int offset) {
    while (reader->section < reader->section_count && reader->sections[reader->section].end <= offset) {
        reader->shortened += reader->sections[reader->section].length - 1;
        reader->section += 1;
    }
}

/// Bytes of the whole text consumed so far.
static inline int xml_reader_offset(xml_reader *reader) {
    int offset = xml_reader_parsed_offset(reader);
    xml_reader_pass_sections(reader, offset);
    return offset + reader->shortened;
}

static inline void xml_reader_stop(xml_reader *reader, int reason) {
    if (reader->refusal == XML_READER_NOT_REFUSED) {
        reader->refusal = reason;
        xml_reader_count_lines(reader, xml_reader_offset(reader));
        reader->error_line = reader->line;
        reader->error_column = reader->counted - reader->line_start + 1;
    }
    xmlStopParser(reader->context);
}

/// Ends the parse at the first report behind a fault. libxml2 reads on there, and without XML_PARSE_RECOVER it would report nothing more,
/// so that no limit would hold.
static inline int xml_reader_is_over(xml_reader *reader) {
    if (reader->error) xmlStopParser(reader->context);
    return reader->error != 0;
}

static inline void xml_reader_on_start(
    void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int nb_namespaces,
    const xmlChar **namespaces, int nb_attributes, int nb_defaulted, const xmlChar **attributes) {
    xml_reader *reader = (xml_reader *)data;
    if (xml_reader_is_over(reader)) return;
    // Values that a DTD declares as defaults come last and are left out: one long default would be copied for every element.
    nb_attributes -= nb_defaulted;
    int offset = xml_reader_offset(reader);
    // Finds the `<` of the tag: a start tag contains no other, not even in an attribute value.
    while (offset > 0 && reader->bytes[offset - 1] != '<') offset -= 1;
    if (offset > 0) offset -= 1;
    xml_reader_count_lines(reader, offset);
    xml_reader_position position = {offset, reader->line, offset - reader->line_start + 1};
    if (reader->start(
            reader->owner, name, prefix, uri, nb_namespaces, (const xmlChar *const *)namespaces, nb_attributes,
            (const xml_reader_attribute *)(const void *)attributes, position))
        xml_reader_stop(reader, XML_READER_LIMIT);
}

static inline void xml_reader_on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    xml_reader *reader = (xml_reader *)data;
    (void)name, (void)prefix, (void)uri;
    if (xml_reader_is_over(reader)) return;
    int offset = xml_reader_offset(reader);
    // Some versions of libxml2 report the end of an empty element before its `/>`.
    if (offset + 1 < reader->count && reader->bytes[offset] == '/' && reader->bytes[offset + 1] == '>') offset += 2;
    reader->end(reader->owner, offset);
}

static inline void xml_reader_on_text(void *data, const xmlChar *text, int length) {
    xml_reader *reader = (xml_reader *)data;
    if (reader->error) return;
    reader->text(reader->owner, text, length, 0);
}

static inline void xml_reader_on_cdata(void *data, const xmlChar *text, int length) {
    xml_reader *reader = (xml_reader *)data;
    if (reader->error) return;
    int offset = xml_reader_parsed_offset(reader);
    // Versions of libxml2 differ in whether the end of the section is already consumed when they report it.
    xml_reader_pass_sections(reader, offset - 1);
    if (reader->section < reader->section_count && reader->sections[reader->section].start <= offset) {
        const xml_reader_section *section = &reader->sections[reader->section];
        reader->text(reader->owner, (const xmlChar *)reader->bytes + section->text, section->length, 1);
    } else {
        reader->text(reader->owner, text, length, 1);
    }
}

static inline void xml_reader_on_doctype(
    void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    xml_reader *reader = (xml_reader *)data;
    (void)name, (void)external, (void)system;
    if (!reader->error) reader->doctype = 1;
}

static inline void xml_reader_on_entity(
    void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content) {
    xml_reader *reader = (xml_reader *)data;
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    if (!xml_reader_is_over(reader)) xml_reader_stop(reader, XML_READER_ENTITY_DECLARED);
}

/// libxml2 compares every pair of declared attributes at every element, so a few thousand of them would take it hours.
static inline void xml_reader_on_attribute(
    void *data, const xmlChar *element, const xmlChar *name, int type, int use, const xmlChar *value,
    xmlEnumerationPtr names) {
    xml_reader *reader = (xml_reader *)data;
    (void)element, (void)name, (void)type, (void)use, (void)value;
    xmlFreeEnumeration(names);
    if (xml_reader_is_over(reader)) return;
    reader->declared_attributes += 1;
    if (reader->declared_attributes > xml_reader_most_declared_attributes)
        xml_reader_stop(reader, XML_READER_ATTRIBUTES_DECLARED);
}

#if LIBXML_VERSION >= 21200
#define XML_READER_ERROR const xmlError
#else
#define XML_READER_ERROR xmlError
#endif

/// Whether content or a value uses an entity that is not defined. Behind a document type declaration, libxml2 only warns of it, because
/// a DTD, which is never loaded, might have declared it, and then drops the reference.
static inline int xml_reader_is_unknown_entity(const xml_reader *reader, const xmlError *error) {
    if (reader->context->inSubset) return 0;
    return error->code == XML_ERR_UNDECLARED_ENTITY || error->code == XML_WAR_UNDECLARED_ENTITY;
}

static inline void xml_reader_on_error(void *data, XML_READER_ERROR *error) {
    xml_reader *reader = (xml_reader *)data;
    if (!reader || !error || reader->error) return;
    int is_unknown_entity = xml_reader_is_unknown_entity(reader, error);
    if (error->level < XML_ERR_FATAL && !is_unknown_entity) return;
    reader->error = error->code;
    xml_reader_count_lines(reader, xml_reader_offset(reader));
    reader->error_line = reader->line;
    reader->error_column = reader->counted - reader->line_start + 1;
    if (error->message) {
        strncpy(reader->error_message, error->message, sizeof reader->error_message - 1);
        // Some messages end their line and quote the document below it: a CDATA section that is not finished.
        size_t length = strcspn(reader->error_message, "\n");
        while (length > 0 && reader->error_message[length - 1] == ' ') length--;
        reader->error_message[length] = 0;
    }
    if (is_unknown_entity) xml_reader_stop(reader, XML_READER_UNKNOWN_ENTITY);
}

/// Parses `count` bytes of valid UTF-8 without NUL and without byte order mark. Returns 0 if parsing could not start.
static inline int xml_reader_parse(xml_reader *reader) {
    reader->context = xmlCreateMemoryParserCtxt(reader->parsed, reader->parsed_count);
    if (!reader->context) return 0;
    // The text is UTF-8, whatever its declaration states: encodings are resolved before libxml2 parses a byte.
    xmlCtxtUseOptions(reader->context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_RECOVER);
    xmlSAXHandlerPtr sax = reader->context->sax;
    memset(sax, 0, sizeof *sax);
    sax->initialized = XML_SAX2_MAGIC;
    sax->startElementNs = xml_reader_on_start;
    sax->endElementNs = xml_reader_on_end;
    sax->characters = xml_reader_on_text;
    sax->ignorableWhitespace = xml_reader_on_text;
    sax->cdataBlock = xml_reader_on_cdata;
    sax->internalSubset = xml_reader_on_doctype;
    sax->entityDecl = xml_reader_on_entity;
    sax->attributeDecl = xml_reader_on_attribute;
    sax->serror = xml_reader_on_error;
    reader->context->userData = reader;
    xmlParseDocument(reader->context);
    xmlDocPtr document = reader->context->myDoc;
    reader->context->myDoc = NULL;
    xmlFreeParserCtxt(reader->context);
    if (document) xmlFreeDoc(document);
    reader->context = NULL;
    return 1;
}

#endif
