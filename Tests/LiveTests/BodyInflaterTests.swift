import Ports
import Testing

@testable import Live

/// Compressed bodies in any pieces (RFC 1950 to 1952).
@Suite struct BodyInflaterTests {
    /// The content of a body that comes in pieces of `size` bytes.
    private static func content(
        of body: [UInt8], coding: String = "gzip", size: Int = .max
    ) throws -> (content: [UInt8], isComplete: Bool) {
        let inflater = try #require(BodyInflater(coding: coding))
        var content: [UInt8] = []
        var start = 0
        while start < body.count {
            let end = start + min(size, body.count - start)
            inflater.append(body[start..<end])
            start = end
            while let piece = try inflater.next() { content += piece }
        }
        return (content, inflater.isComplete)
    }

    private static func gzip(_ content: [UInt8]) throws -> [UInt8] {
        let writer = try #require(GzipWriter())
        return writer.append(content) + writer.finish()
    }

    /// Bytes that do not compress to nothing.
    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: 3)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() & 0x3F) }
    }

    @Test(arguments: [1, 2, 7, 1_000, .max]) func piecesOfAnySizeGiveTheContent(size: Int) throws {
        let content = Self.bytes(20_000)
        let body = try Self.gzip(content) + Self.gzip([]) + Self.gzip([1, 2, 3])
        let found = try Self.content(of: body, size: size)
        #expect(found.content == content + [1, 2, 3] && found.isComplete)
    }

    /// A piece of the content that is exactly as long as the chunk hides whether more follows.
    @Test(arguments: [65_535, 65_536, 65_537, 131_072, 200_000]) func contentOfAnyLengthIsWhole(count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        for content in [zeros, Self.bytes(count)] {
            let found = try Self.content(of: Self.gzip(content))
            #expect(found.content == content && found.isComplete)
        }
    }

    /// The middle of a gzip file is deflate without a header.
    @Test(arguments: [1, 3, .max]) func deflateNeedsNoHeader(size: Int) throws {
        let content = Self.bytes(5_000)
        let raw = Array(try Self.gzip(content).dropFirst(10).dropLast(8))
        let found = try Self.content(of: raw, coding: "deflate", size: size)
        #expect(found.content == content && found.isComplete)
        #expect(throws: BodyInflater.Problem.damaged) { try Self.content(of: raw) }
        #expect(throws: BodyInflater.Problem.damaged) { try Self.content(of: raw + [1, 2], coding: "deflate") }
    }

    @Test func aBodyThatIsCutIsNotComplete() throws {
        let body = try Self.gzip([1, 2, 3])
        for count in 1..<body.count { #expect(try !Self.content(of: Array(body.prefix(count))).isComplete) }
        #expect(try Self.content(of: []).isComplete, "an answer to HEAD")
        #expect(try !Self.content(of: body + [0x1F, 0x8B]).isComplete)
    }

    @Test func aDamagedBodyIsRejected() throws {
        var body = try Self.gzip(Self.bytes(1_000))
        body[body.count - 6] ^= 1
        #expect(throws: BodyInflater.Problem.damaged) { try Self.content(of: body) }
        #expect(throws: BodyInflater.Problem.damaged) { try Self.content(of: Self.gzip([1]) + Array("more".utf8)) }
    }

    @Test func aBombIsRejected() throws {
        let bomb = try Self.gzip([UInt8](repeating: 0, count: Limits.inflatedBytes / 2))
        #expect(try Self.content(of: bomb + bomb).content.count == Limits.inflatedBytes)
        #expect(throws: BodyInflater.Problem.tooLong) { try Self.content(of: bomb + bomb + Self.gzip([0])) }
    }

    @Test(arguments: ["br", "identity", "", "gzip, br", "compress"]) func otherCodingsAreNot(coding: String) {
        #expect(BodyInflater(coding: coding) == nil)
    }
}
