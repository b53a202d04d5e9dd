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
        var chunk = [UInt8](repeating: 0, count: Inflater.chunkBytes)
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
    private let inflater: Inflater
    /// Whether the end of the gzip data was reached.
    private(set) var hasEnded = false

    /// Nil when no memory is available.
    init?() {
        guard let inflater = Inflater(.gzip) else { return nil }
        self.inflater = inflater
    }

    /// Passes the content of `bytes` on in pieces; false if they are damaged, after what precedes the damage. A file may have several members,
    /// whose contents follow each other (RFC 1952 section 2.2); what is none behind one is damage, except zeros that fill a block.
    func read<Failure>(
        _ bytes: ArraySlice<UInt8>, each: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var input = Array(bytes)
        var position = 0
        while !hasEnded {
            guard let (piece, consumed, hasEnded) = inflater.step(&input, from: position) else {
                if !inflater.beforeDamage.isEmpty { try each(inflater.beforeDamage) }
                return false
            }
            position += consumed
            self.hasEnded = hasEnded
            if !piece.isEmpty { try each(piece) }
            if piece.count < Inflater.chunkBytes, position == input.count { break }
            guard hasEnded, input[position...].contains(where: { $0 != 0 }) else { continue }
            guard input[position...].starts(with: [0x1F, 0x8B]), inflater.reset() else { return false }
            self.hasEnded = false
        }
        return true
    }
}
