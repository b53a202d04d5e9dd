import Ports
import Screen

/// The counts of states for a header: `✓12 done  ✗1 failed`, shorter `✓12 ✗1`, and last the failures alone.
struct StateCounts {
    private let glyphs: Glyphs
    private var long = StyledLine()
    private var short = StyledLine()
    private var failures = StyledLine()

    init(_ glyphs: Glyphs) {
        self.glyphs = glyphs
    }

    /// Adds a state; a count of zero is muted.
    mutating func add(_ count: Int, _ sign: StateSign, _ word: SafeText, isFailure: Bool) {
        let role = count == 0 ? Role.textMuted : sign.role
        var item = StyledLine(SafeText(glyphs.sign(sign)), role)
        item.add(count.grouped, role)
        if short.columns > 0 {
            short.space()
            long.space(2)
        }
        short.append(item)
        long.append(item)
        long.space()
        long.append(word, role)
        if isFailure { failures = item }
    }

    /// The three forms, with the ranks at which the second and the third replace the one before.
    func item(ranks: [Int]) -> FittedRow.Item {
        FittedRow.Item([long, short, failures], ranks: ranks, gap: 3)
    }
}
