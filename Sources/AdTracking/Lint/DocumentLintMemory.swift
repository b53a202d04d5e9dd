import Ports

/// The lint results of the previous document: breaks that did not change are not checked again.
///
/// The findings for a document do not depend on the documents checked before it.
struct DocumentLintMemory: Hashable, Sendable {
    /// Number of breaks searched for an equal one, so that breaks may be added and removed in between.
    private static let reach = 8

    /// The findings for one break, taken alone.
    private struct Checked: Hashable, Sendable {
        var adBreak: AdBreak
        var findings: [Finding]
        /// The latest planned end that was final, and the first that was not: the findings are valid while the limit is
        /// between them.
        var settled: UnixTime?
        var unsettled: UnixTime?

        func stands(until settledUntil: UnixTime?) -> Bool {
            guard let settledUntil else { return settled == nil }
            return settled.map { $0 <= settledUntil } ?? true && unsettled.map { settledUntil < $0 } ?? true
        }
    }

    /// The fields that the lint of URLs reads.
    private struct AdURLs: Hashable, Sendable {
        var name: String?
        var start: UnixTime
        var events: [TrackingEvent]
    }

    private var checked: [Checked] = []
    private var urls: [AdURLs] = []
    private var urlFindings: [Finding] = []

    /// The context must be the same for all documents, except for `settledUntil`.
    mutating func findings(in document: DecodedMetadata, _ context: LintContext) -> [Finding] {
        let linter = DocumentLinter(context: context, range: document.dataRange)
        var overlaps = linter
        overlaps.checkOverlaps(document)
        var findings = overlaps.findings
        check(document, linter, room: DecodedMetadata.findingsKept - findings.count)
        findings += checked.lazy.flatMap(\.findings)
        guard findings.count < DecodedMetadata.findingsKept else {
            return Array(findings.prefix(DecodedMetadata.findingsKept))
        }
        checkURLs(document, linter)
        return Array((findings + urlFindings).prefix(DecodedMetadata.findingsKept))
    }

    /// - Parameter room: number of findings that are kept; breaks behind those that have as many are not checked.
    private mutating func check(_ document: DecodedMetadata, _ linter: DocumentLinter, room: Int) {
        var all: [Checked] = []
        all.reserveCapacity(document.breaks.count)
        var room = room
        var next = 0
        for adBreak in document.breaks where room > 0 {
            defer { room -= all.last?.findings.count ?? 0 }
            let known = checked[next...].prefix(Self.reach).firstIndex { $0.adBreak == adBreak }
            if let known {
                next = known + 1
                if checked[known].stands(until: linter.settledUntil) {
                    all.append(checked[known])
                    continue
                }
            }
            var linter = linter
            linter.check(adBreak)
            let ends = adBreak.ads.map(\.plannedEnd) + [adBreak.plannedEnd]
            all.append(
                Checked(
                    adBreak: adBreak, findings: linter.findings, settled: ends.filter(linter.isSettled).max(),
                    unsettled: ends.filter { !linter.isSettled($0) }.min()))
        }
        checked = all
    }

    private mutating func checkURLs(_ document: DecodedMetadata, _ linter: DocumentLinter) {
        let new = document.breaks.flatMap { adBreak in
            adBreak.ads.map { AdURLs(name: $0.name, start: $0.start, events: $0.events) }
        }
        guard new != urls else { return }
        urls = new
        var linter = linter
        linter.checkURLs(document)
        urlFindings = linter.findings
    }
}
