import HLS
import Ports
import Screen
import Session

/// One row of the playlist. Columns of a segment from left to right: playhead, media sequence number, date, duration,
/// its special properties, the end of its URI; columns that do not fit are dropped from the right.
struct PlaylistRowLine {
    private let model: PlaylistModel
    private let context: ViewContext
    private let width: Int
    private let hasPlayhead: Bool

    /// A row of that many columns.
    init(_ model: PlaylistModel, _ context: ViewContext, width: Int, hasPlayhead: Bool) {
        self.model = model
        self.context = context
        self.width = width
        self.hasPlayhead = hasPlayhead
    }

    /// Draws the row.
    func draw(_ row: PlaylistModel.Row, at point: Point, on grid: inout Grid) {
        guard width > 0, let playlist = model.playlist else { return }
        let line: StyledLine
        switch row {
        case .head: line = head(playlist)
        case .finding(let index): line = model.findings[index].line(context)
        case .segment(let index): line = segment(playlist, index)
        case .part(let index, let part):
            line = self.part((index.map { playlist.segments[$0].parts } ?? playlist.trailingParts)[part])
        case .cue(let index): line = cue(playlist.cuePoints[index])
        case .dateRange(let index): line = dateRange(playlist.dateRanges[index])
        case .hint(let index): line = hint(playlist.preloadHints[index])
        case .report(let index): line = report(playlist.renditionReports[index])
        }
        grid.put(line.truncatedTail(to: width, context.glyphs), at: point, maxColumns: width)
    }

    /// Columns before the marker of a segment: the playhead's and the number's.
    private var indent: Int { 2 + model.sequenceColumns + 2 }

    private func head(_ playlist: MediaPlaylist) -> StyledLine {
        var line = StyledLine.of(context.snapshot.playlist.kind.rawValue, .paneTitle)
        if let version = playlist.version { line.add("  version \(version)", .textMuted) }
        if let target = playlist.targetDuration { line.add("  target \(TimeText.span(target))", .text) }
        if let part = playlist.partTarget { line.add("  parts \(TimeText.latency(part))", .text) }
        if let duration = model.detail?.timeline.window?.duration {
            line.add("  window \(TimeText.span(duration))", .textMuted)
        }
        if model.detail?.text.isDelta == true { line.append("  delta update", .textMuted) }
        if playlist.hasEndList { line.append("  ended", .stateOff) }
        return line
    }

    private func segment(_ playlist: MediaPlaylist, _ index: Int) -> StyledLine {
        let segment = playlist.segments[index]
        var line = StyledLine()
        if hasPlayhead { line.append(SafeText(context.glyphs.playhead), .timelinePlayhead) }
        line.pad(to: 2)
        line.append(
            SafeText(outside: "\(segment.sequence)").paddedStart(to: model.sequenceColumns),
            hasPlayhead ? .timelinePlayhead : .text)
        line.space(2)
        // A date carried over from another segment is less certain than a tagged one.
        if let date = segment.date {
            line.add(TimeText.tenths(date), segment.dateSource == .explicit ? .text : .textMuted)
        } else {
            line.append("-", .textMuted)
            line.pad(to: indent + 10)
        }
        line.space()
        line.append(
            SafeText(outside: TimeText.exact(segment.duration)).paddedStart(to: 8),
            segment.isGap ? .stateOff : .text)
        for (word, role) in marks(playlist, index) {
            line.space(2)
            line.append(word, role)
        }
        line.space(2)
        line.append(tail(segment.uri, columns: width - line.columns))
        return line
    }

    /// The special properties of a segment: words, so that no meaning depends on colour alone.
    private func marks(_ playlist: MediaPlaylist, _ index: Int) -> [(SafeText, Role)] {
        let segment = playlist.segments[index]
        let before = index > 0 ? playlist.segments[index - 1] : nil
        var marks: [(SafeText, Role)] = []
        if segment.isDiscontinuity { marks.append(("DISC", .stateRetry)) }
        if segment.isGap { marks.append(("GAP", .stateFailed)) }
        if let before, before.keys != segment.keys {
            marks.append((segment.keys.isEmpty ? "KEY none" : "KEY " + method(segment), .stateUnknown))
        }
        if let before, before.map != segment.map { marks.append(("MAP", .stateUnknown)) }
        if segment.byteRange != nil { marks.append(("RANGE", .textMuted)) }
        if let first = model.flags[index]?.max(by: { $0.severity < $1.severity }), first.rule != "gap-segment" {
            marks.append(
                (first.severity.letter + " " + SafeText(outside: first.rule, columns: 40), first.severity.role))
        }
        return marks
    }

