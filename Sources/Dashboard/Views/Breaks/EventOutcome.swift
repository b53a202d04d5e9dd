import AdTracking
import Ports
import Screen
import Session

/// The outcome of an event, in the few words of its row.
enum EventOutcome {
    /// Start date, or the trigger of an event that time does not trigger.
    static func timeColumn(_ event: EventView, _ context: ViewContext) -> String {
        guard event.isUserTriggered else { return TimeText.tenths(event.start) }
        let action: Action? =
            switch event.event {
            case "mute", "unmute": .mute
            case "pause", "resume": .pause
            default: nil
            }
        if event.reason == .clickClass { return "on click" }
        guard let action else { return "on action" }
        let key = context.key(action)
        return key.isEmpty || !context.actsOnSession ? "on action" : "on key \(key)"
    }

    /// Full form, then the short one.
    static func forms(_ event: EventView, _ context: ViewContext) -> [StyledLine] {
        let last = lastAttempt(of: event)
        switch event.state {
        case .idle: return [idle(event, context)]
        case .connecting: return busy(event, last, context)
        case .done:
            let result = last?.exchange
            var line = StyledLine()
            if event.isLate, let late = event.late { line.add("late \(TimeText.age(late))  ", .stateRetry) }
            line.append(status(result))
            line.append(column(result.map { TimeText.latency(.microseconds($0.timings.total)) } ?? "", .textMuted))
            return [line, status(result)]
        case .failed, .partial:
            let tries = event.urls.map(\.attempts.count).max() ?? 0
            var line = status(last?.exchange)
            line.append(column(tries == 1 ? "1 try" : "\(tries) tries", .textMuted))
            return [line, status(last?.exchange)]
        case .unknown: return [StyledLine("unknown", .stateUnknown)]
        case .skipped: return [.of(event.reasonWords?.short ?? event.state.word.rawValue, .stateOff)]
        case .observed: return [StyledLine("observed", .stateObserved)]
        }
    }

    /// The try that represents the event: the last of the URL that does.
    static func lastAttempt(of event: EventView) -> AttemptView? { EventDetail.shownURL(of: event)?.attempts.last }

    /// `200`, or the kind of failure.
    static func status(_ result: BeaconAnswer?) -> StyledLine {
        guard let result, let cause = cause(status: result.status, result.failure) else {
            return StyledLine("-", .textMuted)
        }
        return .of(cause, result.failure == nil ? result.status.map(Role.http) ?? .textMuted : .stateFailed)
    }

    /// The same as a text; nil where nothing came back.
    static func cause(status: Int?, _ failure: HTTPFailure?) -> String? {
        failure.map(word(for:)) ?? status.map { "\($0)" }
    }

    /// Why no answer came, in one word.
    static func word(for failure: HTTPFailure) -> String {
        guard failure.proxyFault == nil else { return "proxy" }
        return word(for: failure.kind)
    }

    private static func word(for kind: HTTPFailure.Kind) -> String {
        switch kind {
        case .resolve: "dns"
        case .connect: "refused"
        case .connectTimeout, .timeout: "timeout"
        case .tls: "tls"
        case .proxy: "proxy"
        case .reset: "reset"
        case .protocolError: "protocol"
        case .bodyTooLarge: "too large"
        case .tooManyRedirects, .badRedirect, .redirectToReport: "redirect"
        case .addressNotAllowed: "blocked"
        case .cancelled: "cancelled"
        }
    }

    private static func idle(_ event: EventView, _ context: ViewContext) -> StyledLine {
        guard !event.isUserTriggered, let date = context.mediaDate else { return StyledLine("-", .textMuted) }
        let wait = event.start - date
        guard wait > .zero else { return .of(event.reasonWords?.short ?? "due", .stateIdle) }
        guard !context.snapshot.playsNoMore else { return .of(SkipReason.notReached.words.short, .stateOff) }
        return .of("in \(TimeText.age(wait))", .stateIdle)
    }

    private static func busy(_ event: EventView, _ last: AttemptView?, _ context: ViewContext) -> [StyledLine] {
        if let retry = event.urls.compactMap(\.retryAt).min(by: { $0.uptime < $1.uptime }) {
            var line = status(last?.exchange)
            line.add("  retry in \(TimeText.age(retry.uptime - context.now.uptime))", .stateRetry)
            return [line, status(last?.exchange)]
        }
        guard let last else { return [StyledLine("busy", .stateBusy)] }
        return [
            .of("busy \(TimeText.age(context.now.uptime - last.at.uptime))", .stateBusy),
            StyledLine("busy", .stateBusy),
        ]
    }

    /// Right-aligned in the last column, so that latencies are aligned.
    private static func column(_ text: String, _ role: Role) -> StyledLine {
        StyledLine(SafeText(outside: text).paddedStart(to: 9), role)
    }
}
