import AdTracking
import Screen
import Session

/// The words of a verdict as the items of a row: one for each problem, the worst first, then what became of the beacons.
struct VerdictItems {
    private let verdict: Verdict
    private let glyphs: Glyphs

    init(_ verdict: Verdict, _ glyphs: Glyphs) {
        self.verdict = verdict
        self.glyphs = glyphs
    }

    /// The items from left to right. Less important ones give way first, and what failed is the last to go.
    var items: [FittedRow.Item] {
        let problems = verdict.problems.compactMap { problem in
            let item = item(problem)
            return action(for: problem).flatMap { item?.opening($0) } ?? item
        }
        // What was sent may be of ad spaces alone, which then is the more important one to read.
        let hasOthers = !verdict.hasMetadata && verdict.beacons.due > 0 && verdict.phase != .starting
        let sent = verdict.beacons.due > 0 ? beacons.opening(.paneSummary) : beacons
        return problems + [sent] + (hasOthers ? [noMetadata(rank: 5)] : [])
    }

    /// What a click on a problem opens: where it is explained.
    private func action(for problem: Verdict.Problem) -> Action? {
        switch problem {
        // Pings are in no break.
        case .failed(let count): verdict.beacons.failedPings == count ? .paneSession : .nextFailure
        case .unknown: .nextFailure
        case .findings: .paneFindings
        case .playlist: .panePlaylist
        case .notOpened, .over, .metadata, .ping, .stalled: .paneSession
        case .behind: nil
        }
    }

    /// The same in as few cells as possible, for the smallest screens.
    var tiny: [FittedRow.Item] {
        items.map {
            FittedRow.Item([$0.forms.last { $0.columns > 0 } ?? StyledLine(), StyledLine()], ranks: [5], gap: 1)
        }
    }

    private func item(_ problem: Verdict.Problem) -> FittedRow.Item? {
        switch problem {
        case .notOpened: return bad(["cannot open the stream", "cannot open"], ranks: [5])
        case .over: return bad(["session over"], ranks: [])
        case .playlist(let status): return feed("playlist", "P", status)
        case .metadata(let status): return feed("metadata", "M", status)
        case .ping(let status): return feed("ping", "ping", status)
        case .stalled: return bad(["stalled"], ranks: [])
        case .failed(let count):
            let (one, many): (SafeText, SafeText) =
                verdict.beacons.failedPings == count
                ? (" ping failed", " pings failed") : (" beacon failed", " beacons failed")
            return counted(.failed, count, [count == 1 ? one : many, " failed"], [4, 11])
        case .unknown(let count):
            return counted(
                .unknown, count, [count == 1 ? " outcome unknown" : " outcomes unknown", " unknown"], [3, 9])
        case .findings(let errors, let warnings): return findings(errors, warnings)
        // The latency has its own column.
        case .behind: return nil
        }
    }

    /// `✗ stalled`
    private func bad(_ texts: [SafeText], ranks: [Int]) -> FittedRow.Item {
        FittedRow.Item(texts.map { StyledLine(sign(.failed) + " " + $0, .stateFailed) }, ranks: ranks)
    }

    /// `✗ playlist 503`, then `✗ playlist`, then `P✗`.
    private func feed(_ name: SafeText, _ letter: SafeText, _ status: Int?) -> FittedRow.Item {
        let plain = StyledLine(sign(.failed) + " " + name, .stateFailed)
        var long = plain
        if let status { long.add(" \(status)", .stateFailed) }
        return FittedRow.Item([long, plain, StyledLine(letter + sign(.failed), .stateFailed)], ranks: [4, 10])
    }

    /// `✗ 3 beacons failed`, then `✗ 3 failed`, then `✗3`.
    private func counted(_ state: StateSign, _ count: Int, _ words: [SafeText], _ ranks: [Int]) -> FittedRow.Item {
        let forms = words.map { StyledLine(sign(state) + " " + number(count) + $0, state.role) }
        return row(forms, StyledLine(sign(state) + number(count), state.role), ranks)
    }

