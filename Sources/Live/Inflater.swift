import CZlib

/// zlib's decompression of one stream.
final class Inflater {
    static let chunkBytes = 64 << 10

    /// The raw value is zlib's number of window bits, which also states the format.
    enum Format: Int32 {
        /// Without a header.
        case raw = -15
        case zlib = 15
        case gzip = 31
    }

    // zlib keeps a pointer to the stream, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>
    private var chunk = [UInt8](repeating: 0, count: Inflater.chunkBytes)
    /// What the step that found damage had decompressed before it.
    private(set) var beforeDamage: ArraySlice<UInt8> = []

    /// Nil when no memory is available.
    init?(_ format: Format) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard adtop_inflate_init(stream, format.rawValue) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Begins another stream of the same format.
    func reset() -> Bool { inflateReset(stream) == Z_OK }

    /// Decompresses from `position` of the input on, until the input ends or a piece is full.
    /// - Returns: nil if the data are damaged; else the piece, the number of bytes read, and whether the stream ends there. A piece of
    ///   ``chunkBytes`` may be followed by more without further input.
    func step(_ input: inout [UInt8], from position: Int) -> (piece: ArraySlice<UInt8>, consumed: Int, hasEnded: Bool)?
    {
        let stream = stream
        let (status, consumed, written) = input.withUnsafeMutableBufferPointer { input in
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
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            beforeDamage = chunk[..<written]
            return nil
        }
        return (chunk[..<written], consumed, status == Z_STREAM_END)
    }
}
