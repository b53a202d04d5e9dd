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
        var line = StyledLine(SafeText(outside: context.snapshot.session.provider, columns: 24), .text)
        if let mode = service.mode { line.append("  " + SafeText(outside: mode, columns: 16), .text) }
        line.append("  " + words(service.reporter), service.reporter == .viewer ? .textMuted : .stateFailed)
        fields.field("provider", line)
        if let ping = service.ping { fields.field("ping", Self.line(ping)) }
        guard let since = service.tokenSince else { return }
        fields.field(
            "page", "continues at a token listed \(TimeText.age(context.now.uptime - since.uptime)) ago", .textMuted)
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

    /// The name and the mode where a service has several ways to report; in the color of an error where the viewer is not the
    /// only one who may report.
    static func item(_ context: ViewContext) -> FittedRow.Item {
        let session = context.snapshot.session
        guard let service = session.service, let mode = service.mode else { return .nothing }
        let role: Role = service.reporter == .viewer ? .header : .stateFailed
        let word = SafeText(outside: mode, columns: 16)
        let name = SafeText(outside: session.provider, columns: 24)
        return FittedRow.Item(
            [StyledLine(name + " " + word, role), StyledLine(word, role), StyledLine()], ranks: [3, 5])
    }

    private static func words(_ reporter: ProviderStatus.Reporter) -> SafeText {
        switch reporter {
        case .viewer: "the viewer reports"
        case .service: "the service reports: nothing is sent"
        case .both: "the service reports, the viewer the rest"
        }
    }

    private static func nextPoll(_ service: ServiceView, _ context: ViewContext) -> StyledLine? {
        let snapshot = context.snapshot
        // A failing feed has the time of the next try in its own row.
        guard snapshot.session.metadataHealth.state != .failing, ![.ended, .over].contains(snapshot.session.phase)
        else { return nil }
        guard let next = snapshot.session.metadataHealth.nextAttemptAt else {
            let isWhole = snapshot.playlist.hasEnded && snapshot.session.metadataHealth.state == .good
            return isWhole ? StyledLine("none to come: the stream is complete", .textMuted) : nil
        }
        var line = StyledLine.of("next in \(TimeText.age(next.uptime - context.now.uptime))", .textMuted)
        if let interval = service.interval { line.add(", every \(TimeText.span(interval))", .textMuted) }
        return line
    }
}
