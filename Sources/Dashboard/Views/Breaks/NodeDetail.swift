import AdTracking
import Ports
import Screen
import Session

/// A break or an ad with everything the metadata has for it.
enum NodeDetail {
    /// Adds the lines of an ad.
    static func add(
        _ ad: AdView, _ row: TreeModel.Row, _ model: TreeModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        var head = StyledLine(SafeText(outside: ad.label, columns: 12) + " " + SafeText(outside: ad.name), .text)
        head.append("   " + SafeText(outside: model.breakView(row).label, columns: 12), .textMuted)
        fields.field("ad", head)
        fields.field("id", ad.id, .textMuted)
        fields.field("start", when(ad.start, ad.duration))
        let tally = row.adIndex.map { model.summaries[row.breakIndex].ads[$0] } ?? Tally()
        fields.field("state", state(tally, isOnAir: ad.isOnAir, hasVanished: ad.hasVanished, context))
        if let landing = ad.clickThrough {
            fields.address("landing", StyledLine.url(context.url(landing)))
            fields.field("", "the clickThrough, never requested" as SafeText, .textMuted)
        }
        fields.blank()
        for event in ad.events {
            var line = context.badge(StateSign(event), withWord: false)
            line.space()
            line.append(SafeText(outside: event.event, columns: 24), .text)
            line.pad(to: 20)
            line.space()
            line.add(EventOutcome.timeColumn(event, context), .textMuted)
            line.pad(to: 34)
            line.append(EventOutcome.forms(event, context).last ?? StyledLine())
            fields.add(line)
        }
        if !ad.extras.isEmpty { fields.blank() }
        for extra in ad.extras {
            var line = StyledLine(SafeText(outside: extra.name, columns: 48) + ": ", .textMuted)
            line.append(SafeText(outside: extra.value, columns: 2_048), .text)
            for part in context.wrapsDetail ? line.wrapped(columns: fields.width) : [line] { fields.add(part) }
        }
    }

    /// Adds the lines of a break.
    static func add(_ summary: BreakSummary, _ context: ViewContext, to fields: inout FieldLines) {
        let view = summary.view
        fields.field("break", SafeText(outside: view.label, columns: 12) + " " + SafeText(outside: view.name))
        fields.field("id", view.id, .textMuted)
        fields.field("source", view.source)
        fields.field("start", when(view.start, view.duration))
        let planned = view.plannedEnd - view.start
        if planned > view.duration {
            fields.field("planned", "\(TimeText.span(planned)), until \(TimeText.tenths(view.plannedEnd))")
        }
        fields.field("state", state(summary.tally, isOnAir: view.isOnAir, hasVanished: view.hasVanished, context))
        addEvidence(of: view, to: &fields)
        fields.blank()
        for (ad, tally) in zip(view.ads, summary.ads) {
            var line = context.badge(tally.sign, withWord: false)
            line.space()
            line.append(SafeText(outside: ad.label, columns: 12) + " " + SafeText(outside: ad.name, columns: 24), .text)
            line.pad(to: 26)
            line.add("  \(TimeText.tenths(ad.start))  \(TimeText.span(ad.duration))  ", .textMuted)
            line.add("\(tally.done)/\(tally.total)", tally.failed > 0 ? .stateFailed : .paneCount)
            fields.add(line)
        }
        if view.ads.isEmpty { fields.add(StyledLine("no ads", .textMuted)) }
    }

    /// The sources in which the break was seen, and how they contradict each other.
    private static func addEvidence(of view: BreakView, to fields: inout FieldLines) {
        for evidence in view.evidence {
            var line = StyledLine(SafeText(outside: evidence.source, columns: 16), .text)
            if let kind = evidence.kind { line.add(" \(kind)", .text) }
            line.add("  \(TimeText.tenths(evidence.start))  ", .textMuted)
            line.add(evidence.duration.map { TimeText.span($0) } ?? "no end announced", .textMuted)
            if !evidence.name.isEmpty { line.append("  " + SafeText(outside: evidence.name, columns: 32), .textMuted) }
            if !evidence.eventIDs.isEmpty {
                let ids = evidence.eventIDs.joined(separator: " ")
                line.append("  event " + SafeText(outside: ids, columns: 32), .textMuted)
            }
            fields.field("seen in", line)
        }
        for difference in view.differences {
            fields.field("mismatch", StyledLine(SafeText(outside: difference), .logWarn))
        }
    }

    private static func when(_ start: UnixTime, _ duration: Duration) -> StyledLine {
        var line = StyledLine.of(TimeText.tenths(start), .text)
        line.add("   length \(TimeText.span(duration))   end \(TimeText.tenths(start + duration))", .textMuted)
        return line
    }

    private static func state(
        _ tally: Tally, isOnAir: Bool, hasVanished: Bool, _ context: ViewContext
    ) -> StyledLine {
        var line = context.badge(tally.sign)
        let done = context.snapshot.session.mode == .fire ? "done" : "observed"
        line.add("   \(tally.done) of \(tally.total) \(done)", .text)
        if tally.failed > 0 { line.add("   \(tally.failed) failed or unknown", .stateFailed) }
        if isOnAir { line.append("   on air", .headerLive) }
        if hasVanished { line.append("   no longer in the metadata", .stateUnknown) }
        return line
    }
}
