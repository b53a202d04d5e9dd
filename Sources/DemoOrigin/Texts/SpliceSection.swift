/// SCTE 35 messages of the origin, written bit by bit (HLS-26), because an oracle that shared adtop's decoder would
/// share its bugs.
///
/// Breaks with an even number use `splice_insert`, the others `time_signal` with a segmentation descriptor of type
/// 0x34 or 0x35 and a URI as UPID.
struct SpliceSection {
    /// The whole `splice_info_section`, CRC included.
    let bytes: [UInt8]

    /// The message at one end of a break.
    init(_ mark: LiveStream.BreakMark, isOut: Bool) {
        let atMs = mark.startMs + (isOut ? 0 : mark.durationMs)
        let durationTicks = isOut ? UInt64(mark.durationMs) * 90 : nil
        // 90 kHz, modulo 2^33.
        let ticks = UInt64(truncatingIfNeeded: atMs &* 90) & 0x1_FFFF_FFFF
        let event = UInt64(UInt32(truncatingIfNeeded: mark.number))
        if mark.number.isMultiple(of: 2) {
            let command = Self.spliceInsert(event: event, isOut: isOut, ticks: ticks, durationTicks: durationTicks)
            bytes = Self.section(type: 0x05, command: command, descriptors: [])
        } else {
            let descriptor = Self.segmentation(event: event, isOut: isOut, durationTicks: durationTicks)
            bytes = Self.section(type: 0x06, command: Self.spliceTime(ticks), descriptors: descriptor)
        }
    }

    /// `0x` and hexadecimal digits, the form in date ranges.
    var hex: String {
        "0x"
            + bytes.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return byte < 16 ? "0" + digits : digits
            }.joined()
    }

    /// Base64 with padding, the form in the other tags (RFC 4648 section 4).
    var base64: String { Base64Text.encoded(bytes) }

    private static func section(type: UInt64, command: [UInt8], descriptors: [UInt8]) -> [UInt8] {
        let length = 11 + command.count + 2 + descriptors.count + 4
        var bits = BitWriter()
        bits.append(0xFC, 8)
        // Section syntax and private indicator 0, SAP type 3: not specified.
        bits.append(0b0011, 4)
        bits.append(UInt64(length), 12)
        // Protocol version 0; not encrypted, algorithm 0; PTS adjustment 0.
        bits.append(0, 8)
        bits.append(0, 7)
        bits.append(0, 33)
        bits.append(0, 8)
        // Tier 0xFFF: none.
        bits.append(0xFFF, 12)
        bits.append(UInt64(command.count), 12)
        bits.append(type, 8)
        bits.append(command)
        bits.append(UInt64(descriptors.count), 16)
        bits.append(descriptors)
        return TransportStream.withCRC(bits.bytes)
    }

    private static func spliceInsert(event: UInt64, isOut: Bool, ticks: UInt64, durationTicks: UInt64?) -> [UInt8] {
        var bits = BitWriter()
        bits.append(event, 32)
        // Not cancelled, then seven reserved bits.
        bits.append(0x7F, 8)
        bits.append(isOut ? 1 : 0, 1)
        // The whole program is spliced.
        bits.append(1, 1)
        bits.append(durationTicks == nil ? 0 : 1, 1)
        // Not immediate, then four reserved bits.
        bits.append(0x0F, 5)
        bits.append(spliceTime(ticks))
        if let durationTicks {
            // No auto return: a message for the end follows.
            bits.append(0x3F, 7)
            bits.append(durationTicks, 33)
        }
        bits.append(1, 16)
        bits.append(0, 16)
        return bits.bytes
    }

    private static func spliceTime(_ ticks: UInt64) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0x7F, 7)
        bits.append(ticks, 33)
        return bits.bytes
    }

    private static func segmentation(event: UInt64, isOut: Bool, durationTicks: UInt64?) -> [UInt8] {
        var body = BitWriter()
        body.append(Array("CUEI".utf8))
        body.append(event, 32)
        body.append(0x7F, 8)
        // Program segmentation; duration flag; delivery not restricted; reserved.
        body.append(1, 1)
        body.append(durationTicks == nil ? 0 : 1, 1)
        body.append(0x3F, 6)
        if let durationTicks { body.append(durationTicks, 40) }
        let upid = Array("urn:adtop:break:\(event)".utf8)
        body.append(0x0F, 8)
        body.append(UInt64(upid.count), 8)
        body.append(upid)
        body.append(isOut ? 0x34 : 0x35, 8)
        body.append(1, 8)
        body.append(1, 8)
        return [0x02, UInt8(truncatingIfNeeded: body.bytes.count)] + body.bytes
    }
}

/// Bits, the most significant first.
struct BitWriter {
    /// The bytes written so far; the last one is padded with zeros.
    private(set) var bytes: [UInt8] = []
    private var free = 0

    /// Appends the `count` lowest bits of `value`.
    mutating func append(_ value: UInt64, _ count: Int) {
        for shift in stride(from: count - 1, through: 0, by: -1) {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> UInt64(shift) & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
        }
    }

    /// Appends whole bytes.
    mutating func append(_ more: [UInt8]) {
        guard free > 0 else { return bytes += more }
        for byte in more { append(UInt64(byte), 8) }
    }
}

/// Base64 (RFC 4648 section 4).
enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// `bytes` with padding.
    static func encoded(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = 0
            for index in 0..<3 { value = value << 8 | (index < group.count ? Int(group[start + index]) : 0) }
            for index in 0..<4 {
                output.append(index <= group.count ? digits[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
