import AdFormats
import AdTracking
import Bidding
import HLS
import Ports
import Rules
import Session
import Testing
import VAST

@testable import adtop

/// `adtop explain`: what it prints, and that it knows every finding.
@Suite struct ExplainTests {
    /// Every code that a finding can have: `scripts/check-citations` fails for a list of codes that is not here.
    static let codes: [any FindingCode.Type] = [
        PlaylistRule.self, ReloadRule.self, AssetListRule.self, VAST.LintRule.self, AdTracking.LintRule.self,
        SignalingRule.self, ProviderRule.self, SessionRule.self, PluginRule.self, LineItemCheck.Rule.self,
    ]

    private static func names<Code: FindingCode>(_ type: Code.Type) -> [String] { type.allCases.map(\.rawValue) }

    @Test func everyFindingHasAnEntryThatNamesCauseAndRemedy() {
        let names = Self.codes.flatMap { Self.names($0) }
        #expect(names.count > 350)
        for name in names {
            let entry = RuleLibrary.builtIn[name]
            #expect(entry?.id == name, "docs/rules has no entry for the finding \(name)")
            #expect(entry?.reason != nil && entry?.remedy != nil, "\(name)")
        }
    }

    @Test func noEntryIsAboutAFindingThatDoesNotExist() {
        let names = Set(Self.codes.flatMap { Self.names($0) })
        let surplus = RuleLibrary.builtIn.entries.filter { $0.reason != nil && !names.contains($0.id) }.map(\.id)
        #expect(surplus.isEmpty)
    }

    /// The clause that a finding prints can be looked up: it is public, or a rule.
    @Test func rulesThatFindingsPrintExist() {
        let clauses =
            PlaylistRule.allCases.map(\.section) + VAST.LintRule.allCases.map(\.section)
            + AdTracking.LintRule.allCases.map(\.clause) + ProviderRule.allCases.map(\.clause)
        for clause in Set(clauses) where !clause.hasPrefix("rfc8216bis-22 ") {
            #expect(RuleLibrary.builtIn[clause] != nil, "\(clause)")
        }
    }

    @Test func idsAreFoundWithoutCase() throws {
        #expect(try ExplainReport.entry("hls-11", in: .builtIn).id == "HLS-11")
        #expect(try ExplainReport.entry("l14", in: .builtIn).id == "L14")
    }

    @Test func aFindingWithACodeAlsoHasAName() throws {
        #expect(try ExplainReport.entry("late-metadata", in: .builtIn).id == "L35")
        #expect(try ExplainReport.entry("No-URL", in: .builtIn).id == "L27")
        #expect(try ExplainReport.entry("missed-break", in: .builtIn).id == "P09")
        // An id comes first.
        #expect(try ExplainReport.entry("metadata-not-utf8", in: .builtIn).id == "metadata-not-utf8")
    }

    @Test func anUnknownRuleNamesSimilarOnes() {
        let similar = #expect(throws: CommandFailure.self) { try ExplainReport.entry("pdt-drfit", in: .builtIn) }
        #expect(similar?.status == .usage && similar?.message.contains("pdt-drift") == true)
        let strange = #expect(throws: CommandFailure.self) {
            try ExplainReport.entry("no such rule at all", in: .builtIn)
        }
        #expect(strange?.message == "explain: no rule 'no such rule at all'; 'adtop explain' lists all rules")
    }

    @Test(arguments: [(nil, 80), (40, 40), (200, 100), (5, 20), (0, 20)])
    func theWidthIsThatOfTheTerminal(columns: Int?, width: Int) {
        #expect(ExplainReport.width(ofTerminal: columns) == width)
    }

    @Test func theListHasALineForEachEntryUnderItsField() {
        let lines = ExplainReport.list(RuleLibrary.builtIn.entries).map(\.plain)
        #expect(lines.first == "Tracking")
        #expect(lines.contains { $0.hasPrefix("TRK-15 ") && $0.hasSuffix(" When a beacon is sent again") })
        #expect(lines.contains("Findings: playlists"))
        let fields = Set(RuleLibrary.builtIn.entries.map(\.field)).count
        #expect(lines.count == RuleLibrary.builtIn.entries.count + fields * 2 - 1)
    }

    @Test func theJSONHasAllMembers() throws {
        let rule = try #require(RuleLibrary.builtIn["TRK-3"])
        let finding = try #require(RuleLibrary.builtIn["pdt-drift"])
        let json = ExplainReport.json([rule, finding])
        #expect(json["schema"] == "adtop-rules/1")
        let rules = try #require(json["rules"]?.arrayValue)
        #expect(rules.count == 2 && rules[0]["id"] == "TRK-3" && rules[0]["field"] == "Tracking")
        #expect(rules[0]["why"] == .null && rules[1]["why"]?.stringValue?.isEmpty == false)
        #expect(rules[0]["text"]?.arrayValue?.count == rule.text.count)
    }
}
