/// Follows the private modes in a terminal's output: the modes that a real terminal would end in.
package struct ModeTracker {
    /// Modes that a well-behaved program switches off at its end.
    package static let transient = [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026]
    package private(set) var on: Set<Int> = [7, 25]
    /// The text that was written while the main screen was shown.
    package private(set) var mainScreen = ""

    package init(_ bytes: [UInt8]) {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x1B, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") else {
                if !isAlternate { text.append(bytes[index]) }
                index += 1
                continue
            }
            let end = bytes[(index + 2)...].firstIndex { (0x40...0x7E).contains($0) } ?? bytes.count - 1
            apply(String(decoding: bytes[(index + 2)..<end], as: UTF8.self), final: bytes[end])
            index = end + 1
        }
        mainScreen = String(decoding: text, as: UTF8.self)
    }

    package var isAlternate: Bool { on.contains(1049) }
    package var isCursorShown: Bool { on.contains(25) }
    /// Transient modes that are on.
    package var left: [Int] { ModeTracker.transient.filter(on.contains) }

    private mutating func apply(_ parameters: String, final: UInt8) {
        guard parameters.hasPrefix("?"), final == UInt8(ascii: "h") || final == UInt8(ascii: "l") else { return }
        for number in parameters.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
            if final == UInt8(ascii: "h") { on.insert(number) } else { on.remove(number) }
        }
    }
}
