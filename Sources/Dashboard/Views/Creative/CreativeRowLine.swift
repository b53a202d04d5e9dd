import Ports
import Screen
import Session

/// One row of the creative view: the name of its list, then what distinguishes it.
enum CreativeRowLine {
    /// The least columns of the name with what is free after it.
    private static let leastLabelColumns = 14

    /// The row in at most that many columns.
    static func line(
        _ item: CreativeItem, of model: CreativeModel, withLabel: Bool, _ context: ViewContext, width: Int
    ) -> StyledLine {
        var line = StyledLine()
        let columns = max(leastLabelColumns, min(model.longestFact + 2, width / 3))
        if withLabel {
            line.append(label(item, model).truncatedTail(to: columns - 1, context.glyphs), .textMuted)
        }
        line.pad(to: columns)
        line.append(value(item, model, context, width: width - line.columns))
        return line.truncatedTail(to: max(0, width), context.glyphs)
    }

    private static func label(_ item: CreativeItem, _ model: CreativeModel) -> SafeText {
        switch item {
        case .ad: "ad"
        case .fact(let index): name(model.creative.facts[index])
        case .hop: "chain"
        case .media: "media"
        case .companion: "companions"
        case .icon: "icons"
        case .verification: "verify"
        case .finding: "findings"
        case .pixel: "error urls"
        case .extra: "extra"
        }
    }

    /// The name of a fact.
    static func name(_ fact: CreativeView.Fact) -> SafeText { SafeText(outside: fact.name, columns: 24) }

    /// The value of a member of the metadata. Of a point in time in milliseconds since 1970 the date is shown before it.
    static func value(_ name: String, _ value: String, _ context: ViewContext) -> String {
        guard name.hasSuffix("DateTime"), let milliseconds = Int64(value), knownTimes.contains(milliseconds) else {
            return context.prose(value)
        }
        return "\(TimeText.date(UnixTime(milliseconds: milliseconds))) (\(value))"
    }

    /// From 1970 to 2100.
    private static let knownTimes: Range<Int64> = 0..<4_102_444_800_000

    private static func value(
        _ item: CreativeItem, _ model: CreativeModel, _ context: ViewContext, width: Int
    ) -> StyledLine {
        let creative = model.creative
        switch item {
        case .ad: return model.subject.map(ad) ?? StyledLine()
        case .fact(let index):
            return .of(value(creative.facts[index].name, creative.facts[index].value, context), .text)
        case .hop(let index): return hop(creative.hops[index], context, width: width)
        case .media(let index): return media(creative.media[index], context, width: width)
        case .companion(let index): return companion(creative.companions[index], context, width: width)
        case .icon(let index): return icon(creative.icons[index], context, width: width)
        case .verification(let index):
            let item = creative.verifications[index]
            var line = StyledLine(SafeText(outside: item.vendor ?? "no vendor", columns: 40), .text)
            add(item.resources, to: &line, context, width: width)
            return line
        case .finding(let index): return model.findings[index].line(context)
        case .pixel(let index):
            var line = StyledLine.of("\(creative.pixels[index].code)", .stateFailed)
            address(creative.pixels[index].url, to: &line, context, width: width)
            return line
        case .extra(let index):
            guard let extra = model.subject?.ad.extras[index] else { return StyledLine() }
            var line = StyledLine(SafeText(outside: extra.name, columns: 40) + ": ", .textMuted)
            line.append(SafeText(outside: value(extra.name, extra.value, context), columns: 400), .text)
            return line
        }
    }

    private static func ad(_ subject: AdUnderCursor) -> StyledLine {
        let ad = subject.ad
        var line = StyledLine(SafeText(outside: ad.name), .text)
        line.add("   \(TimeText.tenths(ad.start))  \(TimeText.span(subject.length))", .textMuted)
        if ad.isOnAir { line.append("  on air", .headerLive) }
        if ad.hasVanished { line.append("  removed", .stateUnknown) }
        return line
    }

