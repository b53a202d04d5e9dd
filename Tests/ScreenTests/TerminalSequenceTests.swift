import Foundation
import Screen
import Testing

@Suite struct TerminalSequenceTests {
    @Test func theClipboardGetsBase64WithinTheLimit() throws {
        for text in ["", "f", "fo", "foo", "foob", "https://e.example/?a=\u{1B}é"] {
            let bytes = try #require(TerminalSequence.clipboard(text))
            let payload = String(decoding: bytes, as: UTF8.self).dropFirst(7).dropLast()
            #expect(payload == Data(text.utf8).base64EncodedString())
        }
        #expect(TerminalSequence.clipboard(String(repeating: "x", count: 56_244)) != nil)
        #expect(TerminalSequence.clipboard(String(repeating: "x", count: 56_248)) == nil)
    }

    @Test func shellWordsSurviveQuotes() {
        #expect(TerminalSequence.shellQuoted("a'b$(c)") == "'a'\\''b$(c)'")
        #expect(TerminalSequence.shellQuoted("") == "''")
        #expect(TerminalSequence.shellQuoted("'") == "''\\'''")
        #expect(TerminalSequence.shellQuoted("'\u{301};reboot").utf8.elementsEqual("''\\''\u{301};reboot'".utf8))
        #expect(TerminalSequence.shellQuoted("\u{D4E}';reboot").utf8.elementsEqual("'\u{D4E}'\\'';reboot'".utf8))
    }
}
