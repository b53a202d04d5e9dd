import AdFormats
import Ports

/// The trace of a headless run of an ad, line by line; `format load` uses it as the ad's host.
struct FormatTrace: AdHost {
    /// One line.
    struct Line {
        /// What a line is about; the raw value is printed.
        enum Kind: String {
            case call, report, open, request, note
        }

        /// Milliseconds since the start of the run.
        var atMs: Int64
        var kind: Kind
        var text: String
        var severity = Severity.info
        /// The URLs of a report.
        var urls: [String] = []
    }

    private(set) var lines: [Line] = []
    /// The time of the next line, in milliseconds since the start of the run.
    var now: Int64 = 0

    mutating func add(_ kind: Line.Kind, _ text: String, _ severity: Severity = .info, urls: [String] = []) {
        lines.append(Line(atMs: now, kind: kind, text: text, severity: severity, urls: urls))
    }

    // MARK: Calls to the host

    mutating func adLoaded(_ slot: String, _ surface: AdSurface?) {
        add(.call, "adLoaded(\(surface == nil ? "nil" : "view"))")
    }

    mutating func stateChanged(_ slot: String, _ state: AdState) { add(.call, "stateChanged(\(state.rawValue))") }
    mutating func adLoadFailed(_ slot: String, error: AdError.Case) { add(.call, "adLoadFailed(\(error.rawValue))") }
    mutating func adReceived(_ slot: String) { add(.call, "adReceived") }
    mutating func adFailedToReceive(_ slot: String, error: AdError.Case) {
        add(.call, "adFailedToReceive(\(error.rawValue))")
    }
    mutating func adWillPresentScreen(_ slot: String) { add(.call, "adWillPresentScreen") }
    mutating func adWillLeaveApp(_ slot: String, to url: String?) { add(.call, "adWillLeaveApp") }
    mutating func adWillDismissScreen(_ slot: String) { add(.call, "adWillDismissScreen") }
    mutating func adRewarded(_ slot: String, _ reward: Reward) {
        add(.call, "adRewarded(\(reward.name),\(reward.amount))")
    }

    // MARK: Output

    var text: [ToolLine] {
        lines.map { line in
            let seconds = JSONValue.double(Double(line.atMs) / 1_000).text() + " s"
            let more = line.urls.isEmpty ? "" : "  " + line.urls.joined(separator: " ")
            let kind = line.kind.rawValue + String(repeating: " ", count: max(1, 8 - line.kind.rawValue.count))
            return
                "\(seconds.paddingStart(to: 9), .muted) \(kind, line.severity == .info ? .info : line.severity.tint)\(line.text)\(more, .muted)"
        }
    }

    var json: JSONValue {
        .array(
            lines.map { line in
                [
                    "atMs": .integer(line.atMs), "kind": .string(line.kind.rawValue), "text": .string(line.text),
                    "severity": .string(line.severity.rawValue), "urls": .array(line.urls.map(JSONValue.string)),
                ]
            })
    }
}
