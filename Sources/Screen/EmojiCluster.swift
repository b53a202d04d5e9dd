/// The "simple emoji" policy: an emoji cluster is shown as its base scalar, because terminals and libc measure clusters
/// differently and only the base's width is agreed upon (TERM-21).
enum EmojiCluster {
    /// The letter for a regional indicator: flags are written as two letters.
    static func flagLetter(_ scalar: Unicode.Scalar) -> UInt32? {
        (0x1F1E6...0x1F1FF).contains(scalar.value) ? scalar.value - 0x1F1E6 + 0x41 : nil
    }

    /// The index of the last scalar that belongs to the cluster of the base at `index`.
    static func lastIndex(of scalars: ArraySlice<Unicode.Scalar>, from index: Int) -> Int {
        guard index + 1 < scalars.endIndex, continues(scalars[index + 1]) else { return index }
        let base = scalars[index]
        if let end = keycapEnd(scalars, index) { return end }
        guard isPictograph(base) else { return index }
        var last = index
        while last + 1 < scalars.endIndex {
            let next = scalars[last + 1].value
            switch next {
            case 0xFE0E, 0xFE0F, 0x1F3FB...0x1F3FF:
                last += 1
            case 0xE0020...0xE007F where base.value == 0x1F3F4:
                last += 1
            case 0x200D where last + 2 < scalars.endIndex && isPictograph(scalars[last + 2]):
                last += 2
            default:
                return last
            }
        }
        return last
    }

    /// Whether a scalar can follow an emoji in its cluster: decides without Unicode properties in nearly all text.
    private static func continues(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE0E, 0xFE0F, 0x200D, 0x20E3, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
        default: false
        }
    }

    /// Keycaps such as `1` U+FE0F U+20E3 are shown as the plain digit.
    private static func keycapEnd(_ scalars: ArraySlice<Unicode.Scalar>, _ index: Int) -> Int? {
        switch scalars[index] {
        case "0"..."9", "#", "*": break
        default: return nil
        }
        var next = index + 1
        if next < scalars.endIndex, scalars[next].value == 0xFE0F { next += 1 }
        return next < scalars.endIndex && scalars[next].value == 0x20E3 ? next : nil
    }

    private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xA9 && scalar.properties.isEmoji
    }
}
