import Ports

/// The notice for a session in which the service reports, or may report, what playback triggers.
enum ReportingNotice {
    /// Nil where the viewer alone reports.
    /// - Parameters:
    ///   - how: what the service reports and why, as a clause.
    ///   - reportsAnyway: the viewer reports all the same (`--fire-anyway`).
    static func finding(_ how: String?, reportsAnyway: Bool) -> Finding? {
        guard let how else { return nil }
        guard reportsAnyway else {
            return ProviderRule.reportedByService.finding(
                "\(how): what playback triggers is not sent; --fire-anyway sends it", path: "")
        }
        return ProviderRule.twoParties.finding(
            "\(how), and --fire-anyway sends the same: ads may count twice", path: "")
    }
}
