#ifndef ADTOP_CZLIB_SHIM_H
#define ADTOP_CZLIB_SHIM_H
// What of zlib is a macro, which Swift does not see.

#include <zlib.h>

/// Compresses with a gzip header and trailer (RFC 1952). Z_OK or the reason.
static inline int adtop_deflate_init(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Reads gzip.
static inline int adtop_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
