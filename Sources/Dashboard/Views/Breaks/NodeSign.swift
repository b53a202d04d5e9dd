import Screen
import Session

/// The sign of a break or an ad: on air before everything else, then the most urgent state of its events.
struct NodeSign {
    /// Nil where there is nothing to report.
    let sign: StateSign?
    /// Whether only playlist cues announce the break.
    var isCuesOnly = false
    /// Whether it is a break without an ad.
    var isEmpty = false
    /// Whether it is an interstitial whose assets could not be loaded.
    var isCancelled = false
    /// No longer in the metadata.
    let hasVanished: Bool

    /// The sign of a break with these totals.
    init(_ view: BreakView, _ tally: Tally) {
        sign = view.isOnAir ? .onAir : tally.total > 0 ? tally.sign : nil
        isCuesOnly = view.isCuesOnly
        isEmpty = view.isEmpty
        isCancelled = view.problem != nil
        hasVanished = view.hasVanished
    }

    /// The sign of an ad with these totals.
    init(_ ad: AdView, _ tally: Tally) {
        sign = ad.isOnAir ? .onAir : tally.total > 0 ? tally.sign : nil
        hasVanished = ad.hasVanished
    }

    /// What is shown where there is no state.
    var word: SafeText {
        isCancelled ? BreakOutcome.cancelled : isCuesOnly ? "cues only" : isEmpty ? BreakOutcome.noAds : "no beacons"
    }
}

extension ViewContext {
    /// Sign and word of a break or an ad.
    func badge(_ node: NodeSign, withWord: Bool = true) -> StyledLine {
        if let sign = node.sign { return badge(sign, withWord: withWord) }
        var line = StyledLine(glyphs.isASCII ? "[ ]" : SafeText(glyphs.track), .textMuted)
        if withWord {
            line.space()
            line.append(node.word, node.isCancelled ? .stateFailed : .textMuted)
        }
        return line
    }
}
