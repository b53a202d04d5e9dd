#ifndef SAX2_BASELINE_H
#define SAX2_BASELINE_H

/// Reads a document with libxml2's SAX2 interface and callbacks that only count: the least that any reader on top of it
/// costs. The number of events, -1 when the document is not well-formed.
long sax2_baseline_events(const char *bytes, int count);

#endif