    /// The sign of a hop's outcome.
    static func sign(_ hop: CreativeView.Hop) -> StateSign {
        switch hop.outcome {
        case .waiting: .busy
        case .failed: .failed
        case .noAd: .off
        case .inline, .wrapper: hop.problem == nil ? .done : .partial
        }
    }

    private static func hop(_ hop: CreativeView.Hop, _ context: ViewContext, width: Int) -> StyledLine {
        var line = StyledLine()
        // The wrapper limit bounds the depth; the indent must still leave room for the rest.
        line.space(2 * min(max(hop.depth, 0), 8))
        line.append(context.badge(sign(hop), withWord: false))
        line.append(" " + SafeText(outside: hop.outcome.rawValue, columns: 16), sign(hop).role)
        if let status = hop.status { line.add("  \(status)", Role.http(status)) }
        if let took = hop.took { line.add("  \(TimeText.latency(took))", .textMuted) }
        if let bytes = hop.bytes { line.add("  \(TimeText.bytes(bytes))", .textMuted) }
        if let code = hop.code { line.add("  error \(code)", .stateFailed) }
        address(hop.url, to: &line, context, width: width)
        return line
    }

    private static func media(_ media: CreativeView.Media, _ context: ViewContext, width: Int) -> StyledLine {
        var line = StyledLine()
        if media.isChosen {
            line.append(context.glyphs.badge(.done) + " ", .stateDone)
        } else {
            line.space(context.glyphs.badge(.done).columns + 1)
        }
        if media.kind != .media { line.add("\(media.kind.rawValue) ", .text) }
        if let size = CreativeItemDetail.size(media.width, media.height) { line.add("\(size) ", .text) }
        if let bitrate = media.bitrate { line.add("\(bitrate)k ", .text) }
        if let type = media.type { line.append(SafeText(outside: type, columns: 24) + " ", .textMuted) }
        // Why it was chosen, or was not, matters more than its address.
        line.append(" " + SafeText(outside: media.reason, columns: 60), media.isChosen ? .stateDone : .textMuted)
        address(media.url, to: &line, context, width: width)
        return line
    }

    private static func companion(
        _ companion: CreativeView.Companion, _ context: ViewContext, width: Int
    ) -> StyledLine {
        var line = StyledLine.of(CreativeItemDetail.size(companion.width, companion.height) ?? "no size", .text)
        if let slot = companion.slot { line.append("  slot " + SafeText(outside: slot, columns: 24), .textMuted) }
        if let required = companion.required {
            line.append("  required " + SafeText(outside: required, columns: 8), .textMuted)
        }
        add(companion.resources, to: &line, context, width: width)
        return line
    }

    private static func icon(_ icon: CreativeView.Icon, _ context: ViewContext, width: Int) -> StyledLine {
        var line = StyledLine(SafeText(outside: icon.program ?? "icon", columns: 24), .text)
        if let size = CreativeItemDetail.size(icon.width, icon.height) { line.add("  \(size)", .textMuted) }
        if let position = icon.position { line.append("  " + SafeText(outside: position, columns: 24), .textMuted) }
        add(icon.resources, to: &line, context, width: width)
        return line
    }

    /// The first resource with its kind, and how many more there are.
    private static func add(
        _ resources: [CreativeView.Fact], to line: inout StyledLine, _ context: ViewContext, width: Int
    ) {
        guard let first = resources.first else { return }
        line.append("  " + SafeText(outside: first.name, columns: 24), .textMuted)
        if resources.count > 1 { line.add(" +\(resources.count - 1)", .textMuted) }
        address(first.value, to: &line, context, width: width)
    }

    private static func address(_ url: String, to line: inout StyledLine, _ context: ViewContext, width: Int) {
        let room = width - line.columns - 2
        guard room > 8 else { return }
        line.space(2)
        line.append(StyledLine.url(context.url(url)).truncatedMiddle(to: room, context.glyphs))
    }
}
