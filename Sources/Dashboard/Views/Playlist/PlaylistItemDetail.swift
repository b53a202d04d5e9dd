import HLS
import Ports
import Rules
import Screen
import Session

/// Everything in the playlist about the selected row: whole addresses, the tags as received, decoded messages, findings
/// in full.
enum PlaylistItemDetail {
    /// The title of the detail pane for the row.
    static func title(_ row: PlaylistModel.Row?) -> SafeText {
        switch row {
        case .head, nil: "[2] Playlist"
        case .finding: "[2] Finding"
        case .segment: "[2] Segment"
        case .part: "[2] Part"
        case .cue: "[2] Marker"
        case .dateRange: "[2] Date range"
        case .hint: "[2] Preload hint"
        case .report: "[2] Rendition report"
        }
    }

    /// Adds the lines of the selected row.
    static func add(_ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines) {
        guard let row = model.selected, let playlist = model.playlist else {
            return fields.add(StyledLine("no media playlist read yet", .textMuted))
        }
        switch row {
        case .head: PlaylistHeadDetail.add(playlist, model, context, to: &fields)
        case .finding(let index): add(model.findings[index], model, context, to: &fields)
        case .segment(let index): add(playlist, segment: index, model, context, to: &fields)
        case .part(let index, let part):
            add((index.map { playlist.segments[$0].parts } ?? playlist.trailingParts)[part], context, to: &fields)
        case .cue(let index): MarkerDetail.add(playlist.cuePoints[index], model, context, to: &fields)
        case .dateRange(let index): MarkerDetail.add(playlist.dateRanges[index], playlist, model, context, to: &fields)
        case .hint(let index): add(playlist.preloadHints[index], context, to: &fields)
        case .report(let index): add(playlist.renditionReports[index], context, to: &fields)
        }
    }

    /// A finding with its sentence and the section of its rule.
    static func add(_ finding: Finding, _ context: ViewContext, to fields: inout FieldLines) {
        var line = StyledLine(finding.severity.letter + " ", finding.severity.role)
        line.append(SafeText(outside: finding.rule, columns: 48), finding.severity.role)
        if let number = finding.line { line.add("  line \(number)", .textMuted) }
        fields.field("finding", line)
        fields.field("", .of(context.prose(finding.message), .text))
        var clause = StyledLine.of(finding.section ?? "", .textMuted)
        if RuleLibrary.builtIn[finding.rule] != nil, !context.key(.help).isEmpty {
            if clause.columns > 0 { clause.space(3) }
            clause.add("\(context.key(.help)) explains it", .textMuted)
        }
        if clause.columns > 0 { fields.field("", clause) }
    }

    /// Lines of the text as received, at most `limit` of them.
    static func addRaw(
        _ range: ClosedRange<Int>, _ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        let lines = range.prefix(rawLines).compactMap { number in
            model.lines[number].map { (number, $0) }
        }.filter { !$0.1.isEmpty }
        guard !lines.isEmpty else { return }
        fields.blank()
        for (number, text) in lines {
            let shown = context.settings.redactsURLs ? RawTag.redacted(text) : text
            fields.field(
                SafeText(outside: "\(number)"), StyledLine(SafeText(outside: shown, columns: rawColumns), .textMuted))
        }
    }

    private static let rawLines = 64
    private static let rawColumns = 4_096

    private static func add(
        _ playlist: MediaPlaylist, segment index: Int, _ model: PlaylistModel, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        let segment = playlist.segments[index]
        fields.address("uri", StyledLine.url(context.url(segment.uri)))
        var facts = StyledLine.of("\(segment.sequence)", .text)
        facts.add("   length \(TimeText.exact(segment.duration))", .text)
        facts.add("   discontinuity sequence \(segment.discontinuitySequence)", .textMuted)
        fields.field("segment", facts)
        if let date = segment.date {
            var line = StyledLine.of(TimeText.date(date), .text)
            line.append(
                segment.dateSource == .explicit
                    ? "   tagged"
                    : segment.dateSource == .forward ? "   from the previous segment" : "   from the next segment",
                .textMuted)
            fields.field("date", line)
        }
        if let placed = model.detail?.timeline.segment(sequence: segment.sequence) {
            fields.field("start", "+\(TimeText.exact(placed.start - .zero)) on the stream clock", .textMuted)
        }
        traits(segment, after: index > 0 ? playlist.segments[index - 1] : nil, context, to: &fields)
        for finding in model.flags[index] ?? [] {
            fields.blank()
            add(finding, context, to: &fields)
        }
        guard let text = model.detail?.text else { return }
        guard segment.sequence >= text.firstSequence else {
            fields.blank()
            return fields.add(StyledLine("its tags are in an older text: this one is a delta update", .textMuted))
        }
        addRaw(model.lines.tagsStart(before: segment.line)...segment.line, model, context, to: &fields)
    }

