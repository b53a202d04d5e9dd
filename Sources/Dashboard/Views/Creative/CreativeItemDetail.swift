import AdTracking
import Ports
import Screen
import Session

/// Everything about the selected row of the creative view; for a request its answer as received.
enum CreativeItemDetail {
    /// The title of the detail pane for the row.
    static func title(_ item: CreativeItem?) -> SafeText {
        switch item {
        case .ad, .fact, nil: "[2] Ad"
        case .hop: "[2] Request"
        case .media: "[2] File"
        case .companion: "[2] Companion"
        case .icon: "[2] Icon"
        case .verification: "[2] Verification"
        case .finding: "[2] Finding"
        case .pixel: "[2] Error URL"
        case .extra: "[2] Metadata"
        }
    }

    /// Adds the lines of the selected row.
    static func add(_ model: CreativeModel, _ context: ViewContext, to fields: inout FieldLines) {
        let creative = model.creative
        guard let item = model.selected, let subject = model.subject else {
            return fields.add(StyledLine("no ad under the cursor in the breaks view", .textMuted))
        }
        let ad = subject.ad
        switch item {
        case .ad, .fact: add(subject, creative, context, to: &fields)
        case .hop(let index): add(creative.hops[index], model, context, to: &fields)
        case .media(let index): add(creative.media[index], context, to: &fields)
        case .companion(let index): add(creative.companions[index], context, to: &fields)
        case .icon(let index): add(creative.icons[index], context, to: &fields)
        case .verification(let index):
            let item = creative.verifications[index]
            fields.field("vendor", item.vendor ?? "not stated")
            add(item.resources, context, to: &fields)
            if let parameters = item.parameters { fields.field("params", context.prose(parameters), .textMuted) }
            fields.field("", "listed, never run" as SafeText, .textMuted)
        case .finding(let index): add(model.findings[index], model, context, to: &fields)
        case .pixel(let index):
            fields.address("url", StyledLine.url(context.url(creative.pixels[index].url)))
            fields.field("code", "\(creative.pixels[index].code)", .stateFailed)
        case .extra(let index):
            let extra = ad.extras[index]
            fields.field(
                SafeText(outside: extra.name, columns: 48), CreativeRowLine.value(extra.name, extra.value, context))
        }
    }

    /// `640x360`, nil when neither is known.
    static func size(_ width: Int?, _ height: Int?) -> String? {
        guard width != nil || height != nil else { return nil }
        return "\(width.map(String.init) ?? "?")x\(height.map(String.init) ?? "?")"
    }

    private static func add(
        _ subject: AdUnderCursor, _ creative: CreativeView, _ context: ViewContext, to fields: inout FieldLines
    ) {
        let ad = subject.ad
        fields.makeRoom(for: creative.facts.map(CreativeRowLine.name))
        fields.field("ad", SafeText(outside: ad.label, columns: 12) + " " + SafeText(outside: ad.name))
        fields.field("id", ad.id, .textMuted)
        let soFar = ad.duration < subject.length ? " (\(TimeText.span(ad.duration)) so far)" : ""
        fields.field("start", "\(TimeText.tenths(ad.start))   length \(TimeText.span(subject.length))\(soFar)")
        for fact in creative.facts {
            fields.field(CreativeRowLine.name(fact), CreativeRowLine.value(fact.name, fact.value, context))
        }
        if let landing = ad.clickThrough {
            fields.address("landing", StyledLine.url(context.url(landing)))
            fields.field("", "the clickThrough, never requested" as SafeText, .textMuted)
        }
        if creative.hops.isEmpty {
            fields.blank()
            fields.add(
                StyledLine(
                    "known from the " + document(of: subject.origin) + "; no ad server was requested", .textMuted))
        }
    }

    /// Where an ad is listed that no ad server was asked for.
    private static func document(of origin: AdBreak.Source?) -> SafeText {
        switch origin {
        case .metadata, nil: "metadata"
        case .interstitial: "interstitial"
        case .signaling, .marker: "playlist"
        case .vast: "VAST document"
        }
    }

    /// The first finding of a rule in full, and the line numbers of the others.
    private static func add(
        _ rule: RuleFindings, _ model: CreativeModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        PlaylistItemDetail.add(rule.finding, context, to: &fields)
        guard rule.countInText > 1 else { return }
        let same = model.creative.findings.filter { $0.rule == rule.finding.rule }
        var text = "\(rule.countInText)x"
        let lines = same.compactMap(\.line).prefix(shownFindings)
        if !lines.isEmpty { text += ", lines \(lines.map(String.init).joined(separator: " "))" }
        if lines.count < same.count { text += " and more" }
        fields.field("places", text)
    }

