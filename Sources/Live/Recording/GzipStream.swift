import CZlib

/// Compresses piece by piece into one gzip file. After each piece everything so far can be read, whatever follows.
final class GzipWriter {
    // zlib keeps a pointer to the stream, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil when no memory is available.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard adtop_deflate_init(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The next bytes of the file, complete up to and including `bytes`.
    func append(_ bytes: [UInt8]) -> [UInt8] { deflate(bytes, Z_SYNC_FLUSH) }

    /// The end of the file.
    func finish() -> [UInt8] { deflate([], Z_FINISH) }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        var input = bytes
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: GzipReader.chunk)
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let written = chunk.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    _ = CZlib.deflate(stream, flush)
                    return output.count - Int(stream.pointee.avail_out)
                }
                result += chunk[..<written]
            } while stream.pointee.avail_out == 0
        }
        return result
    }
}

/// Decompresses a gzip file piece by piece.
final class GzipReader {
    static let chunk = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the end of the gzip data was reached; later bytes are not part of it.
    private(set) var hasEnded = false

    /// Nil when no memory is available.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard adtop_inflate_init(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Passes the content of `bytes` on in pieces of at most `chunk` bytes; false if they are damaged.
    func read<Failure>(
        _ bytes: ArraySlice<UInt8>, each: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var input = Array(bytes)
        var position = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunk)
        while !hasEnded {
            let (status, consumed, written) = step(&input, from: position, into: &chunk)
            position += consumed
            hasEnded = status == Z_STREAM_END
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return false }
            if written > 0 { try each(chunk[..<written]) }
            if written < Self.chunk, position == input.count { break }
        }
        return true
    }

    private func step(_ input: inout [UInt8], from position: Int, into chunk: inout [UInt8]) -> (Int32, Int, Int) {
        input.withUnsafeMutableBufferPointer { input in
            chunk.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress.map { $0 + position }
                stream.pointee.avail_in = UInt32(input.count - position)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = inflate(stream, Z_NO_FLUSH)
                return (
                    status, input.count - position - Int(stream.pointee.avail_in),
                    output.count - Int(stream.pointee.avail_out)
                )
            }
        }
    }
}
