import Foundation
import Screen
import Testing

@Suite struct TerminalSequenceTests {
    @Test func titlesAreShortAndASCII() {
        let bytes = TerminalSequence.title(SafeText(outside: "é\u{7}" + String(repeating: "x", count: 300)))
        #expect(bytes.count == 4 + TerminalSequence.titleLimit + 1)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\u{1B}]2;?^Gxx"))
        #expect(bytes.dropFirst(4).dropLast().allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func theClipboardGetsBase64WithinTheLimit() throws {
        for text in ["", "f", "fo", "foo", "foob", "https://e.example/?a=\u{1B}é"] {
            let bytes = try #require(TerminalSequence.clipboard(text))
            let payload = String(decoding: bytes, as: UTF8.self).dropFirst(7).dropLast()
            #expect(payload == Data(text.utf8).base64EncodedString())
        }
        #expect(TerminalSequence.clipboard(String(repeating: "x", count: 56_244)) != nil)
        #expect(TerminalSequence.clipboard(String(repeating: "x", count: 56_248)) == nil)
    }

    @Test func onlyWebAddressesBecomeLinks() {
        #expect(TerminalSequence.linkTarget("https://e.example/a b\u{1B}é") == "https://e.example/a%20b%1B%C3%A9")
        #expect(TerminalSequence.linkTarget("HTTP://e.example") == "HTTP://e.example")
        #expect(TerminalSequence.linkTarget("javascript:alert(1)") == nil)
        #expect(TerminalSequence.linkTarget("file:///etc/passwd") == nil)
    }

    @Test func shellWordsSurviveQuotes() {
        #expect(TerminalSequence.shellQuoted("a'b$(c)") == "'a'\\''b$(c)'")
        #expect(TerminalSequence.shellQuoted("") == "''")
        #expect(TerminalSequence.shellQuoted("'") == "''\\'''")
    }
}
