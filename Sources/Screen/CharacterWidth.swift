/// How many cells a scalar takes, and whether it may be shown at all.
///
/// ncurses computes the cursor from libc's `wcwidth`, so only libc's answer keeps the columns aligned (TERM-21). The
/// tables are those of glibc 2.36; where the libc of the running host disagrees, the terminal names the scalars and the
/// grid shows a replacement for them in the same number of cells.
package struct CharacterWidth: Sendable, Equatable {
    /// How a terminal treats a scalar.
    package enum Class: Sendable, Equatable {
        /// One cell.
        case narrow
        /// Two cells.
        case wide
        /// No cell of its own: it joins the base before it.
        case mark
        /// Invisible or reordering; shown as `<U+202E>`.
        case hidden
        /// Control character, C0, DEL or C1.
        case control
        /// Unassigned or a noncharacter; shown as U+FFFD.
        case unprintable
    }

    /// The tables without any host's corrections.
    package static let standard = CharacterWidth()

    /// Whether the host agrees with the tables on every scalar.
    package var agreesOnAll: Bool { disagreements.isEmpty }

    /// First and last values of ascending ranges that the host measures otherwise.
    private let disagreements: [UInt32]

    /// The tables, with the disjoint ranges that the host's libc measures otherwise.
    package init(disagreements: [ClosedRange<UInt32>] = []) {
        self.disagreements = disagreements.sorted { $0.lowerBound < $1.lowerBound }
            .flatMap { [$0.lowerBound, $0.upperBound] }
    }

    /// Whether the host cannot be trusted to advance by our width for this scalar.
    package func disagrees(on scalar: Unicode.Scalar) -> Bool {
        CharacterWidth.contains(disagreements, scalar.value)
    }

    /// The class of a scalar by the tables.
    package static func of(_ scalar: Unicode.Scalar) -> Class {
        let value = scalar.value
        if value < 0x7F { return value < 0x20 ? .control : .narrow }
        if value < 0xA0 { return .control }
        // The blocks that fill real titles are decided without a search.
        switch value {
        case 0xAE...0x2FF, 0x2500...0x25FC: return .narrow
        case 0x4E00...0x9FFC, 0xAC00...0xD7A3: return .wide
        default: break
        }
        if contains(CharacterWidthTable.hidden, value) { return .hidden }
        if contains(CharacterWidthTable.zero, value) { return .mark }
        if contains(CharacterWidthTable.wide, value) { return .wide }
        if contains(CharacterWidthTable.unassigned, value) { return .unprintable }
        return .narrow
    }

    /// Binary search in ascending pairs of first and last value.
    private static func contains(_ pairs: [UInt32], _ value: UInt32) -> Bool {
        var low = 0, high = pairs.count / 2
        while low < high {
            let middle = (low + high) / 2
            if value > pairs[2 * middle + 1] { low = middle + 1 } else { high = middle }
        }
        return 2 * low < pairs.count && pairs[2 * low] <= value
    }
}
