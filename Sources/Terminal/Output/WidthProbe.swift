import CNcurses
package import Screen

/// Finds the scalars that this host's libc measures otherwise than our tables (TERM-21).
///
/// ncurses moves its cursor by libc's answer. Scanning all scalars would cost more than the rest of the start, so each
/// block where libcs differ is asked for a few sentinels and scanned whole only when one of them disagrees.
package enum WidthProbe {
    /// Blocks that differ between glibc, musl and macOS releases: emoji, symbols, marks and scripts of recent Unicodes.
    static let blocks: [ClosedRange<UInt32>] = [
        0x00A1...0x00FF, 0x0300...0x036F, 0x0590...0x05FF, 0x0900...0x097F, 0x0E00...0x0E7F, 0x1100...0x11FF,
        0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x2010...0x2027, 0x20D0...0x20FF, 0x2190...0x23FF, 0x2500...0x27BF,
        0x2B00...0x2BFF, 0x2E80...0x303F, 0x3099...0x33FF, 0x4DC0...0x4DFF, 0xA960...0xA97F, 0xD7B0...0xD7FF,
        0xFE20...0xFE2F, 0xFF00...0xFFEF, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D37F,
        0x1F000...0x1F0FF, 0x1F100...0x1F2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7FF,
        0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x2007F,
    ]
    /// Sentinels asked in a block: spread evenly, first and last among them.
    static let sentinels: UInt32 = 9

    /// The tables corrected for this host.
    package static func measure() -> CharacterWidth {
        CharacterWidth(disagreements: disagreements { Int(curses_width(wchar_t($0.value))) })
    }

    /// Ranges in which `width` differs from the tables; scalars that are shown as escapes do not count.
    static func disagreements(width: (Unicode.Scalar) -> Int) -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        for block in blocks {
            let span = block.upperBound - block.lowerBound
            let isSuspect = (0..<sentinels).contains {
                disagrees(block.lowerBound + span * $0 / (sentinels - 1), width)
            }
            guard isSuspect else { continue }
            for value in block where disagrees(value, width) {
                if let last = ranges.last, last.upperBound + 1 == value {
                    ranges[ranges.count - 1] = last.lowerBound...value
                } else {
                    ranges.append(value...value)
                }
            }
        }
        return ranges
    }

    private static func disagrees(_ value: UInt32, _ width: (Unicode.Scalar) -> Int) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        switch CharacterWidth.of(scalar) {
        case .narrow: return width(scalar) != 1
        case .wide: return width(scalar) != 2
        case .mark: return width(scalar) != 0
        case .hidden, .control, .unprintable: return false
        }
    }
}
