import AdTracking
import HLS
import Ports
import Screen
import Session

/// What the session pane and the header say of the service that inserts the ads.
enum ServiceLines {
    /// Who reports, the token, and the next request with its reason.
    static func add(_ service: ServiceView, _ context: ViewContext, to fields: inout FieldLines) {
        if let health = nextPoll(service, context) { fields.field("", health) }
        var line = StyledLine(name(context.snapshot.session), .text)
        if let mode = service.mode { line.append("  " + SafeText(outside: mode, columns: 16), .text) }
        line.append("  " + words(service.reporter), service.reporter == .viewer ? .textMuted : .stateFailed)
        fields.field("provider", line)
        if context.snapshot.session.provider == Signaling.name {
            fields.field("", "date ranges of the playlist list the ads", .textMuted)
        }
        if let ping = service.ping { fields.field("ping", Self.line(ping)) }
        if let prefetch = service.prefetch { fields.field("prefetch", Self.line(prefetch)) }
        guard let since = service.tokenSince else { return }
        fields.field(
            "page", "continues at a token listed \(TimeText.age(context.now.uptime - since.uptime)) ago", .textMuted)
    }

    /// The provider of a session, as people read it.
    static func name(_ session: SessionView) -> SafeText {
        switch ProviderSetting(rawValue: session.provider) {
        case ProviderSetting.auto?: "not known yet"
        case ProviderSetting.none?: "no provider"
        default: SafeText(outside: session.provider, columns: 24)
        }
    }

    /// That a stream has no provider.
    static func addPlain(_ session: SessionView, to fields: inout FieldLines) {
        guard ProviderSetting(rawValue: session.provider) == ProviderSetting.none else { return }
        fields.field("provider", "none", .textMuted)
    }

    /// What the session asks for. No answer lists which ads were prefetched.
    private static func line(_ prefetch: ProviderStatus.Prefetch) -> StyledLine {
        var line = StyledLine()
        for (label, value) in [("stream ", prefetch.stream), ("mode ", prefetch.mode)] as [(SafeText, String?)] {
            guard let value else { continue }
            if line.columns > 0 { line.space(2) }
            line.append(label + SafeText(outside: value, columns: 24), .text)
        }
        line.append("  asked for; ads do not show it", .textMuted)
        return line
    }

    /// What became of the newest ping, and where the next one is due. A ping that was not sent brings no next one.
    private static func line(_ ping: PingView) -> StyledLine {
        let word = ping.state.word
        let isBad = [StateWord.failed, .unknown, .notSent].contains(word)
        let result = ping.status.map { "\(word.rawValue) \($0)" } ?? word.rawValue
        var line = StyledLine.of("\(ping.cause)  \(result)", isBad ? .stateFailed : .text)
        if let reason = ping.reason { line.add(", \(reason.words.sentence)", .textMuted) }
        if let next = ping.next {
            line.add(", next beyond \(TimeText.span(next - StreamTime.zero))", .textMuted)
        } else if word == .observed {
            line.add(": pings begin when the session is armed", .textMuted)
        }
        return line
    }

    /// The name and the mode of a service that is known. Where there is little room its name is worth more, also more than the clock and
    /// the words beside a failure, unless the viewer is not the only one who may report: the mode then has the color of an error, and
    /// stays longer.
    static func item(_ context: ViewContext) -> FittedRow.Item {
        let session = context.snapshot.session
        guard let service = session.service, let mode = service.mode else { return .nothing }
        let isAlone = service.reporter == .viewer
        let role: Role = isAlone ? .header : .stateFailed
        let word = SafeText(outside: mode, columns: 16)
        let name = SafeText(outside: session.provider, columns: 24)
        return FittedRow.Item(
            [StyledLine(name + " " + word, role), StyledLine(isAlone ? name : word, role), StyledLine()],
            ranks: [5, isAlone ? 7 : 8])
    }

    private static func words(_ reporter: ProviderStatus.Reporter) -> SafeText {
        switch reporter {
        case .viewer: "the viewer reports"
        case .service: "the service reports: nothing is sent"
        case .both: "the service reports, the viewer the rest"
        }
    }

    /// When metadata is requested next, and why then.
    private static func nextPoll(_ service: ServiceView, _ context: ViewContext) -> StyledLine? {
        guard let next = service.next else { return nil }
        let health = context.snapshot.session.metadataHealth
        // A failing feed has the time of the next try in its own row.
        let hasOwnRow = health.state == .failing && health.nextAttemptAt != nil
        let reason = words(next.reason, service.interval)
        guard let at = next.at, !hasOwnRow else { return .of(reason, .textMuted) }
        return .of("next in \(TimeText.age(at.uptime - context.now.uptime)), \(reason)", .textMuted)
    }

    /// A reason as a clause that follows the time; docs/providers.md has the same.
    static func words(_ reason: PollReason, _ interval: Duration?) -> String {
        let every = interval.map { "every \(TimeText.span($0))" } ?? "at an interval"
        return switch reason {
        case .start: "the first request"
        case .interval: every
        case .target: "\(every), the target duration"
        case .service: "\(every), as the service asks"
        case .failure: "back-off after a failure"
        case .guess: "no metadata at the guessed address yet"
        case .retryAfter: "Retry-After of the server"
        case .playlist: "waits for a playlist"
        case .media: "the media has an ad that is not listed"
        case .token: "the token was rejected"
        case .method: "POST was rejected"
        case .renewal: "for a new session"
        case .complete: "none to come: the stream is complete"
        }
    }
}
