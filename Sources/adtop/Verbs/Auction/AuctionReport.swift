import Bidding
import Ports
import Screen
import Session

/// An auction as `adtop auction` prints it.
struct AuctionReport {
    var name: String
    var auction: Auction
    var result: AuctionResult
    /// Creatives for the cache, with the outcome of each.
    var warmed: [WarmedCreative] = []
    /// No bidder that was asked answered.
    var isUnreachable = false
    /// The delivery of each notice; empty when none was sent.
    var deliveries: [NoticeView] = []

    /// Schema `adtop-auction/1` with `name`, `warm` and, when notices were sent, the delivery of each.
    var json: JSONValue {
        guard case .object(var object) = result.json else { return result.json }
        object.append("name", .string(name))
        object.append("delivery", .array(deliveries.map(\.json)))
        object.append("warm", .array(warmed.map(\.json)))
        return .object(object)
    }

    var lines: [ToolLine] {
        var lines = [head, steps]
        lines += AuctionTable(result).lines
        if let forwarded = result.forwarded {
            lines.append("  forwarded  \(forwarded.adapter)  \(forwarded.text)")
        }
        if !result.callbacks.isEmpty {
            lines.append("  callbacks  \(result.callbacks.map { $0.call.rawValue }.joined(separator: " > "))")
        }
        for notice in result.notices {
            let who = result.candidates[notice.candidate].name
            let delivery = deliveries.first { $0.kind == notice.kind && $0.url == notice.url && $0.who == who }
            let outcome = delivery?.outcome ?? "not sent (--fire sends)"
            lines.append("  \(notice.kind.rawValue, .strong)  \(notice.url)  \(outcome, .muted)")
        }
        for creative in warmed {
            let bytes = creative.bytes.map { "\($0) bytes" } ?? "no markup"
            lines.append("  \("warm", .strong)  \(creative.candidate.id)  \(bytes)  \(creative.outcome, .muted)")
        }
        if let pod = result.pod { lines.append("  pod  \(pod.bar)") }
        lines += result.warnings.map { "  \("warning", .warning)  \($0)" }
        lines.append(outcome)
        return lines
    }

    private var head: ToolLine {
        let placement = auction.placement
        let sizes = placement.sizes.map(\.description).joined(separator: ",")
        let price = auction.rules.auctionType == 2 ? "second price" : "first price"
        return """
            \(name, .strong)  \(placement.id) \(placement.format.rawValue) \(sizes)  \(auction.rules.currency)  \
            \(price)  tmax \(auction.rules.deadline.inMilliseconds) ms
            """
    }

    private var steps: ToolLine {
        let texts = result.steps.map { step in
            let time = step.at.map { "\($0.inMilliseconds) ms" } ?? "-"
            return "\(step.name.rawValue) \(step.name.text) \(time)"
        }
        return "  \(texts.joined(separator: "  "), .muted)"
    }

    private var outcome: ToolLine {
        guard let winner = result.winningCandidate, let cpm = result.cpm else {
            return "  \("no fill", .error)"
        }
        let via = winner.via.map { " through \($0)" } ?? ""
        let failed = result.failure == .internalError ? ToolLine("  the ad cannot be shown", .error) : ToolLine("")
        return
            "  \("won", .good)  \(winner.source.rawValue) \(winner.name)\(via)  \(cpm.text) \(result.currency)\(failed)"
    }
}

/// The candidates in columns.
struct AuctionTable {
    private let rows: [[String]]
    /// The row of the candidate that won.
    private let winnerRow: Int?

    init(_ result: AuctionResult) {
        let head = ["src", "who", "price", "cpm \(result.currency)", "state", "why"]
        let candidates = result.candidates.map { Self.row($0, result) }
        let absent = result.nonBids.map { nonBid in
            ["-", nonBid.seat, "-", "-", "no bid \(nonBid.status)", nonBid.why]
        }
        // Below the head.
        winnerRow = result.candidates.firstIndex { $0.state == .won }.map { $0 + 1 }
        rows = ([head] + candidates + absent).map { row in row.map { SafeText(outside: $0).string } }
    }

    private static func row(_ candidate: Candidate, _ result: AuctionResult) -> [String] {
        let price = candidate.price.map { "\($0) \(candidate.currency ?? "")" } ?? "-"
        return [
            candidate.source.rawValue, candidate.source == .direct ? candidate.id : candidate.name, price,
            candidate.cpm?.text ?? "-", candidate.stateWords, why(candidate),
        ]
    }

    static func why(_ candidate: Candidate) -> String {
        ([candidate.lostReason?.rawValue].compactMap { $0 } + candidate.notes.map(\.text)).joined(separator: ", ")
    }

    var lines: [ToolLine] {
        let count = rows.first?.count ?? 0
        let widths = (0..<count).map { column in rows.map { SafeText(outside: $0[column]).columns }.max() ?? 0 }
        return rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, text in
                column == count - 1
                    ? text : text + String(repeating: " ", count: widths[column] - SafeText(outside: text).columns)
            }
            let line = "  " + cells.joined(separator: "  ")
            return index == 0 ? ToolLine(line, .muted) : index == winnerRow ? ToolLine(line, .good) : ToolLine(line)
        }
    }
}
