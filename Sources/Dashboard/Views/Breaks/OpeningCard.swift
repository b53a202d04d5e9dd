import Ports
import Screen
import Session

/// What is shown in place of the breaks while the stream is not open: each request with its answer, what that means, and what to do.
enum OpeningCard {
    /// The lines at a width in columns. Where they are more than `height`, the empty ones go first.
    static func lines(
        _ opening: OpeningView, _ context: ViewContext, width: Int, height: Int = .max
    ) -> [StyledLine] {
        let keys = keys(opening, context)
        var lines = body(opening, context, width: width) + (keys.columns > 0 ? [StyledLine(), keys.line] : [])
        while lines.count > height, let last = lines.lastIndex(where: { $0.columns == 0 }) { lines.remove(at: last) }
        return lines
    }

    /// What the key under a point does, in the card that is drawn in `content`; nil beside the keys.
    static func press(
        at point: Point, _ opening: OpeningView, _ context: ViewContext, in content: Rect
    ) -> HintPress? {
        let area = content.inset(columns: 1, rows: 0)
        let lines = lines(opening, context, width: area.width, height: area.height)
        guard lines.count <= area.height else { return nil }
        return keys(opening, context).press(at: point, in: area.row(lines.count - 1))
    }

    /// `r try now  y copy as curl  u :open URL`; none in a recording, whose session is over.
    private static func keys(_ opening: OpeningView, _ context: ViewContext) -> HintRow {
        guard context.snapshot.replay == nil, !opening.requests.isEmpty else { return HintRow() }
        var hints: [(Action, SafeText)] = opening.nextAttemptAt == nil ? [] : [(.retry, "try now")]
        hints.append((.copyURL, "copy as curl"))
        if context.settings.opensStreams { hints.append((.openURL, ":open URL")) }
        return KeyHints.row(hints, context, gap: 2)
    }

    private static func body(_ opening: OpeningView, _ context: ViewContext, width: Int) -> [StyledLine] {
        let snapshot = context.snapshot
        var lines = [title(opening, at: context.now.uptime), .url(context.url(snapshot.session.mediaURL))]
        lines += opening.requests.map { row($0, context) }
        guard let problem = opening.problem else {
            // Answers that are playlists or documents, of which a part cannot be used.
            let why = snapshot.errors.latest.map { StyledLine.of(context.prose($0.message), .stateFailed) }
            return lines + (why?.wrapped(columns: width) ?? [])
        }
        lines.append(StyledLine())
        // A row has only the start of a long reason.
        let reason = opening.requests.last { $0.answer?.failure != nil }?.answer?.failure?.message
        if let reason, reason.count > reasonColumns {
            lines += StyledLine.of(context.prose(sentence(reason)), .stateFailed).wrapped(columns: width)
        }
        return lines + StyledLine.of(context.prose(opening.advice ?? problem.advice), .text).wrapped(columns: width)
    }

    /// Columns of a reason in its row.
    private static let reasonColumns = 60

    /// A clause as a sentence.
    private static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    /// `Cannot open this stream   try 4, next in 3s`
    private static func title(_ opening: OpeningView, at now: Duration) -> StyledLine {
        guard opening.problem != nil else { return StyledLine("Opening the stream", .paneTitle) }
        var line = StyledLine("Cannot open this stream", .stateFailed)
        let tries = opening.requests.map(\.tries).max() ?? 0
        line.add("   try \(tries)", .textMuted)
        if let next = opening.nextAttemptAt {
            line.add(", next in \(TimeText.coarse(max(.zero, next.uptime - now)))", .textMuted)
        }
        return line
    }

    /// `  GET  session    404 Not Found   2ms`
    private static func row(
        _ request: OpeningView.Request, _ context: ViewContext
    ) -> StyledLine {
        var line = StyledLine.of("  \(request.method.rawValue)", .text)
        line.pad(to: 7)
        line.append(request.isPlaylist ? "playlist" : "session", .text)
        line.pad(to: 18)
        guard let answer = request.answer else {
            let waiting = TimeText.coarse(max(.zero, context.now.uptime - request.askedAt.uptime))
            let limit = request.limit.map { " of \(TimeText.coarse($0))" } ?? ""
            line.add("no answer yet, \(waiting)\(limit)", .textMuted)
            return line
        }
        if let failure = answer.failure {
            line.append(SafeText(outside: context.prose(failure.message), columns: reasonColumns), .stateFailed)
        } else if let status = answer.status {
            line.add("\(status) \(StatusPhrase.of(status))", Role.http(status))
            if (200..<300).contains(status), let type = answer.contentType {
                line.append("  " + SafeText(outside: type, columns: 32), .textMuted)
            }
        }
        line.add("   \(TimeText.latency(answer.took))", .textMuted)
        return line
    }
}
