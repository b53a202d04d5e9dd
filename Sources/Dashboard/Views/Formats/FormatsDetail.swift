import AdFormats
import AdTracking
import Ports
import Screen
import Session

/// Everything about the ad space under the cursor, for the detail pane.
enum FormatsDetail {
    /// Adds the lines of the selected ad space.
    static func add(_ item: FormatsItem?, _ context: ViewContext, to fields: inout FieldLines) {
        guard let name = item?.slot, let view = context.snapshot.formats?.slot(name) else {
            return fields.add(StyledLine("no ad space under the cursor", .textMuted))
        }
        let slot = view.slot
        fields.field("slot", slot.name)
        fields.field("unit", "\(slot.config.unit)  \(slot.format.rawValue)  \(slot.provider)")
        fields.field("state", slot.state.word, FormatsRowLine.role(slot.state))
        if !slot.marks.isEmpty { fields.field("events", slot.marks.map(\.word).joined(separator: " "), .stateDone) }
        if let plugin = context.snapshot.formats?.plugins.first(where: { $0.identifier == slot.provider }) {
            add(plugin, to: &fields)
        }
        if let error = slot.error {
            fields.field("error", "\(error.reason.word): \(context.prose(error.detail))", .stateFailed)
        }
        if !slot.viewed.isEmpty {
            fields.field("viewable", slot.viewed.map(\.rawValue).joined(separator: " "), .stateDone)
        }
        content(slot, context, to: &fields)
        reports(view, context, to: &fields)
    }

    private static func add(_ plugin: FormatsView.Plugin, to fields: inout FieldLines) {
        let role: Role =
            switch plugin.state {
            case .idle, .closing: .stateIdle
            case .starting: .stateBusy
            case .ready: .stateDone
            case .ended: .stateFailed
            }
        let runs = plugin.runs > 1 ? ", process \(plugin.runs)" : ""
        let why = plugin.reason.map { ": \($0)" } ?? ""
        fields.field("plugin", "\(plugin.state.rawValue)\(runs)\(why)", role)
    }

    private static func content(_ slot: AdSlot, _ context: ViewContext, to fields: inout FieldLines) {
        switch slot.content {
        case .none: break
        case .surface(let surface, let container):
            fields.field("markup", TimeText.bytes(surface.byteCount), .textMuted)
            for line in surface.lines { fields.field("text", line) }
            for link in surface.links { fields.address("link", StyledLine.url(context.url(link))) }
            for address in surface.externals { fields.address("external", StyledLine.url(context.url(address))) }
            if let version = surface.mraid.versionNeeded {
                fields.field("mraid", "\(version), container \(container.state.rawValue)")
                for warning in surface.mraid.warnings { fields.field("", warning, .textMuted) }
            }
        case .native(let ad):
            let values: [(SafeText, String?)] = [
                ("title", ad.title), ("text", ad.description), ("rating", ad.rating), ("button", ad.buttonText),
            ]
            for case (let label, let value?) in values { fields.field(label, value) }
            for (label, url) in [("icon" as SafeText, ad.iconURL), ("image", ad.imageURL)] {
                if let url { fields.address(label, StyledLine.url(context.url(url))) }
            }
            fields.address("click", StyledLine.url(context.url(ad.clickURL)))
        case .rewarded(let player, let media):
            if let title = player.ad.title { fields.field("title", title) }
            fields.field("reward at", player.ad.rules.earningText)
            fields.address("media", StyledLine.url(context.url(media.url)))
            let file = [
                media.type, media.bytes.map { TimeText.bytes($0) },
                media.fileDuration.map { Duration.milliseconds($0).text },
            ].compactMap(\.self)
            if !file.isEmpty { fields.field("file", file.joined(separator: "  "), .textMuted) }
            fields.field("reason", media.reason, .textMuted)
            if let url = player.ad.clickThrough { fields.address("click", StyledLine.url(context.url(url))) }
            if let card = player.ad.endCard {
                fields.field("end card", "\(card.kindName): \(context.prose(card.value))")
            }
            for warning in player.ad.rules.warnings { fields.field("warning", warning, .stateRetry) }
        }
    }

    private static func reports(_ view: FormatsView.Slot, _ context: ViewContext, to fields: inout FieldLines) {
        guard !view.reports.isEmpty else { return }
        fields.blank()
        fields.heading("beacons")
        for report in view.reports.reversed() {
            var line = StyledLine.of(TimeText.clock(report.at) + " ", .textMuted)
            line.add(report.state.rawValue, StateSign(report.state).role)
            fields.field(SafeText(outside: report.event, columns: 24), line)
            for url in report.urls { fields.address("", StyledLine.url(context.url(url))) }
        }
    }
}

extension SlotMark {
    /// The event of which the row has the letter (FMT-26).
    fileprivate var word: String {
        switch self {
        case .received: "received"
        case .presented: "presented"
        case .impression: "impression"
        case .viewable: "viewable"
        case .click: "click"
        case .reward: "reward"
        case .dismissed: "dismissed"
        }
    }
}
