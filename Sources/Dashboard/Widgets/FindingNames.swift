import AdTracking
import Ports
package import Rules
import Session

extension RuleLibrary {
    /// The entry with that id, or of the finding with that name: a finding whose id is a code, as `L35`, also has a name,
    /// `late-metadata`. Case does not count.
    package func entry(named name: String) -> RuleEntry? {
        if let entry = self[name] { return entry }
        let name = name.lowercased()
        let code =
            Self.code(name, in: AdTracking.LintRule.self) ?? Self.code(name, in: ProviderRule.self)
            ?? Self.code(name, in: SessionRule.self)
        return code.flatMap { self[$0] }
    }

    private static func code<Code: FindingCode>(_ name: String, in rules: Code.Type) -> String? {
        rules.allCases.first { words(of: "\($0)") == name }?.rawValue
    }

    /// `lateMetadata` as `late-metadata`, `badURL` as `bad-url`.
    private static func words(of name: String) -> String {
        var text = ""
        var wasSmall = false
        for letter in name {
            if letter.isUppercase, wasSmall { text += "-" }
            text += letter.lowercased()
            wasSmall = letter.isLowercase
        }
        return text
    }
}