    private static func traits(
        _ segment: MediaSegment, after before: MediaSegment?, _ context: ViewContext, to fields: inout FieldLines
    ) {
        if let title = segment.title { fields.field("title", title) }
        if segment.isDiscontinuity { fields.field("", "after a discontinuity" as SafeText, .stateRetry) }
        if segment.isGap { fields.field("", "a gap: it must not be loaded" as SafeText, .stateFailed) }
        if let range = segment.byteRange { fields.field("bytes", bytes(range)) }
        if let map = segment.map {
            let isNew = before.map { $0.map != map } ?? false
            fields.address(isNew ? "new map" : "map", StyledLine.url(context.url(map.uri)))
            if let range = map.byteRange { fields.field("", bytes(range), .textMuted) }
        }
        for key in segment.keys {
            fields.field("key", "\(key.method)  \(key.keyFormat)")
            if let uri = key.uri { fields.address("", StyledLine.url(context.url(uri))) }
        }
        if let bitrate = segment.bitrate { fields.field("bitrate", "\(bitrate.grouped) kbit/s") }
        if !segment.parts.isEmpty { fields.field("parts", segment.parts.count.grouped) }
    }

    private static func bytes(_ range: ByteRange) -> String { "\(range.length) from \(range.offset)" }

    private static func add(
        _ rule: RuleFindings, _ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        add(rule.finding, context, to: &fields)
        var seen = StyledLine.of(
            rule.countInText > 0 ? "\(rule.countInText)x in this text" : "not in this text: seen across reloads", .text)
        if let view = rule.seen {
            seen.add(
                "   \(view.count.grouped)x in total, \(TimeText.clock(view.first.wall)) to \(TimeText.clock(view.last.wall))",
                .textMuted)
        }
        fields.field("seen", seen)
        guard rule.countInText > 0, let line = rule.finding.line, line > 0 else { return }
        addRaw(line...line, model, context, to: &fields)
    }

    private static func add(_ part: PartialSegment, _ context: ViewContext, to fields: inout FieldLines) {
        fields.address("uri", StyledLine.url(context.url(part.uri)))
        fields.field("part", "\(part.index) of segment \(part.sequence)   length \(TimeText.exact(part.duration))")
        if part.isIndependent { fields.field("", "starts with an independent frame" as SafeText, .textMuted) }
        if part.isGap { fields.field("", "a gap: it must not be loaded" as SafeText, .stateFailed) }
        if let range = part.byteRange { fields.field("bytes", bytes(range)) }
    }

    private static func add(_ hint: PreloadHint, _ context: ViewContext, to fields: inout FieldLines) {
        fields.address("uri", StyledLine.url(context.url(hint.uri)))
        fields.field(
            "next", hint.kind == .part ? "a part that does not exist yet" : "a map that does not exist yet" as SafeText)
        if hint.byteRangeStart > 0 || hint.byteRangeLength != nil {
            let length = hint.byteRangeLength.map { "\($0)" } ?? "all"
            fields.field("bytes", "\(length) from \(hint.byteRangeStart)")
        }
    }

    private static func add(_ report: RenditionReport, _ context: ViewContext, to fields: inout FieldLines) {
        fields.address("uri", StyledLine.url(context.url(report.uri)))
        fields.field("last", report.lastSequence.map { "segment \($0)" } ?? "same segment as here")
        if let part = report.lastPart { fields.field("", "part \(part)") }
    }
}
