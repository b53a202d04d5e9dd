import Bidding
import Ports
import Screen
import Session

/// One row of the auction view.
enum AuctionRowLine {
    /// Columns of a time below the name of a step.
    private static let timeColumns = 5
    /// Columns of the label of rows that are not candidates.
    private static let labelColumns = 11

    /// The row in at most that many columns.
    static func line(
        _ item: AuctionItem, of model: AuctionModel, _ context: ViewContext, width: Int
    ) -> StyledLine {
        guard let view = model.view, let result = view.result else { return StyledLine() }
        let line: StyledLine =
            switch item {
            case .stepNames: steps(result, context, width: width, areTimes: false)
            case .stepTimes: steps(result, context, width: width, areTimes: true)
            case .columns:
                row(headings(view), roles: Array(repeating: .textMuted, count: 6), model, context, width)
            case .candidate(let index): candidate(result.candidates[index], view, index, model, context, width)
            case .nonBid(let index): nonBid(result.nonBids[index], model, context, width)
            case .forwarded: result.forwarded.map { labelled("forwarded", "\($0.adapter)  \($0.text)") } ?? StyledLine()
            case .callbacks:
                labelled("callbacks", result.callbacks.map(\.call.rawValue).joined(separator: " > "))
            case .notice(let index): notice(view.notices[index], context, width)
            case .warm(let index): creative(view.warm[index])
            case .pod: result.pod.map { labelled("pod", $0.bar) } ?? StyledLine()
            case .warning(let index): labelled("warning", result.warnings[index], .stateRetry)
            case .key(let index): key(view.keys[index])
            }
        return line.truncatedTail(to: max(0, width), context.glyphs)
    }

    /// Names, or times below them. Each column is as wide as its name: the whole names, or where these do not fit short
    /// ones, and where not even these fit, all columns are alike.
    private static func steps(
        _ result: AuctionResult, _ context: ViewContext, width: Int, areTimes: Bool
    ) -> StyledLine {
        let forms = [result.steps.map { "\($0.name.rawValue) \($0.name.text)" }, result.steps.map(shortName)]
        func column(_ name: String) -> Int { max(name.utf8.count, timeColumns) + 1 }
        func needed(_ names: [String]) -> Int { names.reduce(-1) { $0 + column($1) } }
        let names = forms.first { needed($0) <= width }
        let gap = names.map { min(5, (width - needed($0)) / max(1, $0.count)) } ?? 0
        let least = max(7, width / max(1, result.steps.count))
        var (line, start) = (StyledLine(), 0)
        for (index, step) in result.steps.enumerated() {
            line.pad(to: start)
            let name = (names ?? forms[1])[index]
            let columns = names == nil ? least : column(name) + gap
            let text = SafeText(outside: areTimes ? time(of: step) : name)
            line.append(
                text.truncatedTail(to: columns - 1, context.glyphs), step.at == nil ? .textMuted : .timelineBreak)
            start += columns
        }
        return line
    }

    private static func shortName(_ step: AuctionStep) -> String {
        switch step.name {
        case .request: "1 asked"
        case .adCall: "4 call"
        case .lineItem: "5 item"
        case .creative: "6 ad"
        case .shown: "8 show"
        case .bids, .adapter, .cache: "\(step.name.rawValue) \(step.name.text)"
        }
    }

    private static func time(of step: AuctionStep) -> String {
        step.at.map { "\($0.inMilliseconds)ms" } ?? "-"
    }

    /// `warm       0a6f0a3e  41 B  cached, served in 0.3 ms`
    private static func creative(_ creative: WarmView) -> StyledLine {
        var line = StyledLine("warm", .textMuted)
        line.pad(to: labelColumns)
        line.append(SafeText(outside: creative.id, columns: 36), .text)
        line.add("  \(creative.bytes.map { TimeText.bytes($0) } ?? "fetched")", .textMuted)
        line.append("  " + SafeText(outside: state(of: creative), columns: 200), role(of: creative))
        return line
    }

    /// The state of a creative that the cache can hold.
    static func state(of creative: WarmView) -> String {
        switch creative.state {
        case .known: "not cached: this session has no cache"
        case .busy: "loading"
        case .kept: "cached, served in \(creative.took?.millisecondsText ?? "0") ms"
        case .failed: creative.problem ?? "not cached"
        }
    }

    static func role(of creative: WarmView) -> Role {
        switch creative.state {
        case .known: .stateOff
        case .busy: .stateBusy
        case .kept: .stateDone
        case .failed: .stateFailed
        }
    }

    /// The names of the columns of candidates.
    static func headings(_ view: AuctionView) -> [String] {
        ["src", "name", "price", "cpm \(view.rules.currency)", "state", "reason"]
    }

