import Ports
import Testing

@testable import HLS

/// Lines by rfc8216bis-22 section 4.1.
struct LineScannerTests {
    private static func lines(_ text: [UInt8]) -> [(String, PlaylistLine)] {
        text.withUnsafeBufferPointer { buffer in
            var scanner = LineScanner(buffer)
            var lines: [(String, PlaylistLine)] = []
            while let line = scanner.next() { lines.append((line.text.string, line)) }
            return lines
        }
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("\n\n", ["", ""]),
        ("a\rb\r", ["a", "b"]), ("\r\n\r", ["", ""]),
        ("0123456789\n0123456789abcdef\nx", ["0123456789", "0123456789abcdef", "x"]),
    ]) func cuts(_ text: String, _ expected: [String]) {
        #expect(Self.lines(Array(text.utf8)).map(\.0) == expected)
        #expect(Self.lines(Array(text.utf8)).map(\.1.number) == Array(1..<expected.count + 1))
    }

    @Test func marksBytes() {
        let lines = Self.lines(Array("plain\ttab\na\u{0}b\nc\u{7F}\nespañol\nx\ry".utf8)).map(\.1)
        #expect(lines.map(\.hasControls) == [false, true, true, false, false, false])
        #expect(lines.map(\.hasNonASCII) == [false, false, false, true, false, false])
        #expect(lines.map(\.endsWithBareReturn) == [false, false, false, false, true, false])
    }

    /// The eight-byte steps agree with a test of each byte, wherever the marked bytes are.
    @Test func agreesWithAPlainLoop() {
        var random = SplitMix64(seed: 11)
        let alphabet: [UInt8] = [
            0x0A, 0x0D, 0x09, 0x00, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0xFF, 0x61, 0x61, 0x61, 0x61, 0x61,
        ]
        for round in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let expected = Self.plainLines(text)
            let actual = Self.lines(text).map { "\(Array($0.1.hasControls ? [1] : [])) \($0.1.hasNonASCII) \($0.0)" }
            #expect(actual == expected, "seed 11, round \(round): \(text)")
        }
    }

    private static func plainLines(_ text: [UInt8]) -> [String] {
        var lines: [[UInt8]] = [[]]
        var index = 0
        while index < text.count {
            if text[index] == 0x0A || text[index] == 0x0D {
                if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { index += 1 }
                lines.append([])
            } else {
                lines[lines.count - 1].append(text[index])
            }
            index += 1
        }
        if lines.last == [] { lines.removeLast() }
        return lines.map { line in
            let hasControls = line.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
            return "\(hasControls ? [1] : []) \(line.contains { $0 >= 0x80 }) \(String(decoding: line, as: UTF8.self))"
        }
    }
}
