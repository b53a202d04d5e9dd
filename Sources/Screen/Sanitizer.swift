/// Turns text from outside into glyphs, one scalar after the other (TERM-26).
///
/// Escapes are visible and flagged; nothing is stripped but what would be a second glyph on an emoji or a fifth mark.
struct Sanitizer {
    /// The most bytes of one field that are looked at.
    static let byteLimit = 8_192
    /// The most cells one field shows unless its view asks for more.
    static let cellLimit = 512
    /// Runs of more hidden scalars than this become one escape with a count.
    static let hiddenRunLimit = 8
    /// Distance of the tab stops in body views.
    static let tabStop = 8

    /// What has been produced so far.
    private(set) var units: [SafeText.Unit] = []
    private(set) var clusters: [Cluster] = []
    private(set) var columns = 0
    /// Whether tabs go to the next stop rather than become one space.
    private let expandsTabs: Bool
    /// Whether a combining mark may join the last unit: not an escape of ours, and not the field to the left.
    private var acceptsMark = false

    init(expandsTabs: Bool = false) {
        self.expandsTabs = expandsTabs
    }

    /// Whether every byte is printable ASCII, which needs no work at all.
    static func isPlain(_ text: inout String) -> Bool {
        text.withUTF8 { bytes in
            var bad = false
            for byte in bytes { bad = bad || byte &- 0x20 > 0x5E }
            return !bad
        }
    }

    /// Appends the glyphs of a line of scalars.
    mutating func append(_ scalars: ArraySlice<Unicode.Scalar>) {
        units.reserveCapacity(units.count + scalars.count)
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            switch CharacterWidth.of(scalar) {
            case .narrow, .wide: index = appendBase(scalars, index)
            case .mark: appendMark(scalar)
            case .control: appendControl(scalar)
            case .hidden: index = appendHidden(scalars, index)
            case .unprintable: escape(Glyph.replacement.raw)
            }
            index += 1
        }
    }

    /// Appends a spacing scalar and skips what an emoji or a keycap cluster adds to it; gives the last index used.
    private mutating func appendBase(_ scalars: ArraySlice<Unicode.Scalar>, _ index: Int) -> Int {
        let scalar = scalars[index]
        if let letter = EmojiCluster.flagLetter(scalar) {
            unit(letter, flags: 0)
            return index
        }
        let wide = CharacterWidth.of(scalar) == .wide
        // U+FFFD replaces bytes that were not text, so it never passes for what was sent.
        let flags = (wide ? SafeText.Unit.wide : 0) | (scalar.value == 0xFFFD ? SafeText.Unit.escaped : 0)
        unit(scalar.value, flags: flags)
        acceptsMark = true
        return EmojiCluster.lastIndex(of: scalars, from: index)
    }

    /// Joins a combining mark to its base, or to a dotted circle when there is none.
    private mutating func appendMark(_ mark: Unicode.Scalar) {
        if !acceptsMark {
            unit(0x25CC, flags: 0)
            acceptsMark = true
        }
        guard let last = units.last else { return }
        if let index = last.clusterIndex {
            clusters[index].append(mark)
        } else if let base = Unicode.Scalar(last.value) {
            var cluster = Cluster(base: base)
            cluster.append(mark)
            units[units.count - 1].bits =
                last.bits & ~SafeText.Unit.valueMask | Glyph.clusterFlag | UInt32(truncatingIfNeeded: clusters.count)
            clusters.append(cluster)
        }
    }

    /// C0 and DEL in caret form, C1 as its number, a tab as space (TERM-26).
    private mutating func appendControl(_ scalar: Unicode.Scalar) {
        if scalar.value == 0x09 {
            let count = expandsTabs ? Sanitizer.tabStop - columns % Sanitizer.tabStop : 1
            for _ in 0..<count { unit(0x20, flags: 0) }
        } else if scalar.value < 0x80 {
            escape(0x5E)
            escape(scalar.value ^ 0x40)
        } else {
            escape(text: "<" + hex(scalar, digits: 2) + ">")
        }
    }

    /// Hidden scalars by number; a long run as its first one and a count. Gives the last index used.
    private mutating func appendHidden(_ scalars: ArraySlice<Unicode.Scalar>, _ index: Int) -> Int {
        var end = index + 1
        while end < scalars.endIndex, CharacterWidth.of(scalars[end]) == .hidden { end += 1 }
        let count = end - index
        if count > Sanitizer.hiddenRunLimit {
            escape(text: "<U+" + hex(scalars[index], digits: 4) + " x" + String(count) + ">")
        } else {
            for scalar in scalars[index..<end] { escape(text: "<U+" + hex(scalar, digits: 4) + ">") }
        }
        return end - 1
    }

    private mutating func unit(_ value: UInt32, flags: UInt32) {
        let unit = SafeText.Unit(bits: value | flags)
        units.append(unit)
        columns += unit.columns
        acceptsMark = false
    }

    private mutating func escape(_ value: UInt32) {
        unit(value, flags: SafeText.Unit.escaped)
    }

    /// Appends ASCII of ours, flagged as an escape.
    mutating func escape(text: String) {
        for scalar in text.unicodeScalars { escape(scalar.value) }
    }

    private func hex(_ scalar: Unicode.Scalar, digits: Int) -> String {
        let text = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
