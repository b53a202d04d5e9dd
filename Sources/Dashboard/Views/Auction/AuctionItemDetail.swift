import Bidding
import Ports
import Screen
import Session

/// Everything about the selected row of the auction view.
enum AuctionItemDetail {
    /// The most lines of a bid's JSON.
    private static let rawLines = 200
    /// The most characters of a bid's markup.
    private static let markupLength = 2_000

    /// The title of the detail pane for the row.
    static func title(_ item: AuctionItem?) -> SafeText {
        switch item {
        case .candidate: "[2] Candidate"
        case .nonBid: "[2] No bid"
        case .notice: "[2] Notice"
        case .key: "[2] Key"
        case .warning: "[2] Warning"
        case .warm: "[2] Creative"
        case .stepNames, .stepTimes, .columns, .forwarded, .callbacks, .pod, nil: "[2] Auction"
        }
    }

    /// Adds the lines of the selected row.
    static func add(_ model: AuctionModel, _ context: ViewContext, to fields: inout FieldLines) {
        guard let view = model.view, let result = view.result, let item = model.selected else {
            return fields.add(StyledLine("no auction yet", .textMuted))
        }
        switch item {
        case .candidate(let index): add(result.candidates[index], view, context, to: &fields)
        case .nonBid(let index): add(result.nonBids[index], to: &fields)
        case .notice(let index): add(view.notices[index], context, to: &fields)
        case .key(let index):
            fields.field(SafeText(outside: view.keys[index].name, columns: 40), view.keys[index].value)
            if let exact = view.keys[index].exact { fields.field("exact", exact, .stateRetry) }
            fields.field("", "the value that the server sent is used" as SafeText, .textMuted)
        case .warning(let index): fields.field("warning", result.warnings[index], .stateRetry)
        case .warm(let index): add(view.warm[index], context, to: &fields)
        case .callbacks: for callback in result.callbacks { fields.field("call", callback.description) }
        case .stepNames, .stepTimes, .columns, .forwarded, .pod: add(result, view, context, to: &fields)
        }
    }

    private static func add(
        _ candidate: Candidate, _ view: AuctionView, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.field("name", candidate.name)
        if let bidder = candidate.bidder { fields.field("bidder", bidder, .textMuted) }
        fields.field("state", candidate.stateWords, AuctionRowLine.role(of: candidate.state))
        if let reason = candidate.lostReason {
            fields.field("reason", "\(reason.words) (loss code \(reason.code.rawValue))")
        }
        if let price = candidate.price { fields.field("price", "\(price) \(candidate.currency ?? "")") }
        if let cpm = candidate.cpm { fields.field("cpm", "\(cpm) \(view.rules.currency)") }
        if let via = candidate.via { fields.field("line item", via) }
        if let latency = candidate.latency { fields.field("latency", "\(latency.inMilliseconds) ms", .textMuted) }
        for (index, note) in candidate.notes.enumerated() {
            fields.field(index == 0 ? "notes" : "", note.text, .textMuted)
        }
        if candidate.state == .won, let markup = view.result?.markup {
            fields.field("markup", context.prose(String(markup.prefix(markupLength))))
        }
        guard let bid = candidate.bid else { return }
        fields.blank()
        let urls: [(SafeText, String?)] = [("nurl", bid.winURL), ("burl", bid.billingURL), ("lurl", bid.lossURL)]
        for (label, template) in urls {
            if let template { fields.address(label, StyledLine.url(context.url(template))) }
        }
        fields.heading("bid as received")
        for line in bid.json.outline().prefix(rawLines) {
            fields.add(.of(context.prose(line), .textMuted))
        }
    }

    private static func add(_ nonBid: NonBid, to fields: inout FieldLines) {
        fields.field("bidder", nonBid.seat)
        fields.field("status", "\(nonBid.status)")
        fields.field("reason", nonBid.reason)
        if !nonBid.detail.isEmpty { fields.field("detail", nonBid.detail, .textMuted) }
    }

    private static func add(_ notice: NoticeView, _ context: ViewContext, to fields: inout FieldLines) {
        fields.field("kind", notice.kind.rawValue)
        fields.field("bidder", notice.who)
        fields.field("state", notice.state.rawValue, AuctionRowLine.role(of: notice))
        if notice.tries > 0 { fields.field("tries", "\(notice.tries)") }
        if let status = notice.status { fields.field("status", "\(status)", Role.http(status)) }
        if let problem = notice.problem { fields.field("problem", context.prose(problem), .stateFailed) }
        fields.address("url", StyledLine.url(context.url(notice.url)))
    }

    private static func add(_ creative: WarmView, _ context: ViewContext, to fields: inout FieldLines) {
        fields.field("id", creative.id)
        fields.field("bidder", creative.bidder)
        fields.field("state", AuctionRowLine.state(of: creative), AuctionRowLine.role(of: creative))
        if let type = creative.contentType { fields.field("type", type, .textMuted) }
        if let bytes = creative.bytes { fields.field("bytes", bytes.grouped, .textMuted) }
        if let url = creative.fallbackURL { fields.address("remote", StyledLine.url(context.url(url))) }
    }

    private static func add(
        _ result: AuctionResult, _ view: AuctionView, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.field("auction", view.id)
        fields.field("placement", "\(view.placement.id) \(view.placement.format.rawValue)")
        if let start = view.startedAt { fields.field("started", TimeText.tenths(start.wall)) }
        if let next = view.underWay {
            fields.field("next", "\(next.id), waiting for \(next.waitingFor.joined(separator: ", "))", .stateBusy)
        }
        for step in result.steps {
            let time = step.at.map { "\($0.inMilliseconds) ms" } ?? "-"
            fields.field(SafeText(outside: step.name.text, columns: 12), "\(time)  \(step.note)")
        }
        if let cpm = result.cpm, let winner = result.winningCandidate {
            fields.field("winner", "\(winner.name) at \(cpm) \(result.currency)", .stateDone)
        }
        if let forwarded = result.forwarded {
            for pair in forwarded.parameters {
                fields.field(SafeText(outside: pair.name, columns: 24), pair.value, .textMuted)
            }
            for keyword in forwarded.keywords { fields.field("keyword", keyword, .textMuted) }
        }
        for creative in view.warm {
            fields.field("warm", "\(creative.id)  \(AuctionRowLine.state(of: creative))", .textMuted)
        }
        if let pod = result.pod { fields.field("pod", pod.bar) }
    }
}