    private static func row(
        _ texts: [String], roles: [Role], _ model: AuctionModel, _ context: ViewContext, _ width: Int
    ) -> StyledLine {
        let widths = model.columns.widths(in: width)
        var line = StyledLine()
        var start = 0
        for (index, text) in texts.enumerated() where widths[index] > 0 {
            line.pad(to: start)
            line.append(SafeText(outside: text).truncatedTail(to: widths[index] - 1, context.glyphs), roles[index])
            start += widths[index]
        }
        return line
    }

    private static func candidate(
        _ candidate: Candidate, _ view: AuctionView, _ index: Int, _ model: AuctionModel, _ context: ViewContext,
        _ width: Int
    ) -> StyledLine {
        let muted: Role = candidate.state == .notEligible || candidate.state == .proxy ? .textMuted : .text
        let cpm: Role = view.changes[index] == nil ? muted : .stateRetry
        return row(
            texts(candidate, isChanged: view.changes[index] != nil),
            roles: [.textMuted, muted, muted, cpm, role(of: candidate.state), .textMuted], model, context, width)
    }

    /// What the columns of a candidate contain.
    static func texts(_ candidate: Candidate, isChanged: Bool) -> [String] {
        [
            candidate.source.rawValue, candidate.name,
            candidate.price.map { "\($0) \(candidate.currency ?? "")" } ?? "-",
            candidate.cpm.map { "\($0)\(isChanged ? "*" : "")" } ?? "-", word(candidate.state), why(candidate),
        ]
    }

    private static func word(_ state: Candidate.State) -> String {
        switch state {
        case .won: "WON"
        case .lost: "lost"
        case .proxy: "proxy"
        case .notEligible: "-"
        }
    }

    /// The colour of a candidate's state.
    static func role(of state: Candidate.State) -> Role {
        switch state {
        case .won: .stateDone
        case .lost(.lostToHigherBid), .lost(.lostToDeal), .lost(.preempted), .lost(.notForwarded): .stateIdle
        case .lost: .stateFailed
        case .proxy: .stateObserved
        case .notEligible: .stateOff
        }
    }

    /// The most specific reason, behind the OpenRTB code that the bidder gets; the detail has all of them.
    private static func why(_ candidate: Candidate) -> String {
        let last = candidate.notes.last?.text
        guard let reason = candidate.lostReason else { return last ?? "" }
        let words = [reason.words, last].compactMap { $0 }.joined(separator: ": ")
        guard candidate.source != .rtb else { return "\(reason.code.rawValue) \(words)" }
        switch reason {
        case .lostToHigherBid, .lostToDeal, .preempted, .notForwarded: return last ?? words
        default: return words
        }
    }

    private static func nonBid(
        _ nonBid: NonBid, _ model: AuctionModel, _ context: ViewContext, _ width: Int
    ) -> StyledLine {
        let isFault = nonBid.status >= NonBid.Status.error
        return row(
            texts(nonBid),
            roles: [.textMuted, .textMuted, .textMuted, .textMuted, isFault ? .statePartial : .stateOff, .textMuted],
            model, context, width)
    }

    /// What the columns of a bidder that made no bid contain.
    static func texts(_ nonBid: NonBid) -> [String] {
        ["-", nonBid.seat, "-", "-", "no bid", "\(nonBid.status) \(nonBid.why)"]
    }

    private static func labelled(_ label: SafeText, _ text: String, _ role: Role = .text) -> StyledLine {
        var line = StyledLine(label, role == .text ? .textMuted : role)
        line.pad(to: labelColumns)
        line.append(SafeText(outside: text, columns: 400), .text)
        return line
    }

    private static func notice(_ notice: NoticeView, _ context: ViewContext, _ width: Int) -> StyledLine {
        var line = StyledLine(SafeText(outside: notice.kind.rawValue), .textMuted)
        line.pad(to: labelColumns)
        let outcome = notice.status.map(String.init) ?? notice.state.rawValue
        line.add(outcome, role(of: notice))
        line.pad(to: 22)
        if notice.tries > 1 { line.add("\(notice.tries) tries  ", .stateRetry) }
        line.append(
            StyledLine.url(context.url(notice.url)).truncatedMiddle(to: max(8, width - line.columns), context.glyphs))
        return line
    }

    /// The colour of a notice's state.
    static func role(of notice: NoticeView) -> Role {
        switch notice.state {
        case .observed: .stateObserved
        case .sending: .stateBusy
        case .done: .stateDone
        case .failed: .stateFailed
        case .waiting: .stateRetry
        case .unknown: .stateUnknown
        case .skipped: .stateOff
        }
    }

    private static func key(_ key: AuctionKeyView) -> StyledLine {
        var line = StyledLine(SafeText(outside: key.name, columns: 24), .textMuted)
        line.pad(to: 24)
        line.append(SafeText(outside: key.value, columns: 80), .text)
        if let exact = key.exact { line.append("  ! exact " + SafeText(outside: exact, columns: 16), .stateRetry) }
        return line
    }
}
