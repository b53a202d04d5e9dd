import Testing

@testable import AdTracking

@Suite struct ParameterNamesTests {
    private static let names: ParameterNames = ["cb", "cache-buster", "_"]

    private func isKnown(_ name: String) -> Bool {
        ParameterNames.number(of: name.utf8).map(Self.names.contains) ?? false
    }

    @Test(arguments: ["cb", "CB", "cB", "cache-buster", "Cache-Buster", "_"])
    func findsNamesInAnyCase(name: String) { #expect(isKnown(name)) }

    /// Capitals are those of the alphabet alone: a byte beside them is another character.
    @Test(arguments: ["", "c", "bc", "cbs", "\0cb", "cb\0", "cache\rbuster", "\u{7F}", "c\u{22}", "a name of 16 byt"])
    func findsNoOther(name: String) { #expect(!isKnown(name)) }
}
