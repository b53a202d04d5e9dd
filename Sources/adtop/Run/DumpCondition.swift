import AdTracking
import Ports
import Rules
import Session

/// The condition of `--until`.
enum DumpCondition: Equatable, Sendable {
    case breakStart
    case adStart
    case breakEnd
    case beacons(Int)
    /// The session reports a finding of this code, as findings have it.
    case finding(String)

    /// What `--until` takes, for help and errors.
    static let forms = "break-start, ad-start, break-end, N-beacons or finding:RULE"

    /// Examples of ``forms``, for completion in a shell.
    static let words = ["break-start", "ad-start", "break-end", "1-beacon"]

    /// Reads one of ``forms``. A code of a finding that does not exist is an error, because the wait for it would not end.
    init(_ text: String) throws(CommandFailure) {
        switch text {
        case "break-start": self = .breakStart
        case "ad-start": self = .adStart
        case "break-end": self = .breakEnd
        default:
            if text.hasPrefix("finding:"), text != "finding:" {
                self = .finding(try Self.finding(String(text.dropFirst("finding:".count))))
                return
            }
            guard let count = text.wholeMatch(of: /([0-9]{1,6})-beacons?/)?.output.1, let number = Int(count),
                number > 0
            else { throw CommandFailure(.usage, "--until: '\(text)' is not \(Self.forms)") }
            self = .beacons(number)
        }
    }

    /// The code of a finding as findings have it, from that code or the finding's name; compared without case. A numbered rule is not one.
    private static func finding(_ code: String) throws(CommandFailure) -> String {
        if let entry = RuleLibrary.builtIn.entry(named: code), entry.reason != nil { return entry.id }
        let codes = RuleLibrary.builtIn.entries.filter { $0.reason != nil }.map(\.id)
        let nearest = SimilarNames.nearest(to: code, in: codes, count: 3)
        let remedy = nearest.isEmpty ? "'adtop explain' lists all" : "similar: \(nearest.joined(separator: ", "))"
        throw CommandFailure(.usage, "--until: no finding '\(code)'; \(remedy)")
    }
}

/// Watches snapshots for a condition. A break has ended when it was on air in an earlier snapshot and no longer is.
struct DumpWatch {
    let condition: DumpCondition
    private var seenOnAir: Set<String> = []

    init(_ condition: DumpCondition) {
        self.condition = condition
    }

    mutating func isMet(by snapshot: Snapshot) -> Bool {
        switch condition {
        case .breakStart:
            return snapshot.breaks.contains(where: \.isOnAir)
        case .adStart:
            return snapshot.breaks.contains { $0.ads.contains(where: \.isOnAir) }
        case .breakEnd:
            let ended = snapshot.breaks.contains { seenOnAir.contains($0.id) && !$0.isOnAir }
            seenOnAir.formUnion(snapshot.breaks.filter(\.isOnAir).map(\.id))
            return ended
        case .beacons(let number):
            let events = snapshot.breaks.flatMap(\.ads).flatMap(\.events)
            let handled = events.flatMap(\.urls).count { url in
                switch url.state {
                case .acknowledged, .rejected, .failed, .unknown, .observed: true
                case .planned, .claimed, .sent, .waiting, .skipped: false
                }
            }
            return handled >= number
        case .finding(let rule):
            return snapshot.findings.contains { $0.finding.rule == rule }
        }
    }
}
