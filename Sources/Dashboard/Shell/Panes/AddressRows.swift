import HLS
import Ports
import Screen
import Session

/// The addresses of the session's feeds with the results of their last requests.
enum AddressRows {
    /// Draws a row for each feed that fails, as far as there are rows.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let session = context.snapshot.session
        var line = 0
        for (draw, health) in [(drawPlaylist, session.playlistHealth), (drawMetadata, session.metadataHealth)]
        where health.state == .failing && line < rect.height {
            draw(context, rect.row(line), &grid)
            line += 1
        }
    }

    /// Draws both feeds, whatever their state.
    static func drawAll(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        if rect.height > 0 { drawPlaylist(context, rect.row(0), &grid) }
        if rect.height > 1 { drawMetadata(context, rect.row(1), &grid) }
    }

    private static func drawPlaylist(_ context: ViewContext, _ rect: Rect, _ grid: inout Grid) {
        let session = context.snapshot.session
        row(
            "playlist ", url: playlistURL(context.snapshot), status: status(context, session.playlistHealth),
            note: context.sizeClass == .huge ? playlistNote(context) : nil, context, in: rect, on: &grid)
    }

    /// The address of the playlist; where one fails, that of the failed request.
    private static func playlistURL(_ snapshot: Snapshot) -> String {
        let playlist = snapshot.playlist
        if let failed = snapshot.session.playlistHealth.failedURL { return failed }
        // Snapshots from elsewhere do not have it: the variant that is followed now is the most likely one.
        let followed = playlist.variant.flatMap { variant in
            playlist.variants.first { $0.number == variant.number }
        }
        if snapshot.session.playlistHealth.state == .failing, let followed { return followed.url.text }
        return snapshot.session.manifestURL ?? snapshot.session.mediaURL
    }

    private static func drawMetadata(_ context: ViewContext, _ rect: Rect, _ grid: inout Grid) {
        let session = context.snapshot.session
        let ping = session.metadataHealth.isPing ? session.service?.ping?.url : nil
        row(
            ping == nil ? "metadata " : "ping     ", url: ping ?? session.metadataURL,
            status: status(context, session.metadataHealth),
            note: context.sizeClass == .huge ? pollNote(context) : nil, context, in: rect, on: &grid)
    }

    private static func row(
        _ label: SafeText, url: String?, status: StyledLine, note: StyledLine?, _ context: ViewContext, in rect: Rect,
        on grid: inout Grid
    ) {
        var left = StyledLine(label, .textMuted)
        if let url {
            left.append(StyledLine.url(context.url(url)))
        } else {
            left.append(context.snapshot.session.phase == .starting ? "not known yet" : "none", .textMuted)
        }
        var right = status
        if let note {
            right.space(3)
            right.append(note)
        }
        place(left, right, context, in: rect, on: &grid)
    }

    private static func place(
        _ left: StyledLine, _ right: StyledLine, _ context: ViewContext, in rect: Rect, on grid: inout Grid
    ) {
        let row = rect.inset(columns: 1, rows: 0)
        let right = right.truncatedTail(to: max(0, row.width * 2 / 3), context.glyphs)
        let room = row.width - right.columns - (right.columns > 0 ? 2 : 0)
        grid.put(left.truncatedMiddle(to: room, context.glyphs), at: row.origin, maxColumns: room)
        grid.put(right, at: Point(x: row.maxX - right.columns, y: row.y), maxColumns: right.columns)
    }

    /// `200   38ms   2.0s ago`, or the problem and the time of the next try.
    static func status(_ context: ViewContext, _ health: FeedHealth, withAge: Bool = true) -> StyledLine {
        var line = StyledLine()
        switch health.state {
        case .none: break
        case .waiting: line.append("waiting", .stateBusy)
        case .good:
            if let status = health.status { line.add("\(status)", Role.http(status)) }
            if health.version == .two { line.add(" HTTP/2", .textMuted) }
            if let took = health.took {
                line.space(withAge ? 2 : 1)
                line.append(SafeText(outside: TimeText.latency(took)).paddedStart(to: withAge ? 5 : 0), .textMuted)
            }
            if withAge, let good = health.lastGoodAt {
                line.add("  \(TimeText.age(context.now.uptime - good.uptime)) ago", .textMuted)
            }
        case .failing:
            line.append(context.glyphs.badge(.failed) + " ", .stateFailed)
            line.append(
                SafeText(
                    outside: context.prose(health.problem ?? health.status.map(String.init) ?? "failing"), columns: 48),
                .stateFailed)
            if health.consecutiveFailures > 1 { line.add(" \(health.consecutiveFailures.grouped)x", .stateFailed) }
            if let next = health.nextAttemptAt {
                line.add("  retry in \(TimeText.age(next.uptime - context.now.uptime))", .textMuted)
            }
        }
        return line
    }

    private static func playlistNote(_ context: ViewContext) -> StyledLine {
        let playlist = context.snapshot.playlist
        var line = StyledLine("playlist ", .textMuted)
        line.add(playlist.segmentCount.counted("segment"), .text)
        if let target = playlist.targetDuration {
            line.append("  target ", .textMuted)
            line.add(TimeText.span(target), .text)
        }
        return line
    }

    private static func pollNote(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("polls ", .textMuted)
        line.add(context.snapshot.counters.metadataPolls.grouped, .text)
        if let next = context.snapshot.session.metadataHealth.nextAttemptAt {
            line.append("  next ", .textMuted)
            line.add(TimeText.age(next.uptime - context.now.uptime), .text)
        }
        return line
    }
}

extension Role {
    /// The role of an HTTP status by its class.
    static func http(_ status: Int) -> Role {
        switch status {
        case 200..<300: .http2xx
        case 300..<400: .http3xx
        case 400..<500: .http4xx
        case 500..<600: .http5xx
        default: .text
        }
    }
}
