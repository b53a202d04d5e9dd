import Bidding
import Ports

/// A Prebid Server answer as lines of text.
struct PrebidReport {
    let answer: PrebidAnswer

    var lines: [ToolLine] {
        let id = answer.response.id.isEmpty ? "-" : answer.response.id
        var lines = [ToolLine("\(id, .strong)  \(answer.response.currency)")]
        for imp in answer.imps { lines += self.lines(of: imp) }
        if let absence { lines.append("  \(absence, .warning)") }
        lines += answer.nonBids.map { "  \("no bid \($0.status)", .muted)  \($0.seat)  \($0.reason)" }
        lines += answer.errors.map { "  \("error \($0.code)", .error)  \($0.bidder)  \($0.message)" }
        lines += answer.warnings.map { "  \("warning \($0.code)", .warning)  \($0.bidder)  \($0.message)" }
        let times = answer.responseTimes.map { "\($0.bidder) \($0.milliseconds) ms" }
        if !times.isEmpty { lines.append("  response times  \(times.joined(separator: "  "))") }
        return lines
    }

    /// Why nothing won; nil where something did.
    private var absence: String? {
        guard answer.imps.allSatisfy({ $0.winner == nil }) else { return nil }
        if let bid = answer.imps.lazy.compactMap(\.bids.first).first {
            return """
                no winner: the server marks no bid with \(bid.prefix)_pb and \(bid.prefix)_bidder; \
                --targeting-prefix gives another prefix
                """
        }
        if let reason = answer.response.noBidReason {
            let words = NoBidReason.text(reason)
            return "no bid: nbr \(reason)\(words.isEmpty ? "" : ", \(words)")"
        }
        return answer.response.json["seatbid"] == nil
            ? "no bid: the answer has no seatbid" : "no bid: seatbid has no bids"
    }

    private func lines(of imp: PrebidImp) -> [ToolLine] {
        var lines: [ToolLine] = imp.bids.enumerated().map { index, bid in
            let price = bid.bid.price.amount?.text ?? "-"
            let state = index == imp.winner ? ToolLine("WON", .good) : ToolLine("lost", .muted)
            let sent = bid["hb_pb"] ?? bid["hb_pb_\(bid.seat)"] ?? "-"
            return """
                  imp \(imp.id)  \(bid.seat) \(bid.bid.id)  \(price) \(answer.response.currency)  \
                hb_pb \(sent)\(Self.difference(bid))  \(state)
                """
        }
        lines += imp.entries.map { "  warm  \($0.id)  \($0.contentType)  \($0.body.utf8.count) bytes" }
        if let url = imp.fallbackURL { lines.append("  cached  \(url)") }
        lines += imp.onWin.map { "  on win  \($0)" }
        lines += imp.onDisplay.map { "  on display  \($0)" }
        return lines
    }

    /// ` (exact 0.30)` when the server's bucket differs from exact arithmetic.
    static func difference(_ bid: PrebidBid) -> ToolLine {
        guard let difference = bid.bucketDifference(NamedGranularity.medium.granularity) else { return "" }
        return ToolLine(" (exact \(difference.exact))", .warning)
    }
}