    private static func add(
        _ hop: CreativeView.Hop, _ model: CreativeModel, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.address("url", StyledLine.url(context.url(hop.url)))
        let sign = CreativeRowLine.sign(hop)
        var answer = context.badge(sign, withWord: false)
        answer.append(" " + SafeText(outside: hop.outcome.rawValue, columns: 16), sign.role)
        if let status = hop.status { answer.add("   \(status) \(StatusPhrase.of(status))", Role.http(status)) }
        if let took = hop.took { answer.add("   \(TimeText.latency(took))", .textMuted) }
        if let bytes = hop.bytes { answer.add("   \(TimeText.bytes(bytes))", .textMuted) }
        if hop.redirects > 0 { answer.add("   \(hop.redirects.counted("redirect"))", .textMuted) }
        if let version = hop.version { answer.append("   VAST " + SafeText(outside: version, columns: 8), .textMuted) }
        fields.field("answer", answer)
        if let problem = hop.problem {
            let code = hop.code.map { "error \($0): " } ?? ""
            fields.field("problem", code + context.prose(problem), .stateFailed)
        }
        for rule in RuleFindings.byRule(hop.findings) {
            fields.field("finding", rule.line(context))
        }
        guard !hop.body.isEmpty, let text = model.answer else { return }
        fields.blank()
        var heading = StyledLine("as received", .paneTitle)
        if text.isBroken { heading.append("   long lines broken between elements", .textMuted) }
        if hop.isBodyCut { heading.append("   truncated", .textMuted) }
        fields.add(heading)
        let lines = context.settings.redactsURLs ? text.lines(masked: Redaction.text) : text.lines
        for line in lines {
            for row in context.wrapsDetail ? StyledLine(line).wrapped(columns: fields.width) : [StyledLine(line)] {
                fields.add(row)
            }
        }
    }

    private static let shownFindings = 20

    private static func add(_ media: CreativeView.Media, _ context: ViewContext, to fields: inout FieldLines) {
        fields.address("url", StyledLine.url(context.url(media.url)))
        fields.field(
            "choice", (media.isChosen ? "chosen: " : "not chosen: ") + media.reason, media.isChosen ? .stateDone : .text
        )
        fields.field("kind", media.kind.rawValue)
        if let size = size(media.width, media.height) { fields.field("size", size) }
        if let bitrate = media.bitrate { fields.field("bitrate", "\(bitrate.grouped) kbit/s") }
        let traits: [(SafeText, String?)] = [
            ("type", media.type), ("delivery", media.delivery), ("codec", media.codec),
        ]
        for (name, value) in traits { if let value { fields.field(name, value) } }
    }

    private static func add(
        _ companion: CreativeView.Companion, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.field("size", size(companion.width, companion.height) ?? "not stated")
        let traits: [(SafeText, String?)] = [
            ("id", companion.id), ("slot", companion.slot), ("required", companion.required),
            ("rendering", companion.renderingMode),
        ]
        for (name, value) in traits { if let value { fields.field(name, value) } }
        add(companion.resources, context, to: &fields)
        landing(companion.clickThrough, context, to: &fields)
    }

    private static func add(_ icon: CreativeView.Icon, _ context: ViewContext, to fields: inout FieldLines) {
        fields.field("program", icon.program ?? "not stated")
        if let size = size(icon.width, icon.height) { fields.field("size", size) }
        if let position = icon.position { fields.field("position", position) }
        add(icon.resources, context, to: &fields)
        landing(icon.clickThrough, context, to: &fields)
    }

    private static func add(_ resources: [CreativeView.Fact], _ context: ViewContext, to fields: inout FieldLines) {
        for resource in resources {
            fields.field("resource", .of(resource.name, .textMuted))
            fields.address("", StyledLine.url(context.url(resource.value)))
        }
    }

    private static func landing(_ url: String?, _ context: ViewContext, to fields: inout FieldLines) {
        guard let url else { return }
        fields.address("landing", StyledLine.url(context.url(url)))
        fields.field("", "never requested" as SafeText, .textMuted)
    }
}
