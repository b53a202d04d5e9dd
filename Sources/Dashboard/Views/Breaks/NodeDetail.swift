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
        fields.field("ad", head("\(model.breakView(row).label)/\(ad.label)", id: ad.name, key: ad.id))
        fields.field("start", when(ad.start, model.breakView(row).length(of: ad), soFar: ad.duration))
        let tally = row.adIndex.map { model.summaries[row.breakIndex].ads[$0] } ?? Tally()
        fields.field("state", state(tally, NodeSign(ad, tally), of: model.breakView(row), context))
        if let landing = ad.clickThrough {
            fields.address("landing", StyledLine.url(context.url(landing)))
            fields.field("", "the clickThrough, never requested" as SafeText, .textMuted)
        }
        fields.blank()
        for event in ad.events { fields.add(line(event, context)) }
        if !ad.extras.isEmpty { fields.blank() }
        for extra in ad.extras {
            var line = StyledLine(SafeText(outside: extra.name, columns: 48) + ": ", .textMuted)
            line.append(SafeText(outside: context.prose(extra.value), columns: 2_048), .text)
            for part in context.wrapsDetail ? line.wrapped(columns: fields.width) : [line] { fields.add(part) }
        }
    }

    /// An event in one line.
    static func line(_ event: EventView, _ context: ViewContext) -> StyledLine {
        var line = context.badge(StateSign(event), withWord: false)
        line.space()
        line.append(SafeText(outside: event.event, columns: 24), .text)
        line.pad(to: 20)
        line.space()
        line.add(EventOutcome.timeColumn(event, context), .textMuted)
        line.pad(to: 34)
        line.append(EventOutcome.forms(event, context).last ?? StyledLine())
        return line
    }

    /// Adds the lines of a break.
    static func add(_ summary: BreakSummary, _ context: ViewContext, to fields: inout FieldLines) {
        let view = summary.view
        fields.field("break", head(view.label, id: view.name, key: view.id))
        fields.field("source", view.source)
        fields.field(
            "start",
            view.isEmpty
                ? .of(TimeText.tenths(view.start), .text)
                : when(view.start, view.announcedDuration, soFar: view.duration))
        fields.field("state", state(summary.tally, NodeSign(view, summary.tally), of: view, context))
        if let problem = view.problem {
            fields.field("", .of("its assets could not be loaded: \(context.prose(problem))", .stateFailed))
        }
        addEvidence(of: view, to: &fields)
        GrowthLines.add(view.growth, to: &fields)
        addFindings(of: view, context, to: &fields)
        fields.blank()
        for (ad, tally) in zip(view.ads, summary.ads) {
            var line = context.badge(NodeSign(ad, tally), withWord: false)
            line.space()
            line.append(SafeText(outside: ad.label, columns: 12) + " " + SafeText(outside: ad.name, columns: 24), .text)
            line.pad(to: 26)
            line.add("  \(TimeText.tenths(ad.start))  \(TimeText.span(view.length(of: ad)))  ", .textMuted)
            line.append(TallyText.fraction(tally, context))
            fields.add(line)
        }
        // An empty break has a state of its own, and of one that is cancelled no ads are known.
        if view.ads.isEmpty, !view.isEmpty, view.problem == nil {
            fields.add(StyledLine(BreakOutcome.noAds, .textMuted))
        }
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

    /// What was found wrong with an interstitial: its requests, its list, its signaling.
    private static func addFindings(of view: BreakView, _ context: ViewContext, to fields: inout FieldLines) {
        let interstitial = context.snapshot.interstitials.first { $0.breakID == view.id }
        for finding in interstitial?.findings ?? [] {
            fields.blank()
            PlaylistItemDetail.add(finding, context, to: &fields)
        }
    }

    /// The label, the id in the metadata, and the key that JSON and `--until` use, each with its name.
    private static func head(_ label: String, id: String, key: String) -> StyledLine {
        var line = StyledLine(SafeText(outside: label, columns: 24), .text)
        if !id.isEmpty {
            line.append("   id ", .textMuted)
            line.append(SafeText(outside: id), .text)
        }
        line.append("   key " + SafeText(outside: key, columns: 24), .textMuted)
        return line
    }

    /// Start, length and end; while a break grows, the length announced for it and what is there of it.
    private static func when(_ start: UnixTime, _ duration: Duration, soFar: Duration) -> StyledLine {
        var line = StyledLine.of(TimeText.tenths(start), .text)
        line.add("   length \(TimeText.span(duration))", .textMuted)
        if soFar < duration { line.add(" (\(TimeText.span(soFar)) so far)", .textMuted) }
        line.add("   end \(TimeText.tenths(start + duration))", .textMuted)
        return line
    }

    private static func state(
        _ tally: Tally, _ node: NodeSign, of adBreak: BreakView, _ context: ViewContext
    ) -> StyledLine {
        var line = context.badge(node)
        // Nothing of one that is cancelled is reported, but not because there would be nothing.
        if tally.total > 0 || !node.isCancelled {
            line.space(3)
            line.append(TallyText.sentence(tally, isCuesOnly: node.isCuesOnly, context))
        }
        if node.hasVanished {
            let isOfPlaylist = adBreak.origin == .interstitial || adBreak.origin == .signaling
            line.append(
                isOfPlaylist ? "   no longer in the playlist" : "   no longer in the metadata", .stateUnknown)
        }
        return line
    }
}
