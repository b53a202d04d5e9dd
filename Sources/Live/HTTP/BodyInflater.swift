import CZlib
import Ports

/// Inflates the body of an answer piece by piece (RFC 9110 section 8.4.1).
///
/// The first bytes decide about the format: many servers send `deflate` without the header of zlib (RFC 1950) that belongs to it, and
/// browsers read that. A body in gzip may have several members, one after another (RFC 1952 section 2.2).
final class BodyInflater {
    /// Why the body cannot be read.
    enum Problem: Error {
        /// It has more than `Limits.inflatedBytes` when inflated.
        case tooLong
        case damaged
    }

    /// The content codings that are read, with the other name of gzip (RFC 9110 section 8.4.1.3).
    private static let codings: [String: Coding] = ["gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate]
    private static let chunkBytes = 64 << 10

    private enum Coding { case gzip, deflate }

    /// The raw value is zlib's number of window bits, which also states the format.
    private enum Format: Int32 {
        case raw = -15
        case zlib = 15
        case gzip = 31
    }

    private let coding: Coding
    // zlib keeps a pointer to the stream, so its address must not change.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Nil before the first two bytes.
    private var format: Format?
    private var input: [UInt8] = []
    /// How much of `input` was read.
    private var position = 0
    private var chunk: [UInt8] = []
    /// Bytes inflated so far.
    private var count = 0
    /// Whether the last piece filled the chunk, so that more may come of what was read.
    private var hasMore = false
    /// Whether what was read ends with the compressed data, or with one of its members.
    private var hasEnded = false

    /// Nil when the coding is another one; `coding` is the value of Content-Encoding.
    init?(coding: some StringProtocol) {
        guard let coding = Self.codings[coding.lowercased()] else { return nil }
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        // Without effect on a stream that was not opened.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the body may end here. An answer without any body, such as one to HEAD, names the coding all the same.
    var isComplete: Bool { hasEnded || input.isEmpty && format == nil }

    /// Takes over the next bytes of the body.
    func append(_ bytes: some Sequence<UInt8>) {
        input += bytes
    }

    /// The next piece of the content; nil when more of the body is needed.
    func next() throws(Problem) -> ArraySlice<UInt8>? {
        if format == nil { try open() }
        guard format != nil else { return nil }
        while position < input.count || hasMore {
            if hasEnded { try beginMember() }
            let (status, consumed, written) = step()
            position += consumed
            hasEnded = status == Z_STREAM_END
            hasMore = !hasEnded && written == Self.chunkBytes
            guard hasEnded || status == Z_OK || status == Z_BUF_ERROR else { throw .damaged }
            count += written
            guard count <= Limits.inflatedBytes else { throw .tooLong }
            if written > 0 { return chunk[..<written] }
            if consumed == 0 { break }
        }
        input.removeFirst(position)
        position = 0
        return nil
    }

    private func open() throws(Problem) {
        guard input.count >= 2 else { return }
        let (first, second) = (input[0], input[1])
        let hasHeader = first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        let found: Format = first == 0x1F && second == 0x8B ? .gzip : hasHeader ? .zlib : .raw
        guard found != .raw || coding == .deflate, adtop_inflate_init_bits(stream, found.rawValue) == Z_OK else {
            throw .damaged
        }
        format = found
        chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    }

    private func beginMember() throws(Problem) {
        guard format == .gzip, inflateReset(stream) == Z_OK else { throw .damaged }
        hasEnded = false
    }

    private func step() -> (status: Int32, consumed: Int, written: Int) {
        let start = position
        let pointer = stream
        return input.withUnsafeMutableBufferPointer { input in
            chunk.withUnsafeMutableBufferPointer { output in
                pointer.pointee.next_in = input.baseAddress.map { $0 + start }
                pointer.pointee.avail_in = UInt32(input.count - start)
                pointer.pointee.next_out = output.baseAddress
                pointer.pointee.avail_out = UInt32(output.count)
                let status = inflate(pointer, Z_NO_FLUSH)
                return (
                    status, input.count - start - Int(pointer.pointee.avail_in),
                    output.count - Int(pointer.pointee.avail_out)
                )
            }
        }
    }
}
