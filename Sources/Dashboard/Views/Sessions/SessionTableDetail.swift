import Ports
import Screen
import Session

/// The selected session beyond its row: its address, the state of its feeds, its problem.
enum SessionTableDetail {
    /// The lines, wrapped where there are rows for it; else cut to the columns, the address in its middle.
    static func rows(_ row: SessionTableModel.Row, _ context: ViewContext, in size: Size) -> [HintRow] {
        TableDetail.rows(fields(row, context), context, in: size, address: 0)
    }

    /// The lines, the address whole.
    static func lines(_ row: SessionTableModel.Row, _ context: ViewContext) -> [StyledLine] {
        fields(row, context).map(TableDetail.labelled)
    }

    private static func fields(
        _ row: SessionTableModel.Row, _ context: ViewContext
    ) -> [TableDetail.Field] {
        let health = row.health
        let address = StyledLine.url(context.url(health.mediaURL))
        var feeds = feed(health.playlist, context)
        if health.metadata.state != .none {
            feeds.append("   metadata ", .textMuted)
            feeds.append(feed(health.metadata, context))
        }
        var problem = StyledLine()
        if row.why.isEmpty {
            problem.append("nothing is wrong", .textMuted)
        } else {
            if row.verdict.urgency == .failed, let at = health.recent.failure?.at {
                problem.add("\(TimeText.clock(at.wall))Z ", .textMuted)
            }
            problem.add(context.prose(row.why), row.role ?? .text)
            if case .findings? = row.verdict.problems.first, let worst = health.worstFinding {
                problem.add(": \(context.prose(worst.finding.message))", .text)
            }
        }
        return [("url", address), ("playlist", feeds), ("why", problem)]
    }

    /// `200 38ms 2s ago`
    private static func feed(_ feed: FeedHealth, _ context: ViewContext) -> StyledLine {
        var line = StyledLine()
        if let status = feed.status { line.add("\(status)", feed.state == .failing ? .stateFailed : .http2xx) }
        if let took = feed.took { line.add(" " + TimeText.latency(took)) }
        if let good = feed.lastGoodAt {
            line.add(" \(TimeText.coarse(max(.zero, context.now.uptime - good.uptime))) ago", .textMuted)
        }
        if feed.consecutiveFailures > 0 {
            line.add(" \(feed.consecutiveFailures.counted("failure")) in a row", .stateFailed)
        }
        return line.columns > 0 ? line : StyledLine("not read yet", .textMuted)
    }
}
