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

    private enum Coding { case gzip, deflate }

    private let coding: Coding
    /// Nil before the first two bytes.
    private var inflater: (inflater: Inflater, format: Inflater.Format)?
    private var input: [UInt8] = []
    /// How much of `input` was read.
    private var position = 0
    /// Bytes inflated so far.
    private var count = 0
    /// Whether the last piece was a full one, so that more may come of what was read.
    private var hasMore = false
    /// Whether what was read ends with the compressed data, or with one of its members.
    private var hasEnded = false

    /// Nil when the coding is another one; `coding` is the value of Content-Encoding.
    init?(coding: some StringProtocol) {
        guard let coding = Self.codings[coding.lowercased()] else { return nil }
        self.coding = coding
    }

    /// Whether the body may end here. An answer without any body, such as one to HEAD, names the coding all the same.
    var isComplete: Bool { hasEnded || input.isEmpty && inflater == nil }

    /// Takes over the next bytes of the body.
    func append(_ bytes: some Sequence<UInt8>) {
        input += bytes
    }

    /// The next piece of the content; nil when more of the body is needed.
    func next() throws(Problem) -> ArraySlice<UInt8>? {
        if inflater == nil { try open() }
        guard let (inflater, format) = inflater else { return nil }
        while position < input.count || hasMore {
            if hasEnded {
                guard format == .gzip, inflater.reset() else { throw .damaged }
            }
            guard let (piece, consumed, hasEnded) = inflater.step(&input, from: position) else { throw .damaged }
            position += consumed
            self.hasEnded = hasEnded
            hasMore = !hasEnded && piece.count == Inflater.chunkBytes
            count += piece.count
            guard count <= Limits.inflatedBytes else { throw .tooLong }
            if !piece.isEmpty { return piece }
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
        let format: Inflater.Format = first == 0x1F && second == 0x8B ? .gzip : hasHeader ? .zlib : .raw
        guard format != .raw || coding == .deflate, let opened = Inflater(format) else { throw .damaged }
        inflater = (opened, format)
    }
}
