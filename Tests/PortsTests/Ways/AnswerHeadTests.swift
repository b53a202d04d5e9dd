import Ports
import Testing

/// Heads that browsers accept and the parser of the HTTP client does not.
@Suite struct AnswerHeadTests {
    /// What a head is given on as; nil is the head itself. `+` in the expected text stands for the field that closes the connection.
    struct Case: CustomTestStringConvertible {
        var name: String
        var head: String
        var expected: String?

        init(_ name: String, _ head: String, _ expected: String?) {
            self.name = name
            self.head = head
            self.expected = expected
        }

        var testDescription: String { name }
        var bytes: [UInt8] { Array(head.utf8) }
        var expectedBytes: [UInt8] {
            expected.map { Array($0.replacing("+", with: AnswerHeadTests.close).utf8) } ?? bytes
        }
    }

    private static let close = "Connection: close\r\n"

    static let cases = [
        Case("plain", "HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 2\r\n\r\n", nil),
        Case("no fields", "HTTP/1.1 204\r\n\r\n", nil),
        Case(
            "line feeds", "HTTP/1.1 200 OK\nServer: a\nContent-Length: 2\n\n",
            "HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 2\r\n+\r\n"),
        Case(
            "one line feed", "HTTP/1.1 200 OK\r\nServer: a\nVary: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nServer: a\r\nVary: b\r\n+\r\n"),
        Case("a line feed at the end", "HTTP/1.1 200 OK\r\nServer: a\r\n\n", "HTTP/1.1 200 OK\r\nServer: a\r\n+\r\n"),
        Case("the first line ends with a line feed", "HTTP/1.1 200 OK\n\r\n", "HTTP/1.1 200 OK\r\n+\r\n"),
        Case("a carriage return in a line", "HTTP/1.1 200 OK\r\nServer: a\rb\r\n\r\n", nil),
        Case(
            "a folded line", "HTTP/1.1 200 OK\r\nServer: a \t\r\n\t b\r\nVary: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nServer: a b\r\nVary: c\r\n+\r\n"),
        Case(
            "twice folded", "HTTP/1.1 200 OK\r\nServer:\r\n a\r\n b\r\n\r\n", "HTTP/1.1 200 OK\r\nServer: a b\r\n+\r\n"),
        Case(
            "folded to nothing", "HTTP/1.1 200 OK\r\nServer: a\r\n \r\n\r\n", "HTTP/1.1 200 OK\r\nServer: a \r\n+\r\n"),
        Case("a fold after no field", "HTTP/1.1 200 OK\r\n a\r\n b\r\nServer: c\r\n\r\n", nil),
        Case(
            "a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n+\r\n"),
        Case(
            "lengths and chunks",
            "HTTP/1.1 200 OK\r\ncontent-length: 9\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length:9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n+\r\n"),
        Case(
            "chunks that are not the last coding",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", nil),
        Case("chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n", nil),
        Case("chunks alone", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", nil),
        Case(
            "equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nServer: a\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 9\r\n+\r\n"),
        Case(
            "a list of equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 9, 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n+\r\n"),
        Case("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n", nil),
        Case("a list of two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 9, 8\r\n\r\n", nil),
        Case(
            "two lengths and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\nTransfer-Encoding: chunked\r\n\r\n", nil),
        Case(
            "two lengths and a line feed", "HTTP/1.1 200 OK\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n+\r\n"),
        Case("equal words for lengths", "HTTP/1.1 200 OK\r\nContent-Length: a\r\nContent-Length: a\r\n\r\n", nil),
        Case("no length twice", "HTTP/1.1 200 OK\r\nContent-Length:\r\nContent-Length: \r\n\r\n", nil),
        Case("a connection that is kept", "HTTP/1.0 200 OK\nConnection: keep-alive\n\n", "HTTP/1.0 200 OK\r\n+\r\n"),
        Case("an address in UTF-8", "HTTP/1.1 302 Found\r\nLocation: /caf\u{E9}\r\n\r\n", nil),
    ]

    private func head(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    @Test(arguments: cases) func itIsWrittenAsTheGrammarHasIt(_ item: Case) {
        let head = AnswerHead(item.bytes)
        #expect(self.head(head.text) == self.head(item.expectedBytes))
        #expect(head.isOdd == (item.expected != nil))
        #expect(!head.isInterim)
        // What was written is not odd.
        #expect(!AnswerHead(head.text).isOdd)
    }

    /// The head ends where it ends in one piece, and what follows is not touched, wherever the bytes are cut.
    @Test(arguments: cases) func itIsTheSameInPieces(_ item: Case) {
        let body: [UInt8] = Array("\n\nHTTP/1.1 9\n\n".utf8)
        let bytes = item.bytes + body
        for cut in 0...bytes.count {
            #expect(head(passed([bytes[..<cut], bytes[cut...]])) == head(item.expectedBytes + body), "cut at \(cut)")
        }
        #expect(head(passed(bytes.indices.map { bytes[$0...$0] })) == head(item.expectedBytes + body))
    }

    /// What is passed on of the answer to one request.
    private func passed(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
        var heads = AnswerHeads()
        heads.requestWritten()
        return pieces.flatMap { take($0, &heads) } + heads.left()
    }

    private func take(_ piece: ArraySlice<UInt8>, _ heads: inout AnswerHeads) -> [UInt8] {
        let (text, used) = heads.received(piece)
        return text + piece.dropFirst(used)
    }

    /// As browsers request it; UTF-8 is read as such.
    @Test func anAddressInAnotherCharacterSetIsEscaped() {
        let status = Array("HTTP/1.1 302 Found\r\n".utf8)
        let head = AnswerHead(
            status + Array("location: /caf".utf8) + [0xE9] + Array("?a=%20".utf8) + [0xFC] + Array("\r\n\r\n".utf8))
        #expect(self.head(head.text) == "HTTP/1.1 302 Found\r\nlocation: /caf%E9?a=%20%FC\r\n\(Self.close)\r\n")
        let other = status + Array("Server: /caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        #expect(AnswerHead(other).text == other)
    }

    /// An interim answer stays open for the final one, which says what is to be done with the connection.
    @Test func aFinalHeadFollowsInterimOnes() {
        var heads = AnswerHeads()
        heads.requestWritten()
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\nLink: a\n\n"
        let final = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(
            head(take(Array((interim + final).utf8)[...], &heads))
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Self.close)\r\n")
        #expect(!heads.isInHead)
        heads.requestWritten()
        #expect(head(take(Array(final.utf8)[...], &heads)) == final)
    }

    @Test(arguments: [("101 Switching", false), ("100 Continue", true), ("199", true), ("200 OK", false)])
    func onlySomeHeadsAreInterim(status: String, isInterim: Bool) {
        #expect(AnswerHead(Array("HTTP/1.1 \(status)\r\n\r\n".utf8)).isInterim == isInterim)
    }

    /// Of a server that speaks something else, or unasked. An empty line may be there before a head.
    @Test(arguments: [
        ("220 mail\n\n", "220 mail\n\n"), ("HTTP/2 200\n\n", "HTTP/2 200\n\n"), ("HTTPS\n\n", "HTTPS\n\n"),
        ("\r\n\nHTTP/1.1 204\n\n", "\r\n\nHTTP/1.1 204\r\n\(close)\r\n"),
        ("HTTP/1.1 200 OK\nServer", "HTTP/1.1 200 OK\nServer"),
        ("", ""), ("\n", "\n"), ("HTTP/1.\n\n", "HTTP/1.\r\n\(close)\r\n"),
    ]) func otherBytesPass(bytes: String, expected: String) {
        let pieces = bytes.utf8.map { [$0][...] }
        #expect(head(passed(pieces)) == expected)
        var heads = AnswerHeads()
        let odd = Array("HTTP/1.1 200 OK\n\n".utf8)
        #expect(take(odd[...], &heads) == odd, "nothing was asked for")
    }

    /// The parser judges a long head, whose bytes are not kept any longer.
    @Test(arguments: [0, 1]) func aLongHeadPasses(over: Int) {
        let start = "HTTP/1.1 200 OK\nServer: "
        let fill = String(repeating: "a", count: AnswerHeads.longest - start.utf8.count - 2 + over)
        let text = start + fill + "\n\n"
        let expected = over == 0 ? "HTTP/1.1 200 OK\r\nServer: \(fill)\r\n\(Self.close)\r\n" : text
        #expect(head(passed([Array(text.utf8)[...]])) == expected)
        var heads = AnswerHeads()
        heads.requestWritten()
        _ = take(Array((start + fill + "a").utf8)[...], &heads)
        #expect(heads.isInHead == (over == 0))
    }
}
