/// The head of an answer of HTTP/1 that is odd in a way which browsers accept, written as the grammar has it.
///
/// - Lines may end with LF alone (RFC 9112 section 2.2).
/// - A line that begins with a blank continues the field before it (RFC 9112 section 5.2).
/// - Where the body is chunked, its length has no meaning (RFC 9112 section 6.3).
/// - The same Content-Length may be there more than once (RFC 9110 section 8.6). Two that differ stay, so that the parser rejects them.
/// - Bytes of `Location` that are not UTF-8 are escaped as they are.
///
/// Others may read such a head in another way, so the connection is to be closed after its answer: the head says so.
package struct AnswerHead {
    /// The head with its last, empty line.
    package let text: [UInt8]
    /// Whether another head follows (RFC 9110 section 15.2). 101 is a final answer here.
    package let isInterim: Bool
    /// Whether the head was rewritten.
    package let isOdd: Bool

    /// - Parameters:
    ///   - received: the bytes from the first one of the status line to the empty line.
    ///   - followsOdd: whether a head before it, of the same answer, was odd.
    package init(_ received: [UInt8], followsOdd: Bool = false) {
        let ends = received.split(separator: Self.lf, omittingEmptySubsequences: false).dropLast()
        let lines = ends.dropLast().map { $0.last == Self.cr ? $0.dropLast() : $0 }
        let status = lines.first ?? []
        let code = status.drop { $0 != Self.blank }.drop { $0 == Self.blank }.prefix(3)
        let isInterim = code.first == UInt8(ascii: "1") && !code.elementsEqual("101".utf8)
        var fields = Self.unfolded(lines.dropFirst())
        let isReformed = fields.count + 1 != lines.count || !ends.allSatisfy { $0.last == Self.cr }
        let isShortened = Self.simplifyLength(&fields, mayBeChunked: !status.starts(with: "HTTP/1.0".utf8))
        let isEscaped = Self.escapeLocation(&fields)
        self.isInterim = isInterim
        isOdd = isReformed || isShortened || isEscaped
        guard isOdd || followsOdd else {
            text = received
            return
        }
        // An interim answer that closes the connection would be the last one.
        if !isInterim {
            fields.removeAll { $0.hasName("connection") }
            fields.append(Line("Connection: close".utf8))
        }
        let end = [Self.cr, Self.lf]
        text = status + end + fields.flatMap { $0.bytes + end } + end
    }

    /// A field with its name, without the end of the line.
    private struct Line {
        var bytes: [UInt8]

        init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        func hasName(_ name: String) -> Bool {
            bytes.count > name.utf8.count && bytes[name.utf8.count] == UInt8(ascii: ":")
                && bytes.prefix(name.utf8.count).elementsEqual(name.utf8) { $0 | 0x20 == $1 }
        }

        /// What follows the colon.
        var value: ArraySlice<UInt8> { bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst() }
        /// The members of a list, without blanks around them.
        var members: [[UInt8]] {
            value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Array(trimmed($0)) }
        }
    }

    /// Joins continued lines with one blank. A line that continues no field stays.
    private static func unfolded(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [Line] {
        var fields: [Line] = []
        for line in lines {
            let index = fields.count - 1
            guard index >= 0, begins(line, blank: true), begins(fields[index].bytes[...], blank: false) else {
                fields.append(Line(line))
                continue
            }
            // In place: a head may be nothing but continued lines.
            while let last = fields[index].bytes.last, isBlank(last) { fields[index].bytes.removeLast() }
            fields[index].bytes.append(blank)
            fields[index].bytes += trimmed(line)
        }
        return fields
    }

    /// Leaves one Content-Length of several equal ones, and none of a chunked body. Returns whether it changed something.
    private static func simplifyLength(_ fields: inout [Line], mayBeChunked: Bool) -> Bool {
        let lengths = fields.filter { $0.hasName("content-length") }.flatMap(\.members)
        guard let length = lengths.first, !length.isEmpty, length.allSatisfy({ digits.contains($0) }),
            lengths.allSatisfy({ $0 == length })
        else { return false }
        let coding = fields.last { $0.hasName("transfer-encoding") }?.members.last
        let isChunked = mayBeChunked && coding?.elementsEqual("chunked".utf8) { $0 | 0x20 == $1 } == true
        guard isChunked || lengths.count > 1 else { return false }
        fields.removeAll { $0.hasName("content-length") }
        if !isChunked { fields.append(Line(Array("Content-Length: ".utf8) + length)) }
        return true
    }

    /// Escapes the bytes of an address in another character set. One in UTF-8 is read as such.
    private static func escapeLocation(_ fields: inout [Line]) -> Bool {
        var isEscaped = false
        for index in fields.indices where fields[index].hasName("location") {
            let bytes = fields[index].bytes
            guard String(validating: bytes, as: UTF8.self) == nil else { continue }
            fields[index] = Line(bytes.flatMap { $0 < 0x80 ? [$0] : Array($0.percentEncoded.utf8) })
            isEscaped = true
        }
        return isEscaped
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == UInt8(ascii: "\t") }

    private static func begins(_ line: ArraySlice<UInt8>, blank: Bool) -> Bool {
        line.first.map { isBlank($0) == blank } ?? false
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }
}
