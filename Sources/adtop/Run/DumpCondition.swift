import AdTracking
import Ports
import Session

/// The condition of `--until`.
enum DumpCondition: Equatable, Sendable {
    case breakStart
    case adStart
    case breakEnd
    case beacons(Int)
    /// The session reports a finding of this rule.
    case finding(String)

    /// What `--until` takes, for help and errors.
    static let forms = "break-start, ad-start, break-end, N-beacons or finding:RULE"

    /// Examples of ``forms``, for completion in a shell.
    static let words = ["break-start", "ad-start", "break-end", "1-beacon"]

    /// Reads one of ``forms``.
    init?(_ text: String) {
        switch text {
        case "break-start": self = .breakStart
        case "ad-start": self = .adStart
        case "break-end": self = .breakEnd
        default:
            if let rule = text.wholeMatch(of: /finding:([A-Za-z0-9][A-Za-z0-9.-]{0,63})/)?.output.1 {
                self = .finding(String(rule))
                return
            }
            guard let count = text.wholeMatch(of: /([0-9]{1,6})-beacons?/)?.output.1, let number = Int(count),
                number > 0
            else {
                return nil
            }
            self = .beacons(number)
        }
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
