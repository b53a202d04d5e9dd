#ifndef ADTOP_CLIBXML2_SHIM_H
#define ADTOP_CLIBXML2_SHIM_H
// libxml2's SAX2 interface reduced to what a reader of untrusted documents needs: elements, text, the first error.
// The tree, files, the network, DTDs and entities stay out of reach. Functions in here only forward; nothing is static.

#include <libxml/xmlversion.h>
// Where libxml2 was built with ICU its headers bring the system's ICU along, whose types contradict the ICU inside of
// Foundation as soon as one target sees both. Nothing declared below depends on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <string.h>

/// Why a document is given up although libxml2 would go on.
enum xml_reader_refusal {
    XML_READER_NOT_REFUSED = 0,
    XML_READER_ENTITY_DECLARED = 1,
    XML_READER_UNKNOWN_ENTITY = 2,
    XML_READER_LIMIT = 3
};

/// Where something starts in the text given to xml_reader_parse: byte offset from 0, line and column (bytes) from 1.
typedef struct {
    int offset;
    int line;
    int column;
} xml_reader_position;

/// One attribute as the SAX2 interface lays it out: five pointers in a row.
typedef struct {
    const xmlChar *name;
    const xmlChar *prefix;
    const xmlChar *uri;
    const xmlChar *value;
    const xmlChar *end;
} xml_reader_attribute;

/// A CDATA section with one character in the place of its text: where it stands in what is parsed (the offset of that
/// character, and the one behind the section), and where its text stands in the whole.
typedef struct {
    int start;
    int end;
    int text;
    int length;
} xml_reader_section;

struct xml_reader;

/// The start tag of an element; nonzero stops the parser.
typedef int (*xml_reader_start)(
    void *owner, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
    const xmlChar *const *declarations, int attributes, const xml_reader_attribute *values, xml_reader_position position);
/// The end of the innermost element; `end` is the offset behind its end tag.
typedef void (*xml_reader_end)(void *owner, int end);
/// Text or, where `cdata` is 1, a CDATA section of the innermost element.
typedef void (*xml_reader_text)(void *owner, const xmlChar *text, int length, int cdata);

/// What one parse needs and leaves behind; zero it, then set the first ten members, line and line_start.
typedef struct xml_reader {
    void *owner;
    /// The whole text: offsets, lines and columns are those of this one.
    const char *bytes;
    int count;
    /// What libxml2 gets to see: the same, less the text of `sections`, which stand in order.
    const char *parsed;
    int parsed_count;
    const xml_reader_section *sections;
    int section_count;
    xml_reader_start start;
    xml_reader_end end;
    xml_reader_text text;

    xmlParserCtxtPtr context;
    /// The first section that has not been passed, and how many bytes those before it are shorter.
    int section;
    int shortened;
    int refusal;
    /// A document type declaration was there.
    int doctype;
    /// The first fatal error: xmlParserErrors code, 0 for none.
    int error;
    int error_line;
    int error_column;
    char error_message[240];
    /// How far line ends are counted, for positions; the line before that and the offset at which it starts.
    int counted;
    int line;
    int line_start;
} xml_reader;

/// The offset of the next `byte` at or behind `from`, -1 for none.
static inline int xml_reader_find(const void *bytes, int from, int count, unsigned char byte) {
    if (from < 0 || from >= count) return -1;
    const char *start = (const char *)bytes;
    const char *found = (const char *)memchr(start + from, byte, (size_t)(count - from));
    return found ? (int)(found - start) : -1;
}

static inline void xml_reader_count_lines(xml_reader *reader, int offset) {
    if (offset > reader->count) offset = reader->count;
    while (reader->counted < offset) {
        const char *from = reader->bytes + reader->counted;
        const char *found = (const char *)memchr(from, '\n', (size_t)(offset - reader->counted));
        if (!found) {
            reader->counted = offset;
            return;
        }
        reader->counted = (int)(found - reader->bytes) + 1;
        reader->line += 1;
        reader->line_start = reader->counted;
    }
}

/// Bytes of the parsed text consumed so far. The input is not decoded again, so libxml2's offsets are ours.
static inline int xml_reader_parsed_offset(const xml_reader *reader) {
    xmlParserInputPtr input = reader->context->input;
    if (!input) return reader->parsed_count;
    unsigned long offset = input->consumed + (unsigned long)(input->cur - input->base);
    return offset > (unsigned long)reader->parsed_count ? reader->parsed_count : (int)offset;
}

/// Passes the sections that end at or before an offset of the parsed text; offsets only grow.
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

static inline void xml_reader_on_start(
    void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int nb_namespaces,
    const xmlChar **namespaces, int nb_attributes, int nb_defaulted, const xmlChar **attributes) {
    xml_reader *reader = (xml_reader *)data;
    (void)nb_defaulted;
    int offset = xml_reader_offset(reader);
    // The tag's own `<`: none can stand inside a start tag, not even in an attribute value.
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
    int offset = xml_reader_offset(reader);
    // Some versions report the end of an empty element before its `/>`.
    if (offset + 1 < reader->count && reader->bytes[offset] == '/' && reader->bytes[offset + 1] == '>') offset += 2;
    reader->end(reader->owner, offset);
}

static inline void xml_reader_on_text(void *data, const xmlChar *text, int length) {
    xml_reader *reader = (xml_reader *)data;
    reader->text(reader->owner, text, length, 0);
}

static inline void xml_reader_on_cdata(void *data, const xmlChar *text, int length) {
    xml_reader *reader = (xml_reader *)data;
    int offset = xml_reader_parsed_offset(reader);
    // Versions differ in whether the end of the section is consumed already when they tell of it.
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
    (void)name, (void)external, (void)system;
    ((xml_reader *)data)->doctype = 1;
}

static inline void xml_reader_on_entity(
    void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content) {
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    xml_reader_stop((xml_reader *)data, XML_READER_ENTITY_DECLARED);
}

/// A reference left over because a DTD that is never loaded might have declared it.
static inline void xml_reader_on_reference(void *data, const xmlChar *name) {
    (void)name;
    xml_reader_stop((xml_reader *)data, XML_READER_UNKNOWN_ENTITY);
}

#if LIBXML_VERSION >= 21200
#define XML_READER_ERROR const xmlError
#else
#define XML_READER_ERROR xmlError
#endif

static inline void xml_reader_on_error(void *data, XML_READER_ERROR *error) {
    xml_reader *reader = (xml_reader *)data;
    if (!reader || !error || error->level < XML_ERR_FATAL || reader->error) return;
    reader->error = error->code;
    xml_reader_count_lines(reader, xml_reader_offset(reader));
    reader->error_line = reader->line;
    reader->error_column = reader->counted - reader->line_start + 1;
    if (error->message) {
        strncpy(reader->error_message, error->message, sizeof reader->error_message - 1);
        size_t length = strlen(reader->error_message);
        while (length > 0 && reader->error_message[length - 1] == '\n') reader->error_message[--length] = 0;
    }
}

/// Parses `count` bytes of valid UTF-8 without NUL and without byte order mark. 0 when it could not even begin.
static inline int xml_reader_parse(xml_reader *reader) {
    reader->context = xmlCreateMemoryParserCtxt(reader->parsed, reader->parsed_count);
    if (!reader->context) return 0;
    // The text is UTF-8 whatever its declaration says: encodings are decided before libxml2 sees a byte.
    xmlCtxtUseOptions(reader->context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
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
    sax->reference = xml_reader_on_reference;
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
