import Ports
import Testing

@testable import VAST

@Suite struct MacroLintTests {
    private func findings(_ version: String, _ url: String) -> [Finding] {
        let text =
            "<VAST version=\"\(version)\"><Ad><InLine><Impression><![CDATA[\(url)]]></Impression></InLine></Ad></VAST>"
        return VASTReader.read(Array(text.utf8)).findings()
    }

    /// The macro that replaces it came with VAST 4.1.
    @Test(arguments: [("2.0", false), ("3.0", false), ("4.0", false), ("4.1", true), ("4.2", true)])
    func aMacroIsDeprecatedWhereThereIsAnother(version: String, isFinding: Bool) {
        let found = findings(version, "https://t.example.test/?[CONTENTPLAYHEAD]").filter {
            $0.rule == "macro-deprecated"
        }
        #expect(found.count == (isFinding ? 1 : 0))
    }

    @Test(
        arguments: [
            ("{a}", "the character {"), ("a b{", "a space"), ("a|b c", "the character |"),
            ("é", "a character that is not ASCII"),
            ("a%20b", nil),
        ] as [(String, String?)])
    func theFirstUnescapedCharacterIsNamed(text: String, name: String?) {
        let found = findings("4.2", "https://t.example.test/?\(text)").filter { $0.rule == "url-unescaped-characters" }
        #expect(found.map(\.message) == (name.map { ["The URL contains \($0), unescaped."] } ?? []))
    }
}
