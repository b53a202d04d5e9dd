import Screen

/// The string of an OSC, DCS, APC, PM or SOS as it comes in. Terminals send them as answers; only the one about the
/// background means something here.
struct TerminalReply: Sendable {
    /// Most bytes kept; a longer string is no answer of ours.
    private static let limit = 64
    private static let background = "11;rgb:"

    private let isOSC: Bool
    private var bytes: [UInt8] = []

    /// A string that was introduced by ESC and this byte.
    init(introducedBy byte: UInt8) { isOSC = byte == UInt8(ascii: "]") }

    /// Takes the next byte of the string.
    mutating func append(_ byte: UInt8) {
        if bytes.count <= Self.limit { bytes.append(byte) }
    }

    /// What the whole string says: `11;rgb:RRRR/GGGG/BBBB` with one to four hexadecimal digits each, or `rgba:`.
    var event: InputEvent? {
        guard isOSC, bytes.count <= Self.limit else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).replacing("rgba:", with: "rgb:", maxReplacements: 1)
        guard text.hasPrefix(Self.background) else { return nil }
        let parts = text.dropFirst(Self.background.utf8.count).split(separator: "/", omittingEmptySubsequences: false)
        let values = parts.prefix(3).compactMap(Self.share)
        guard values.count == 3 else { return nil }
        // Brightness as the eye sees it (ITU-R BT.601).
        return .background(isLight: 0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2] > 0.5)
    }

    /// A channel from 0 to 1; nil when it is not one to four hexadecimal digits.
    private static func share(_ digits: some StringProtocol) -> Double? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        return Double(value) / Double((UInt32(1) << (4 * UInt32(digits.utf8.count))) - 1)
    }
}
