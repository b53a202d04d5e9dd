import Ports

extension Desk {
    /// Maximum number of lines of a kind that one input may log; further ones are counted.
    static let linesAtOnce = 5

    /// Adds findings; those seen for the first time are logged.
    mutating func noteFindings(_ new: [Finding], from source: FindingSource, at now: Moment) {
        guard !new.isEmpty else { return }
        let first = findings.note(new, from: source, at: now, playing: playheadDate)
        for finding in first { keep(.finding(finding, source: source), at: now) }
        for severity in [Severity.error, .warning] {
            let lines = first.filter { $0.severity == severity }.map { finding in
                Line(
                    "\(finding.message)\(finding.path.map { " at \($0)" } ?? "") (\(finding.rule))",
                    about: finding.place.map { LogEntry.Break($0) })
            }
            noteLines(lines, severity == .error ? .error : .warning, from: source.log, at: now)
        }
    }

    /// What was found of that rule and place is over, which this finding reports in its place.
    mutating func notePast(_ finding: Finding, from source: FindingSource, at now: Moment) {
        findings.replace(by: finding, from: source)
        keep(.finding(finding, source: source), at: now)
        note(.info, "\(finding.message) (\(finding.rule))", from: source.log, at: now)
    }

    /// A request that the rules for addresses stopped is named by what was to be requested: a stream that leads there
    /// repeats it with every document. One that was answered with a redirect was requested.
    mutating func noteAddress(of exchange: HTTPExchange, for what: String, from source: FindingSource, at now: Moment) {
        guard let failure = exchange.failure, failure.kind == .addressNotAllowed else { return }
        let notDone = exchange.hops.isEmpty ? "\(what) not requested" : "redirect of \(what) not followed"
        let finding = Finding(
            rule: SessionRule.addressNotAllowed, severity: .warning, message: "\(notDone): \(failure.message)",
            path: what, section: "TRK-31")
        noteFindings([finding], from: source, at: now)
    }

    /// A line of several that one input logs.
    struct Line {
        var words: String
        /// The break that it is about.
        var adBreak: LogEntry.Break?

        init(_ words: String, about adBreak: LogEntry.Break? = nil) {
            (self.words, self.adBreak) = (words, adBreak)
        }
    }

    mutating func noteLines(_ lines: [Line], _ level: LogLevel, from source: LogSource = .session, at now: Moment) {
        for line in lines.prefix(Self.linesAtOnce) {
            note(level, line.words, from: source, about: line.adBreak, at: now)
        }
        if lines.count > Self.linesAtOnce {
            note(level, "and \(lines.count - Self.linesAtOnce) similar findings", from: source, at: now)
        }
    }
}