    private func method(_ segment: MediaSegment) -> SafeText {
        SafeText(outside: segment.keys.first?.method ?? "", columns: 16)
    }

    /// The end of a URI, by which segments differ, in the columns available.
    private func tail(_ uri: String, columns: Int) -> StyledLine {
        guard columns > 3 else { return StyledLine() }
        let uri = context.url(uri)
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last.map(String.init) ?? uri
        var line = StyledLine(SafeText(outside: name), .textURLPath)
        line.append(SafeText(outside: String(uri.dropFirst(path.count)), columns: 64), .textURLQuery)
        return line.truncatedMiddle(to: columns, context.glyphs)
    }

    private func part(_ part: PartialSegment) -> StyledLine {
        var line = StyledLine()
        if hasPlayhead { line.append(SafeText(context.glyphs.playhead), .timelinePlayhead) }
        line.pad(to: indent)
        line.add("\(part.sequence).\(part.index)", hasPlayhead ? .timelinePlayhead : .textMuted)
        line.pad(to: indent + 11)
        line.append(
            SafeText(outside: TimeText.exact(part.duration)).paddedStart(to: 8),
            part.isGap ? .stateOff : .textMuted)
        if part.isIndependent { line.append("  INDEPENDENT", .textMuted) }
        if part.isGap { line.append("  GAP", .stateFailed) }
        if part.byteRange != nil { line.append("  RANGE", .textMuted) }
        line.space(2)
        line.append(tail(part.uri, columns: width - line.columns))
        return line
    }

    private func cue(_ cue: CuePoint) -> StyledLine {
        var line = StyledLine()
        line.pad(to: indent)
        line.append(SafeText(outside: MarkerText.tag(cue.tag), columns: 32), .timelineBreak)
        if let duration = cue.duration { line.add("  \(TimeText.span(duration))", .text) }
        if let elapsed = cue.elapsed { line.add("  after \(TimeText.span(elapsed))", .textMuted) }
        if let id = cue.id { line.append("  " + SafeText(outside: id, columns: 32), .textMuted) }
        if let bytes = cue.scte35 { line.append("  " + SafeText(outside: MarkerText.splice(bytes)), .text) }
        return line
    }

    private func dateRange(_ range: DateRange) -> StyledLine {
        var line = StyledLine()
        line.pad(to: indent)
        line.append(range.rangeClass == Interstitial.rangeClass ? "INTERSTITIAL" : "DATERANGE", .timelineBreak)
        line.append("  " + SafeText(outside: range.id, columns: 32), .text)
        if let start = range.start { line.add("  \(TimeText.tenths(start))", .textMuted) }
        if let duration = range.duration {
            line.add("  \(TimeText.span(duration))", .text)
        } else if let planned = range.plannedDuration {
            line.add("  planned \(TimeText.span(planned))", .textMuted)
        }
        for (name, bytes) in range.sections {
            line.append("  " + SafeText(outside: String(name.dropFirst(7))), .timelineBreak)
            line.append("  " + SafeText(outside: MarkerText.splice(bytes)), .text)
        }
        return line
    }

    private func hint(_ hint: PreloadHint) -> StyledLine {
        var line = StyledLine()
        line.pad(to: indent)
        line.append(hint.kind == .part ? "hint part" : "hint map", .stateBusy)
        line.space(2)
        line.append(tail(hint.uri, columns: width - line.columns))
        return line
    }

    private func report(_ report: RenditionReport) -> StyledLine {
        var line = StyledLine()
        line.pad(to: indent)
        line.append("rendition", .textMuted)
        if let sequence = report.lastSequence { line.add("  last \(sequence)", .textMuted) }
        if let part = report.lastPart { line.add(" part \(part)", .textMuted) }
        line.space(2)
        line.append(tail(report.uri, columns: width - line.columns))
        return line
    }
}

extension Severity {
    /// One letter, as in the log's lines.
    var letter: SafeText {
        switch self {
        case .error: "E"
        case .warning: "W"
        case .info: "I"
        }
    }

    /// The role of a finding.
    var role: Role {
        switch self {
        case .error: .logError
        case .warning: .logWarn
        case .info: .logInfo
        }
    }
}