    /// `⚠ 4 findings (2 errors)`, then `⚠ 4 findings`, then `⚠4`: the tabs below have the word.
    private func findings(_ errors: Int, _ warnings: Int) -> FittedRow.Item {
        let role: Role = errors > 0 ? .stateFailed : .stateRetry
        let sum = errors + warnings
        let warning = SafeText(glyphs.warning)
        let plain = StyledLine(warning + " " + number(sum) + (sum == 1 ? " finding" : " findings"), role)
        var long = plain
        if errors > 0 { long.append(" (" + number(errors) + (errors == 1 ? " error)" : " errors)"), role) }
        return row([long, plain], StyledLine(warning + number(sum), role), [3, 6])
    }

    /// What became of the beacons: quiet beside a problem, the answer where there is none.
    private var beacons: FittedRow.Item {
        guard verdict.phase != .starting else {
            // The item of the problem already reports that the stream is not open.
            guard !verdict.problems.contains(.notOpened) else { return .nothing }
            return FittedRow.Item([StyledLine("opening the stream", .textMuted), StyledLine()], ranks: [6])
        }
        let sum = verdict.beacons
        guard sum.due > 0 else { return nothingDue }
        guard sum.sent > 0 || verdict.mode == .fire else { return observed(sum.due) }
        let isWhole = sum.sent >= sum.due
        guard verdict.isGood, isWhole else {
            let counts = isWhole ? number(sum.sent) : number(sum.sent) + " of " + number(sum.due)
            let short = StyledLine(counts + " sent", .text)
            let long = StyledLine(counts + " sent" + kinds, .text)
            return FittedRow.Item([withLate(long), long, short, StyledLine()], ranks: [2, 4, 5])
        }
        let words: SafeText = sum.sent == 1 ? " due beacon sent" : " due beacons sent"
        let all = sign(.done) + (sum.sent == 1 ? " the " : " all ") + number(sum.sent) + words
        let long = StyledLine(all + kinds, .stateDone)
        let short = StyledLine(sign(.done) + " " + number(sum.sent) + " sent", .stateDone)
        let middle = StyledLine(sign(.done) + " " + number(sum.sent) + " sent" + kinds, .stateDone)
        // Where nothing is wrong, what they were of outlasts the provider and the clock.
        return row(
            [withLate(long), long, middle, short], StyledLine(sign(.done) + number(sum.sent), .stateDone),
            [2, 5, 7, 11])
    }

    /// What the sent beacons were of, where none was of an ad of the stream: ` (ad spaces)`.
    private var kinds: SafeText {
        let sum = verdict.beacons
        guard sum.sent > 0, sum.adSpaces + sum.pings >= sum.sent else { return "" }
        if sum.pings == 0 { return " (ad spaces)" }
        return sum.adSpaces == 0 ? " (pings)" : " (pings, ad spaces)"
    }

    /// `✓ 31 due, none sent (observe)`
    private func observed(_ due: Int) -> FittedRow.Item {
        let start = (verdict.isGood ? sign(.done) + " " : "") + number(due) + " due"
        let role: Role = verdict.isGood ? .stateDone : .text
        let plain = StyledLine(start + ", none sent", role)
        let long = StyledLine(start + ", none sent (observe)", role)
        return FittedRow.Item([withLate(long), long, plain, StyledLine(start, role)], ranks: [2, 3, 8])
    }

    private var nothingDue: FittedRow.Item {
        guard verdict.hasMetadata else { return noMetadata(rank: 6) }
        return FittedRow.Item([StyledLine("no beacon due yet", .textMuted), StyledLine()], ranks: [6])
    }

    private func noMetadata(rank: Int) -> FittedRow.Item {
        FittedRow.Item([StyledLine("no ad metadata", .textMuted), StyledLine()], ranks: [rank])
    }

    private func withLate(_ line: StyledLine) -> StyledLine {
        guard verdict.late > 0 else { return line }
        var line = line
        line.append(glyphs.isASCII ? ", " : " · ", .textMuted)
        line.append(number(verdict.late) + " late", .stateRetry)
        return line
    }

    private func row(_ forms: [StyledLine], _ shortest: StyledLine, _ ranks: [Int]) -> FittedRow.Item {
        FittedRow.Item(forms + [shortest], ranks: ranks)
    }

    private func sign(_ state: StateSign) -> SafeText { SafeText(glyphs.sign(state)) }

    private func number(_ count: Int) -> SafeText { SafeText(outside: TimeText.grouped(count)) }
}
