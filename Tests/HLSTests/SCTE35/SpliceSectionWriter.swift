@testable import HLS

/// Writes splice_info_sections bit by bit, directly from the tables of the standard, so that tests do not depend on the
/// decoder.
struct SpliceSectionWriter {
    private var bits: [Bool] = []

    /// The fields as pairs of value and bits.
    init(_ fields: [(UInt64, Int)] = []) {
        for (value, count) in fields { add(value, count) }
    }

    mutating func add(_ value: UInt64, _ count: Int) {
        for bit in (0..<count).reversed() { bits.append(value >> UInt64(bit) & 1 == 1) }
    }

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(UInt64(byte), 8) }
    }

    var bytes: [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
        }
    }

    /// A whole section with a correct CRC.
    static func section(
        command: UInt8, body: [UInt8], descriptors: [UInt8] = [], commandLength: Int? = nil, stuffing: [UInt8] = []
    ) -> [UInt8] {
        var writer = SpliceSectionWriter()
        let length = 11 + body.count + 2 + descriptors.count + stuffing.count + 4
        writer.add(0xFC, 8)
        writer.add(0b0011, 4)
        writer.add(UInt64(length), 12)
        writer.add(0, 8)
        writer.add(0, 7)
        writer.add(0, 33)
        writer.add(0xFF, 8)
        writer.add(0xFFF, 12)
        writer.add(UInt64(commandLength ?? body.count), 12)
        writer.add(UInt64(command), 8)
        writer.add(body)
        writer.add(UInt64(descriptors.count), 16)
        writer.add(descriptors + stuffing)
        let bytes = writer.bytes
        var tail = SpliceSectionWriter()
        tail.add(UInt64(crc(bytes)), 32)
        return bytes + tail.bytes
    }

    /// A time_signal without a time, about one segment of this event and type, in hexadecimal.
    static func timeSignal(_ event: UInt64, _ type: UInt64) -> String {
        let fields: [(UInt64, Int)] = [(event, 32), (0x7F, 8), (0xBF, 8), (0, 8), (0, 8), (type, 8), (1, 8), (1, 8)]
        let bytes = section(command: 6, body: [0x7F], descriptors: descriptor(2, SpliceSectionWriter(fields).bytes))
        return "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// A descriptor that the standard defines.
    static func descriptor(_ tag: UInt8, _ body: [UInt8], identifier: String = "CUEI") -> [UInt8] {
        [tag, UInt8(4 + body.count)] + Array(identifier.utf8) + body
    }

    /// CRC-32/MPEG-2, computed bit by bit.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            for bit in (0..<8).reversed() {
                let isSet = (crc >> 31 ^ UInt32(byte >> UInt8(bit) & 1)) == 1
                crc = crc << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
            }
        }
        return crc
    }
}
