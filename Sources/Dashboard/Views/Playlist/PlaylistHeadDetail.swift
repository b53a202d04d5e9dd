import HLS
import Ports
import Screen
import Session

/// The tags of the whole playlist, and how it is followed.
enum PlaylistHeadDetail {
    /// Adds the lines.
    static func add(
        _ playlist: MediaPlaylist, _ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        guard let detail = model.detail else { return }
        fields.address("uri", StyledLine.url(context.url(detail.text.url)))
        var answer = StyledLine.of("\(TimeText.bytes(detail.text.bytes.count))", .text)
        answer.add(
            "   read \(TimeText.clock(detail.text.readAt.wall))Z, text \(detail.text.number)", .textMuted)
        if detail.text.isDelta { answer.append("   a delta update", .text) }
        fields.field("answer", answer)
        fields.field("kind", kind(playlist, context))
        fields.field(
            "segments",
            "\(playlist.segments.count.grouped)   media sequence \(playlist.mediaSequence)   "
                + "discontinuity sequence \(playlist.discontinuitySequence)")
        if let window = detail.timeline.window { fields.field("window", self.window(window)) }
        control(playlist, detail.timeline, to: &fields)
        if let start = playlist.start {
            fields.field("start", "\(TimeText.span(start.timeOffset))\(start.isPrecise ? ", precise" : "")")
        }
        for (name, value) in playlist.definitions.sorted(by: { $0.key < $1.key }).prefix(shownVariables) {
            fields.field("variable", "\(name) = \(shown(value, of: name, context))", .textMuted)
        }
        breaks(model.breaks, to: &fields)
        guard let first = playlist.segments.first?.line, first > 1 else { return }
        let end = model.lines.tagsStart(before: first) - 1
        if end >= 1 { PlaylistItemDetail.addRaw(1...end, model, context, to: &fields) }
    }

    private static let shownVariables = 20
    private static let shownBreaks = 10

    /// A variable may be taken from a parameter of the playlist's address, and is as secret as that.
    private static func shown(_ value: String, of name: String, _ context: ViewContext) -> String {
        let parameter = "?\(name)=\(value)"
        return context.url(parameter) == parameter ? context.url(value) : Redaction.mask
    }

    private static func kind(_ playlist: MediaPlaylist, _ context: ViewContext) -> StyledLine {
        var line = StyledLine.of(context.snapshot.playlist.kind.rawValue, .text)
        if let type = playlist.playlistType { line.add("   type \(type.rawValue)", .textMuted) }
        line.add("   version \(playlist.version ?? 1)", .textMuted)
        if playlist.isIFramesOnly { line.append("   I-frames only", .text) }
        if playlist.hasIndependentSegments { line.append("   independent segments", .textMuted) }
        if playlist.hasEndList { line.append("   ended", .stateOff) }
        return line
    }

    private static func window(_ window: TimelineWindow) -> StyledLine {
        var line = StyledLine.of(TimeText.span(window.duration), .text)
        if let start = window.startDate, let end = window.endDate {
            line.add("   \(TimeText.tenths(start)) - \(TimeText.tenths(end))", .textMuted)
        }
        return line
    }

    private static func control(_ playlist: MediaPlaylist, _ timeline: Timeline, to fields: inout FieldLines) {
        var target = StyledLine()
        if let duration = playlist.targetDuration {
            target.add(TimeText.span(duration), .text)
        } else {
            target.append("not stated", .stateFailed)
        }
        if let part = playlist.partTarget { target.add("   parts \(TimeText.latency(part))", .text) }
        fields.field("target", target)
        if let hold = timeline.holdBack {
            let isStated = playlist.serverControl?.holdBack != nil || timeline.isLowLatency
            fields.field("hold-back", "\(TimeText.span(hold))\(isStated ? "" : " (three target durations)")")
        }
        guard let control = playlist.serverControl else { return }
        var can: [String] = []
        if control.canBlockReload { can.append("block reloads") }
        if let span = control.canSkipUntil { can.append("skip segments older than \(TimeText.span(span))") }
        if control.canSkipDateRanges { can.append("skip date ranges") }
        if let hold = control.partHoldBack { can.append("part hold-back \(TimeText.span(hold))") }
        fields.field("server", can.isEmpty ? "no delivery directives" : can.joined(separator: ", "))
    }

    private static func breaks(_ breaks: [AdBreakMarker], to fields: inout FieldLines) {
        guard !breaks.isEmpty else { return }
        fields.blank()
        for marker in breaks.suffix(shownBreaks) {
            var line = StyledLine.of("by \(marker.source.rawValue)", .text)
            if let start = marker.start { line.add("  \(TimeText.tenths(start))", .text) }
            if let end = marker.end {
                line.add(" - \(TimeText.tenths(end))", .text)
            } else {
                line.append("  open", .stateBusy)
            }
            if let planned = marker.plannedDuration { line.add("  planned \(TimeText.span(planned))", .textMuted) }
            if marker.isJoinedMid { line.append("  began before the window", .textMuted) }
            if let id = marker.id { line.append("  " + SafeText(outside: id, columns: 32), .textMuted) }
            fields.field("ad break", line)
        }
    }
}
