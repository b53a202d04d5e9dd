import AdTracking
import Ports
import Screen
import Session

/// An event with every URL, every try, every hop, and the reason for what was not sent.
enum EventDetail {
    /// Adds the lines of an event.
    static func add(
        _ event: EventView, _ row: TreeModel.Row, _ model: TreeModel, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        var head = StyledLine(SafeText(outside: event.event), .text)
        head.space(3)
        head.append(SafeText(outside: model.breakView(row).label, columns: 12), .textMuted)
        if let ad = model.ad(row) {
            head.append(" / " + SafeText(outside: ad.label, columns: 12) + " " + SafeText(outside: ad.name), .textMuted)
        }
        fields.field("event", head)
        fields.field("due", due(event, context))
        if let sent = sent(event) { fields.field("sent", sent) }
        fields.field("state", state(event, context))
        if let reason = event.reasonWords { fields.field("reason", reason.sentence) }
        if event.urls.count > 1 { URLTable.add(event, context, to: &fields) }
        for (index, url) in event.urls.enumerated() {
            fields.blank()
            AttemptTable.add(
                url, number: index + 1, of: event.urls.count, sign: StateSign(event, url), context, to: &fields)
        }
        if event.urls.isEmpty {
            fields.blank()
            fields.add(StyledLine("no URL in the metadata", .textMuted))
        }
    }

    /// The URL that represents the event, the first of those that decide its state: that failed, of unknown outcome, under way, done.
    static func shownURL(of event: EventView) -> URLView? {
        event.urls.min { rank($0.state) < rank($1.state) }
    }

    private static func rank(_ state: DeliveryState) -> Int {
        switch state {
        case .failed, .rejected, .waiting: 0
        case .unknown: 1
        case .claimed, .sent: 2
        case .acknowledged: 3
        case .planned, .skipped, .observed: 4
        }
    }

    /// `503 Service Unavailable`, or the failure in words.
    static func answer(_ result: BeaconAnswer, _ context: ViewContext) -> StyledLine {
        if let failure = result.failure { return .of(context.prose(failure.message), .stateFailed) }
        guard let status = result.status else { return StyledLine("no answer", .stateFailed) }
        return .of("\(status) \(StatusPhrase.of(status))", Role.http(status))
    }

    /// The next step of the event, in words.
    static func next(_ event: EventView, _ context: ViewContext) -> StyledLine {
        if let retry = event.urls.compactMap(\.retryAt).min(by: { $0.uptime < $1.uptime }) {
            return .of("retry in \(TimeText.age(retry.uptime - context.now.uptime))", .stateRetry)
        }
        switch event.state {
        case .failed, .partial: return StyledLine("none (failed)", .stateFailed)
        case .done: return StyledLine("none (done)", .textMuted)
        case .connecting: return StyledLine("waiting for the answer", .stateBusy)
        case .unknown: return StyledLine("none (may have arrived)", .stateUnknown)
        case .skipped, .observed:
            return event.reasonWords.map { .of($0.sentence, .textMuted) } ?? StyledLine("none", .textMuted)
        case .idle:
            if event.isUserTriggered { return .of(EventOutcome.timeColumn(event, context), .textMuted) }
            guard let date = context.mediaDate, event.start > date else {
                return event.reasonWords.map { .of($0.sentence, .textMuted) } ?? StyledLine("due", .stateIdle)
            }
            guard !context.snapshot.playsNoMore else { return StyledLine("none (not reached, not sent)", .stateOff) }
            return .of("due in \(TimeText.age(event.start - date))", .stateIdle)
        }
    }

    private static func due(_ event: EventView, _ context: ViewContext) -> StyledLine {
        var line = StyledLine()
        if event.isUserTriggered {
            line.add(EventOutcome.timeColumn(event, context), .text)
        } else {
            line.add(TimeText.tenths(event.start), .text)
            line.append(" media", .textMuted)
            if let due = clockDue(event) {
                line.add("   \(TimeText.tenths(due))Z", .text)
                line.append(" clock", .textMuted)
            }
        }
        if event.duration > .zero { line.add("   window \(TimeText.span(event.duration))", .textMuted) }
        let isSent = event.urls.contains { !$0.attempts.isEmpty }
        guard !context.snapshot.playsNoMore else { return line }
        if !isSent, let date = context.mediaDate, event.start > date, !event.isUserTriggered {
            line.add("   in \(TimeText.age(event.start - date))", .textMuted)
        }
        return line
    }

    /// The URL that was requested first, and when.
    static func first(of event: EventView) -> (url: URLView, at: Moment)? {
        event.urls.compactMap { url in url.attempts.first.map { (url: url, at: $0.at) } }
            .min { $0.at.uptime < $1.at.uptime }
    }

    /// When it was due by the viewer's clock. Its date is one of the stream, which is played behind the clock; nil before it was sent, and
    /// where a viewer's action triggers it.
    static func clockDue(_ event: EventView) -> UnixTime? {
        guard !event.isUserTriggered, let first = first(of: event), let late = first.url.late else { return nil }
        return first.at.wall - late
    }

    /// When its first URL was requested, by the viewer's clock, and how late that was; nil before.
    private static func sent(_ event: EventView) -> StyledLine? {
        guard let first = first(of: event) else { return nil }
        var line = StyledLine.of("\(TimeText.tenths(first.at.wall))Z", .text)
        line.append(" clock", .textMuted)
        guard let late = first.url.late else { return line }
        line.add("   \(TimeText.age(late)) after it was due", first.url.isLate ? .stateRetry : .textMuted)
        if let latest = event.late, event.isLate, latest > late {
            line.add("   another URL \(TimeText.age(latest))", .stateRetry)
        }
        return line
    }

    private static func state(_ event: EventView, _ context: ViewContext) -> StyledLine {
        var line = context.badge(StateSign(event))
        if let tries = event.urls.map(\.attempts.count).max(), tries > 0 {
            line.add("   \(tries == 1 ? "1 try" : "\(tries) tries")", .text)
        }
        if let retry = event.urls.compactMap(\.retryAt).min(by: { $0.uptime < $1.uptime }) {
            line.add("   retry in \(TimeText.age(retry.uptime - context.now.uptime))", .stateRetry)
        }
        return line
    }
}
