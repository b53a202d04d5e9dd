#ifndef ADTOP_CZLIB_SHIM_H
#define ADTOP_CZLIB_SHIM_H
// Functions in place of zlib's macros, which Swift cannot import.

#include <zlib.h>

/// Compresses with a gzip header and trailer (RFC 1952). Returns Z_OK or the error.
static inline int adtop_deflate_init(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Prepares to decompress what `bits` names: 15 + 16 for gzip, 15 for zlib, -15 for neither header. Returns Z_OK or the error.
static inline int adtop_inflate_init(z_stream *stream, int bits) { return inflateInit2(stream, bits); }

#endif
