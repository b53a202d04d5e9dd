import Ports
import Rules
import Screen
import Session

/// The findings of one rule as Markdown, for those who have to mend the cause. Secrets are masked, and text from outside
/// cannot leave its place.
enum FindingReport {
    /// Most places that it lists.
    private static let placesListed = 40

    static func markdown(_ group: FindingGroup, _ finder: PlaceFinder, _ snapshot: Snapshot) -> String {
        let entry = RuleLibrary.builtIn[group.rule]
        var lines = ["# \(group.title) (\(MarkdownText.cell(group.rule)))", ""]
        lines += [
            "- stream: \(MarkdownText.code(Redaction.url(snapshot.session.mediaURL)))",
            "- severity: \(group.severity.rawValue)",
            "- seen: \(times(group.count)), \(dates(group))", "",
        ]
        if let newest = group.newest { lines += ["**Found:** \(MarkdownText.prose(newest.finding.message))", ""] }
        if let entry {
            lines += ["**Meaning:** \(entry.text.joined(separator: " "))", ""]
            if let reason = entry.reason { lines += ["**Effect:** \(reason)", ""] }
            if let remedy = entry.remedy { lines += ["**To do:** \(remedy)", ""] }
            lines += ["**Source:** \(entry.source)", ""]
        }
        return (lines + table(group, finder)).joined(separator: "\n") + "\n"
    }

    /// `once`, `7 times`
    static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count.grouped) times" }

    private static func dates(_ group: FindingGroup) -> String {
        let (first, last) = (group.first.wall.iso8601, group.last.wall.iso8601)
        return group.count == 1 || first == last ? last : "first \(first), last \(last)"
    }

    private static func table(_ group: FindingGroup, _ finder: PlaceFinder) -> [String] {
        let rows = group.entries.flatMap { entry -> [(Moment, String, String)] in
            guard entry.places.isEmpty else {
                return entry.places.map { ($0.last, finder.label(of: $0.place) + " " + id($0.place), $0.message) }
            }
            let line = entry.finding.line.map { "line \($0)" }
            return [(entry.last, entry.finding.path ?? line ?? "", entry.finding.message)]
        }
        let newest = rows.sorted { $0.0.uptime > $1.0.uptime }
        var lines = ["| last seen (UTC) | where | found |", "|---|---|---|"]
        lines += newest.prefix(placesListed).map { moment, place, message in
            "| \(moment.wall.iso8601) | \(MarkdownText.prose(place)) | \(MarkdownText.prose(message)) |"
        }
        if rows.count > placesListed { lines.append("\n\((rows.count - placesListed).counted("more place"))") }
        return lines
    }

    /// The ids of the metadata, by which a vendor finds the place.
    private static func id(_ place: FindingPlace) -> String {
        "(" + [place.adBreak, place.ad].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "/") + ")"
    }
}
