import HLS
import Ports
import Screen
import Session

/// An ad marker or a date range in full, its SCTE-35 messages decoded into a tree.
enum MarkerDetail {
    /// Adds the lines of a marker tag.
    static func add(
        _ cue: CuePoint, _ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        var head = StyledLine(SafeText(outside: cue.tag, columns: 48), .timelineBreak)
        head.add("   \(word(cue.kind))", .text)
        fields.field("tag", head)
        var place = StyledLine.of("before segment \(cue.sequence)", .text)
        if let date = cue.date { place.add("   \(TimeText.date(date))", .textMuted) }
        fields.field("at", place)
        if let duration = cue.duration { fields.field("length", TimeText.exact(duration)) }
        if let elapsed = cue.elapsed { fields.field("elapsed", TimeText.exact(elapsed)) }
        if let id = cue.id { fields.field("id", id) }
        for attribute in cue.attributes {
            fields.field("", "\(attribute.name) = \(context.url(attribute.value))", .textMuted)
        }
        findings(line: cue.line, model, context, to: &fields)
        if let text = model.detail?.text, cue.sequence >= text.firstSequence, cue.line > 0 {
            PlaylistItemDetail.addRaw(cue.line...cue.line, model, context, to: &fields)
        }
        if let bytes = cue.scte35 { message(bytes, "SCTE-35", to: &fields) }
    }

    /// Adds the lines of a date range.
    static func add(
        _ range: DateRange, _ playlist: MediaPlaylist, _ model: PlaylistModel, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        fields.field("id", range.id)
        if let name = range.rangeClass { fields.field("class", name) }
        fields.field("start", range.start.map { TimeText.date($0) } ?? "invalid")
        if let end = range.end ?? model.breaks.first(where: { $0.source == .dateRange && $0.id == range.id })?.end {
            fields.field("end", TimeText.date(end))
        } else {
            fields.field("end", "open" as SafeText, .stateBusy)
        }
        if let duration = range.duration { fields.field("length", TimeText.exact(duration)) }
        if let planned = range.plannedDuration { fields.field("planned", TimeText.exact(planned)) }
        if range.endsOnNext { fields.field("", "ends where the next one of its class starts" as SafeText, .textMuted) }
        if !range.cue.isEmpty { fields.field("cue", range.cue.map(\.rawValue).joined(separator: ", ")) }
        if let interstitial = playlist.interstitials.first(where: { $0.id == range.id }) {
            add(interstitial, context, to: &fields)
        }
        if let played = context.snapshot.interstitials.first(where: { $0.id == range.id }) {
            add(played, context, to: &fields)
        }
        for attribute in range.extensions {
            fields.field("", "\(attribute.name) = \(text(attribute.value, context))", .textMuted)
        }
        findings(line: range.line, model, context, to: &fields)
        let isOfText = model.lines[range.line]?.contains(range.id) == true
        if isOfText { PlaylistItemDetail.addRaw(range.line...range.line, model, context, to: &fields) }
        for (name, bytes) in range.sections { message(bytes, SafeText(outside: name), to: &fields) }
    }

    private static func add(_ interstitial: Interstitial, _ context: ViewContext, to fields: inout FieldLines) {
        if let url = interstitial.assetURI { fields.address("asset", StyledLine.url(context.url(url))) }
        if let url = interstitial.assetList { fields.address("list", StyledLine.url(context.url(url))) }
        if let offset = interstitial.effectiveResumeOffset {
            let isStated = interstitial.resumeOffset != nil
            fields.field("resume at", "+\(TimeText.exact(offset))\(isStated ? "" : " (its expected length)")")
        }
        if let limit = interstitial.playoutLimit { fields.field("limit", TimeText.exact(limit)) }
        var traits: [String] = interstitial.snap.map { "snap \($0.rawValue)" }
        traits += interstitial.restrict.map { "restrict \($0.rawValue)" }
        traits.append("occupies \(interstitial.timelineOccupies.rawValue)")
        if !interstitial.contentMayVary { traits.append("the same for all viewers") }
        fields.field("traits", traits.joined(separator: ", "), .textMuted)
        if let control = interstitial.skipControl {
            let length = control.duration.map { " for \(TimeText.span($0))" } ?? ""
            fields.field("skip", "button after \(TimeText.span(control.offset))\(length)")
        }
    }

    /// The state of an interstitial: its requests and their assets.
    private static func add(_ view: InterstitialView, _ context: ViewContext, to fields: inout FieldLines) {
        var state = StyledLine.of(view.state.rawValue, view.problem == nil ? .text : .stateFailed)
        if let elapsed = view.elapsed { state.add("  played \(TimeText.span(elapsed))", .textMuted) }
        if let problem = view.problem { state.append("  " + SafeText(outside: context.prose(problem)), .stateFailed) }
        fields.field("state", state)
        for request in view.requests {
            fields.address("request", StyledLine.url(context.url(request.url)))
            var answer = StyledLine()
            if let status = request.status { answer.add("\(status)  ", Role.http(status)) }
            if let took = request.took { answer.add("\(TimeText.latency(took))  ", .textMuted) }
            if !request.isAnswered { answer.append("waiting for the answer", .stateBusy) }
            if let problem = request.problem { answer.append(SafeText(outside: context.prose(problem)), .stateFailed) }
            if answer.columns > 0 { fields.field("", answer) }
        }
        for (index, asset) in view.assets.enumerated() {
            var line = StyledLine.url(context.url(asset.uri))
            if let duration = asset.duration { line.add("  \(TimeText.span(duration))", .textMuted) }
            if asset.hasSignaling { line.append("  with tracking", .textMuted) }
            if view.assetIndex == index { line.append("  playing", .headerLive) }
            fields.address(SafeText(outside: "asset \(index + 1)"), line)
        }
        for finding in view.findings {
            fields.blank()
            PlaylistItemDetail.add(finding, context, to: &fields)
        }
    }

    /// A message in a line and as a tree. Ticks are at 90 kHz, as in `adtop scte35`.
    private static func message(_ bytes: [UInt8], _ name: SafeText, to fields: inout FieldLines) {
        fields.blank()
        fields.add(StyledLine(name, .paneTitle))
        fields.add(.of(MarkerText.splice(bytes), .text))
        // What cannot be decoded has no tree; the line above shows why.
        guard let info = try? SpliceInfo(bytes) else { return }
        for line in info.json.outline().prefix(treeLines) { fields.add(.of("  " + line, .textMuted)) }
    }

    private static let treeLines = 400

    private static func findings(
        line: Int, _ model: PlaylistModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        for finding in model.detail?.text.findings ?? [] where finding.line == line {
            fields.blank()
            PlaylistItemDetail.add(finding, context, to: &fields)
        }
    }

    private static func word(_ kind: CuePoint.Kind) -> String {
        switch kind {
        case .out: "a break starts"
        case .cont: "a break continues"
        case .in: "a break ends"
        case .scte35: "a message that neither starts nor ends a break"
        case .asset: "facts about the ad or programme"
        case .insert: "a splice"
        }
    }

    private static func text(_ value: ExtensionValue, _ context: ViewContext) -> String {
        switch value {
        case .string(let text): context.url(text)
        case .hexadecimal(let text), .decimal(let text): text
        }
    }
}
