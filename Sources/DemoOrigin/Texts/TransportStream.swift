/// Segments of valid MPEG-2 transport stream packets: tables and stuffing, without video.
enum TransportStream {
    /// Packet size (ISO/IEC 13818-1).
    static let packetBytes = 188
    /// Packets of a segment; few, because no client decodes them.
    static let packetsPerSegment = 8
    private static let programMapPid = 0x1000
    private static let nullPid = 0x1FFF

    /// The bytes of segment `number`: program association and map tables, then null packets.
    static func segment(_ number: Int) -> [UInt8] {
        // Each segment has one table of each kind, so the counter of both is the segment's number modulo 16.
        let counter = UInt8(truncatingIfNeeded: number) & 0x0F
        var bytes = tablePacket(pid: 0, counter: counter, section: programAssociation)
        bytes += tablePacket(pid: programMapPid, counter: counter, section: programMap)
        for _ in 2..<packetsPerSegment {
            bytes += header(pid: nullPid, startsUnit: false, counter: 0)
            bytes += [UInt8](repeating: 0xFF, count: packetBytes - 4)
        }
        return bytes
    }

    /// One program, number 1.
    private static let programAssociation = withCRC([
        0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00,
        0x00, 0x01, 0xE0 | UInt8(programMapPid >> 8), UInt8(programMapPid & 0xFF),
    ])

    /// H.264 video on PID 0x100, which also carries the program clock.
    private static let programMap = withCRC([
        0x02, 0xB0, 0x12, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00, 0x1B, 0xE1, 0x00, 0xF0, 0x00,
    ])

    private static func tablePacket(pid: Int, counter: UInt8, section: [UInt8]) -> [UInt8] {
        let payload = [0x00] + section
        let stuffing = packetBytes - 4 - payload.count
        return header(pid: pid, startsUnit: true, counter: counter) + payload
            + [UInt8](repeating: 0xFF, count: stuffing)
    }

    private static func header(pid: Int, startsUnit: Bool, counter: UInt8) -> [UInt8] {
        [0x47, (startsUnit ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10 | counter]
    }

    /// The bytes with CRC-32/MPEG-2 appended (ISO/IEC 13818-1 annex A).
    static func withCRC(_ section: [UInt8]) -> [UInt8] {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in section {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : (crc << 1) ^ 0x04C1_1DB7 }
        }
        return section + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}
