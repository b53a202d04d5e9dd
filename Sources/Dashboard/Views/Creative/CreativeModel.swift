import Ports
import Screen
import Session

/// The rows of the creative view for one ad and one filter.
package struct CreativeModel: ListRows {
    /// The ad, nil while none is under the cursor.
    private(set) var subject: AdUnderCursor?
    private var filter: String?
    /// All rows, also those scrolled away.
    private(set) var rows: [CreativeItem] = []
    /// The findings on the documents, one entry a rule.
    private(set) var findings: [RuleFindings] = []
    /// Columns of the longest name of a fact.
    private(set) var longestFact = 0
    /// The row under the cursor.
    package private(set) var selectedRow = 0
    /// The answer of the selected hop, sanitised once.
    private(set) var answer: AnswerText?

    /// No rows.
    package init() {}

    /// The rows for an ad as `state` wants them.
    package init(_ subject: AdUnderCursor?, _ state: ListState<CreativeModel>) {
        self.subject = subject
        filter = state.filter
        findings = RuleFindings.byRule(creative.findings)
        longestFact = creative.facts.map { CreativeRowLine.name($0).columns }.max() ?? 0
        if let subject { addRows(subject.ad, filter: TextFilter(state.filter)) }
        select(state.selection.flatMap { rows.firstIndex(of: $0) } ?? state.lastRow)
    }

    /// Ids of the ad that is shown.
    var adPath: NodePath? { subject?.path }

    /// What is known of the ad; empty where there is nothing.
    var creative: CreativeView { subject?.ad.creative ?? CreativeView() }

    /// Whether the rows are those of that ad under that filter.
    func fits(_ subject: AdUnderCursor?, filter: String) -> Bool {
        self.filter == filter && self.subject == subject
    }

    package var count: Int { rows.count }

    /// Moves the cursor, clamped to the rows.
    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
        answer = nil
        if case .hop(let index) = selected, creative.hops.indices.contains(index) {
            answer = AnswerText(creative.hops[index])
        }
    }

    /// The row under the cursor, nil while there are none.
    var selected: CreativeItem? { item(at: selectedRow) }

    /// The item of a row, nil outside.
    package func item(at row: Int) -> CreativeItem? { rows.indices.contains(row) ? rows[row] : nil }

    /// The URL of the selected row, nil where it has none.
    var address: String? {
        guard let selected, let ad = subject?.ad else { return nil }
        switch selected {
        case .ad: return ad.clickThrough
        case .hop(let index): return creative.hops[index].url
        case .media(let index): return creative.media[index].url
        case .companion(let index): return creative.companions[index].resources.first?.value
        case .icon(let index): return creative.icons[index].resources.first?.value
        case .verification(let index): return creative.verifications[index].resources.first?.value
        case .pixel(let index): return creative.pixels[index].url
        case .fact, .finding, .extra: return nil
        }
    }

    private mutating func addRows(_ ad: AdView, filter: TextFilter) {
        func items<Value>(
            _ values: [Value], _ item: (Int) -> CreativeItem, _ words: (Value) -> [String]
        ) -> [CreativeItem] {
            values.enumerated().compactMap { filter.passes(anyOf: words($1)) ? item($0) : nil }
        }
        if filter.passes(anyOf: [ad.name, ad.id, ad.clickThrough ?? ""]) { rows.append(.ad) }
        rows += items(creative.facts, CreativeItem.fact) { [$0.name, $0.value] }
        rows += items(creative.hops, CreativeItem.hop) { [$0.url, $0.outcome.rawValue, $0.problem ?? ""] }
        rows += items(creative.media, CreativeItem.media) { [$0.url, $0.type ?? "", $0.kind.rawValue, $0.reason] }
        rows += items(creative.companions, CreativeItem.companion) { ["companion", $0.id ?? ""] + $0.resources.words }
        rows += items(creative.icons, CreativeItem.icon) { ["icon", $0.program ?? ""] + $0.resources.words }
        rows += items(creative.verifications, CreativeItem.verification) {
            ["verification", $0.vendor ?? ""] + $0.resources.words
        }
        rows += items(findings, CreativeItem.finding) { [$0.finding.rule, $0.finding.message] }
        rows += items(creative.pixels, CreativeItem.pixel) { [$0.url, "\($0.code)"] }
        // A member that is among the facts is not repeated in its raw form.
        let known = Set(creative.facts.map(\.name))
        rows += items(ad.extras, CreativeItem.extra) { [$0.name, $0.value] }.filter { item in
            if case .extra(let index) = item { !known.contains(ad.extras[index].name) } else { true }
        }
    }
}

extension [CreativeView.Fact] {
    fileprivate var words: [String] { flatMap { [$0.name, $0.value] } }
}
