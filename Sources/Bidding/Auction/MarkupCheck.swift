package import Ports

/// Whether markup fits the placement of its bid, in the bid or in the answer to its win notice (BID-9, BID-16).
struct MarkupCheck: Sendable, Hashable {
    private let format: AdFormat
    /// Whether the bid has `mtype`, which is then compared with the format in its place.
    private let isTyped: Bool
    private let isSecure: Bool

    init(_ bid: Bid, in placement: Placement) {
        format = placement.format
        isTyped = bid.markupType != nil
        isSecure = placement.isSecure
    }

    /// The form of markup that does not fit the format, by its beginning; nil when it fits or does not show it.
    func misfit(_ markup: String) -> MarkupForm? {
        guard !isTyped, let form = MarkupForm(of: markup), !format.markupTypes.contains(form.markupType) else {
            return nil
        }
        return form
    }

    /// Whether the placement needs secure markup and this is not.
    func isInsecure(_ markup: String) -> Bool { isSecure && BrandSafety.isInsecure(markup) }
}

/// What the answer to a win notice is as the markup of a bid without one (OpenRTB 2.6 section 4.3.1; BID-20).
package enum MarkupAnswer: Sendable, Hashable {
    /// The markup with its macros filled.
    case usable(String)
    /// Why the ad cannot be shown, and what was found.
    case unusable(LostReason, found: String)

    /// Why the ad cannot be shown, as a clause; nil when it can.
    package var problem: String? {
        guard case .unusable(let reason, let found) = self else { return nil }
        return "\(reason.words): \(found)"
    }
}

/// A winner without markup, whose win notice asks for it.
package struct AwaitedMarkup: Sendable, Hashable {
    let check: MarkupCheck
    /// The macros of the markup are those of the notice (OpenRTB 2.6 section 4.4).
    let macros: AuctionMacros

    /// Judges the answer to the win notice. A body as long as the limit may be longer on the wire, so it counts as cut.
    package func judge(_ exchange: HTTPExchange) -> MarkupAnswer {
        guard let status = exchange.status else {
            return .unusable(.missingMarkup, found: exchange.failure?.message ?? "no answer to the win notice")
        }
        guard status == 200 else { return .unusable(.missingMarkup, found: "status \(status)") }
        guard !exchange.isBodyCut, exchange.body.count < Limits.beaconAnswerBytes else {
            return .unusable(.missingMarkup, found: "cut at \(Limits.beaconAnswerBytes) bytes")
        }
        let markup = String(decoding: exchange.body, as: UTF8.self)
        guard markup.contains(where: { !$0.isWhitespace }) else {
            return .unusable(.missingMarkup, found: "the answer is empty")
        }
        if let form = check.misfit(markup) { return .unusable(.formatMismatch, found: "\(form.rawValue) markup") }
        if check.isInsecure(markup) { return .unusable(.insecureMarkup, found: "no https") }
        return .usable(macros.fill(markup))
    }
}

extension AuctionResult {
    /// Takes what the win notice of a winner without markup brought. Without usable markup the ad fails, as that of an
    /// adapter does (BID-14), and the winner has the reason.
    package mutating func take(_ answer: MarkupAnswer) {
        guard awaited != nil, let winner else { return }
        awaited = nil
        switch answer {
        case .usable(let text): markup = text
        case .unusable(let reason, _):
            (finalState, failure) = (.failed, .internalError)
            candidates[winner].notes.append(.unusableMarkup(answer.problem ?? reason.words))
            warnings.append("\(reason.rawValue):\(candidates[winner].name)")
            for index in steps.indices where steps[index].name == .shown { steps[index].at = nil }
        }
    }
}
