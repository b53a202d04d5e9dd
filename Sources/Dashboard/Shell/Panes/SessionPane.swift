import AdTracking
import HLS
import Ports
import Screen
import Session

/// Session and playback: every address, the reach of the metadata, the playhead, the findings.
enum SessionPane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isFocused = context.focus == .session
        let isBoxed = context.isBoxed
        let frame = PaneFrame(
            title: ScrollLines.title("[5] Session", pane: .session, context),
            status: [StyledLine(ServiceLines.name(context.snapshot.session), .paneCount)],
            isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        let all = lines(context, width: content.width - 2)
        ScrollLines.draw(all, pane: .session, context, in: content, on: &grid)
        let viewport = Viewport(
            count: all.count, height: content.height, offset: context.scrolls.offsets[.session] ?? 0)
        frame.position(viewport, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// All lines at that width.
    static func lines(_ context: ViewContext, width: Int) -> [StyledLine] {
        // Whole addresses only where enough room is left for the rest.
        var fields = FieldLines(
            width: width, wraps: context.wrapsDetail && width >= wholeAddresses, context.glyphs)
        playback(context, to: &fields)
        fields.blank()
        addresses(context, to: &fields)
        fields.blank()
        playlist(context, to: &fields)
        interstitials(context, to: &fields)
        problems(context, to: &fields)
        return fields.lines
    }

    private static func playback(_ context: ViewContext, to fields: inout FieldLines) {
        let snapshot = context.snapshot
        let playhead = context.playhead
        var position = StyledLine()
        if let date = context.mediaDate {
            position.add(TimeText.date(date), .text)
        } else if let stream = playhead.stream {
            position.add("+" + TimeText.span(stream - .zero), .text)
        } else {
            position.append("not joined yet", .textMuted)
        }
        fields.field("playhead", position)
        var state = StyledLine.of(playhead.state.rawValue, playhead.state == .stalled ? .stateFailed : .text)
        state.add("  " + TimeText.rate(playhead.rate), .textMuted)
        if playhead.isMuted { state.append("  muted", .stateRetry) }
        fields.field("state", state)
        if let latency = playhead.latency, !context.hasStopped {
            var line =
                latency < .zero
                ? StyledLine("dates are ahead of the clock", .text) : StyledLine.of(TimeText.span(latency), .text)
            if let edge = playhead.behindEdge { line.add("  edge \(TimeText.span(edge))", .textMuted) }
            if let drift = playhead.drift { line.add("  drift \(TimeText.deviation(drift))", .textMuted) }
            fields.field("latency", line)
        }
        if snapshot.playsNoMore {
            fields.field("next", "nothing plays any more" as SafeText)
        } else if let wait = snapshot.timeToNextBreak(at: context.now) {
            fields.field("next", "break in \(TimeText.age(wait))")
        } else {
            fields.field("next", "no known break" as SafeText, .textMuted)
        }
        coverage(context, to: &fields)
    }

    /// The ranges that the metadata describes and that were played.
    private static func coverage(_ context: ViewContext, to fields: inout FieldLines) {
        let snapshot = context.snapshot
        if let range = snapshot.dataRange {
            fields.field("data", "\(TimeText.tenths(range.lowerBound)) - \(TimeText.tenths(range.upperBound))")
            let ahead = context.mediaDate.map { range.upperBound - $0 } ?? snapshot.coverageAhead
            if let ahead {
                let reach =
                    ahead < .zero ? "\(TimeText.span(.zero - ahead)) behind" : "\(TimeText.span(ahead)) ahead of"
                fields.field("coverage", "\(reach) the playhead", ahead < .zero ? .stateFailed : .text)
            }
        }
        if let played = snapshot.playedRanges.last {
            let total = snapshot.playedRanges.reduce(Duration.zero) { $0 + ($1.upperBound - $1.lowerBound) }
            var line = StyledLine.of("since \(TimeText.tenths(played.lowerBound))", .text)
            line.add("  \(TimeText.coarse(total)) in \(snapshot.playedRanges.count.counted("range"))", .textMuted)
            fields.field("played", line)
        }
    }

    private static func whyNotSent(_ session: SessionView) -> SafeText {
        if session.isHeldElsewhere { return ": another adtop has this session open" }
        return session.lacksJournal ? ": the journal cannot be written" : ""
    }

    private static func addresses(_ context: ViewContext, to fields: inout FieldLines) {
        let session = context.snapshot.session
        func address(_ label: SafeText, _ url: String?) {
            guard let url else { return fields.field(label, "none" as SafeText, .textMuted) }
            fields.address(label, StyledLine.url(context.url(url)))
        }
        address("media", session.mediaURL)
        address("manifest", session.manifestURL)
        address("metadata", session.metadataURL)
        var line = StyledLine.of(
            session.phase.rawValue, session.phase == .failing || session.phase == .over ? .stateFailed : .text)
        if let path = session.initPath.flatMap(SessionAddresses.Path.init) { line.add("  \(path.words)", .textMuted) }
        if session.renewals > 0 { line.add("  renewed \(session.renewals)×", .textMuted) }
        if let id = session.sessionID, !context.settings.redactsURLs {
            line.append("  id " + SafeText(outside: id, columns: 48), .textMuted)
        }
        fields.field("session", line)
        fields.field(
            "beacons",
            session.mode == .fire
                ? "sent (" + FireWord.word(isLocal: session.sendsToLoopbackOnly) + ")"
                : "not sent (OBSERVE)" + whyNotSent(session),
            session.mode == .fire ? .headerArmed : .headerObserve)
        for (label, health) in [
            ("playlist", session.playlistHealth),
            (session.metadataHealth.isPing ? "pings" : "polls", session.metadataHealth),
        ] as [(SafeText, FeedHealth)] where health.state != .none {
            fields.field(label, AddressRows.status(context, health))
        }
        if let service = session.service {
            ServiceLines.add(service, context, to: &fields)
        } else {
            ServiceLines.addPlain(session, to: &fields)
        }
        for (index, addition) in session.additions.enumerated() {
            var line = StyledLine(SafeText(outside: addition.text), .text)
            line.append("  " + SafeText(outside: addition.place), .textMuted)
            fields.field(index == 0 ? "adds" : "", line)
        }
    }

    private static func playlist(_ context: ViewContext, to fields: inout FieldLines) {
        let playlist = context.snapshot.playlist
        guard playlist.kind != .clock else { return clock(context, to: &fields) }
        var line = StyledLine.of(playlist.kind.rawValue, .text)
        line.add("  \(playlist.segmentCount.counted("segment"))", .text)
        if let target = playlist.targetDuration { line.add("  target \(TimeText.span(target))", .textMuted) }
        fields.field("stream", line)
        var variant = StyledLine()
        if let bandwidth = playlist.bandwidth {
            variant.add("\(Int(clamping: bandwidth / 1_000).grouped) kbit/s", .text)
        }
        if playlist.variantCount > 1 { variant.add("  of \(playlist.variantCount) variants", .textMuted) }
        if let followed = playlist.variant { add(followed, to: &variant) }
        if variant.columns > 0 { fields.field("variant", variant) }
        if playlist.delivery != DeliveryView() { fields.field("delivery", delivery(playlist.delivery)) }
        if let start = playlist.windowStartDate, let end = playlist.windowEndDate {
            fields.field(
                "window", "\(TimeText.tenths(start)) - \(TimeText.tenths(end))  \(TimeText.coarse(end - start))")
        } else if let start = playlist.windowStart, let end = playlist.windowEnd {
            fields.field("window", TimeText.coarse(end - start))
        }
        var counts = StyledLine.of("\(playlist.reloads.counted("reload"))", .textMuted)
        counts.add(
            "  \(playlist.discontinuities == 1 ? "1 discontinuity" : "\(playlist.discontinuities) discontinuities")",
            .textMuted)
        if let hold = playlist.holdBack { counts.add("  hold-back \(TimeText.span(hold))", .textMuted) }
        fields.field("", counts)
    }

    /// Where the time of an attached session comes from.
    private static func clock(_ context: ViewContext, to fields: inout FieldLines) {
        var line = StyledLine("no playlist: the time is that of the wall clock", .text)
        if let latency = context.playhead.latency, latency.magnitude >= .milliseconds(100) {
            line.add("  media is \(TimeText.apart(latency)) \(latency > .zero ? "behind" : "ahead")", .textMuted)
        }
        fields.field("stream", line)
    }

    private static func add(_ variant: VariantView, to line: inout StyledLine) {
        if let resolution = variant.resolution { line.append("  " + SafeText(outside: resolution, columns: 16), .text) }
        if let pathway = variant.pathway {
            line.append("  path " + SafeText(outside: pathway, columns: 16), .textMuted)
        }
        if variant.redundantCount > 0 { line.add("  \(variant.redundantCount.counted("backup variant"))", .textMuted) }
        if variant.wish != .best {
            line.append("  chosen by " + SafeText(outside: variant.wish.shown, columns: 24), .textMuted)
        }
        if variant.hasSteppedDown {
            line.append("  replaces a rejected variant", .stateRetry)
        } else if variant.isFallback {
            line.append("  replaces a failed variant", .stateRetry)
        }
    }

    /// How the playlist is requested: the parts of low latency.
    private static func delivery(_ view: DeliveryView) -> StyledLine {
        var line = StyledLine(
            view.isLowLatency ? "low latency" : "whole segments", view.isLowLatency ? .stateDone : .text)
        if view.isBlocking { line.append("  blocking reloads", .text) }
        if let part = view.partTarget { line.add("  parts \(TimeText.latency(part))", .textMuted) }
        if view.trailingParts > 0 { line.add("  \(view.trailingParts.counted("part")) at the edge", .textMuted) }
        if view.deltaUpdates > 0 { line.add("  \(view.deltaUpdates.counted("delta update"))", .textMuted) }
        return line
    }

    private static func interstitials(_ context: ViewContext, to fields: inout FieldLines) {
        let all = context.snapshot.interstitials
        guard !all.isEmpty || context.snapshot.lastInterstitial != nil else { return }
        fields.blank()
        if let last = context.snapshot.lastInterstitial { add(last, to: &fields) }
        for item in all.suffix(shownInterstitials).reversed() {
            var line = StyledLine(SafeText(outside: item.id, columns: 24), .text)
            if let start = item.start { line.add("  \(TimeText.tenths(start))", .text) }
            if let duration = item.duration { line.add("  \(TimeText.span(duration))", .textMuted) }
            if let count = item.assetCount { line.add("  \(count.counted("asset"))", .textMuted) }
            line.add("  \(item.state.rawValue)", item.problem == nil ? .text : .stateFailed)
            fields.field("interst.", line)
            var times = StyledLine()
            if let started = item.startedAt { times.add("started \(TimeText.tenths(started))", .textMuted) }
            if let stopped = item.stoppedAt { times.add("  stopped \(TimeText.tenths(stopped))", .textMuted) }
            if let problem = item.problem { times.add("  " + context.prose(problem), .stateFailed) }
            if times.columns > 0 { fields.field("", times) }
        }
    }

    /// Date, start, stop and duration as the reference library reports them (TRK-22).
    private static func add(_ last: LastInterstitialView, to fields: inout FieldLines) {
        var line = StyledLine(SafeText(outside: last.id, columns: 24), .text)
        line.add("  date \(TimeText.tenths(last.date))", .text)
        if let duration = last.duration { line.add("  duration \(TimeText.span(duration))", .text) }
        fields.field("last int.", line)
        var shown = StyledLine.of("start \(TimeText.tenths(last.start))", .textMuted)
        if let stop = last.stop {
            shown.add("  stop \(TimeText.tenths(stop))", .textMuted)
        } else {
            shown.append("  playing", .stateBusy)
        }
        fields.field("", shown)
    }

    private static func problems(_ context: ViewContext, to fields: inout FieldLines) {
        let snapshot = context.snapshot
        let errors = ErrorKind.allCases.compactMap { snapshot.errors.byKind[$0] }
        if !errors.isEmpty { fields.blank() }
        for error in errors {
            var line = StyledLine.of(TimeText.clock(error.at.wall) + "Z ", .logTime)
            line.append(SafeText(outside: context.prose(error.message)), .stateFailed)
            fields.field(SafeText(outside: error.kind.rawValue), line)
        }
        guard !snapshot.findings.isEmpty else { return }
        fields.blank()
        let key = context.key(.paneFindings)
        var head = StyledLine("findings", .paneTitle)
        if !key.isEmpty { head.add("   \(key) shows places and what to do", .textMuted) }
        fields.add(head)
        // One line for each rule; the findings view has their places.
        for group in FindingGroup.all(of: snapshot.findings).prefix(shownFindings) {
            var line = StyledLine(group.severity.letter + " ", group.severity.role)
            line.append(SafeText(outside: group.rule, columns: 32), group.severity.role)
            if group.count > 1 { line.add(" \(group.count.grouped)x", .textMuted) }
            line.space(2)
            line.append(SafeText(outside: context.prose(group.newest?.finding.message ?? "")), .text)
            for part in context.wrapsDetail ? line.wrapped(columns: fields.width) : [line] { fields.add(part) }
        }
    }

    private static let wholeAddresses = 48
    private static let shownInterstitials = 5
    private static let shownFindings = 50
}
