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

    /// A frame of an ID3 tag of version 2.4.
    struct TagFrame {
        let id: String
        let content: [UInt8]

        /// A text in UTF-8.
        init(id: String, text: String) {
            (self.id, content) = (id, [0x03] + Array(text.utf8))
        }

        /// A text of the user's own.
        init(text: String) {
            (id, content) = ("TXXX", [0x03, 0x00] + Array(text.utf8))
        }

        var bytes: [UInt8] { Array(id.utf8) + Self.size(content.count) + [0x00, 0x00] + content }

        static func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
    }

    /// A segment that begins at `startMs` and carries ID3 tags of these frames, each at its distance from there.
    /// (Apple, "Timed Metadata for HTTP Live Streaming").
    static func segment(_ number: Int, startMs: Int, carrying tags: [(offsetMs: Int, frames: [TagFrame])]) -> [UInt8] {
        let counter = UInt8(truncatingIfNeeded: number) & 0x0F
        var bytes = tablePacket(pid: 0, counter: counter, section: programAssociation)
        bytes += tablePacket(pid: programMapPid, counter: counter, section: programMapWithMetadata)
        bytes += packets(pid: videoPid, pes(stream: 0xE0, atMs: startMs, []))
        for (offsetMs, frames) in tags {
            bytes += packets(pid: metadataPid, pes(stream: 0xBD, atMs: startMs + offsetMs, tag(frames)))
        }
        return bytes
    }

    private static let videoPid = 0x100
    private static let metadataPid = 0x102

    /// As ``programMap``, and ID3 tags (type 0x15) on PID 0x102.
    private static let programMapWithMetadata = withCRC([
        0x02, 0xB0, 0x17, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00, 0x1B, 0xE1, 0x00, 0xF0, 0x00,
        0x15, 0xE1, 0x02, 0xF0, 0x00,
    ])

    /// A packetized elementary stream packet with a presentation time of 90 kHz in 33 bits.
    private static func pes(stream: UInt8, atMs: Int, _ payload: [UInt8]) -> [UInt8] {
        let time = (atMs * 90) & 0x1_FFFF_FFFF
        let fields: [Int] = [
            0x21 | time >> 29 & 0x0E, time >> 22 & 0xFF, 0x01 | time >> 14 & 0xFE, time >> 7 & 0xFF,
            0x01 | time << 1 & 0xFE,
        ]
        let length = stream == 0xE0 ? 0 : 3 + fields.count + payload.count
        return [0x00, 0x00, 0x01, stream, UInt8(length >> 8), UInt8(length & 0xFF), 0x84, 0x80, UInt8(fields.count)]
            + fields.map { UInt8($0) } + payload
    }

    private static func tag(_ frames: [TagFrame]) -> [UInt8] {
        let body = frames.flatMap(\.bytes)
        return Array("ID3".utf8) + [0x04, 0x00, 0x00] + TagFrame.size(body.count) + body
    }

    /// The packets of a unit; the last one is filled up in its adaptation field.
    private static func packets(pid: Int, _ unit: [UInt8]) -> [UInt8] {
        var (bytes, rest, isFirst) = ([UInt8](), unit[...], true)
        while !rest.isEmpty {
            let part = rest.prefix(packetBytes - 4)
            rest = rest.dropFirst(part.count)
            var head = header(pid: pid, startsUnit: isFirst, counter: 0)
            let missing = packetBytes - 4 - part.count
            if missing > 0 {
                head[3] |= 0x20
                head.append(UInt8(missing - 1))
                if missing > 1 { head += [0x00] + [UInt8](repeating: 0xFF, count: missing - 2) }
            }
            bytes += head + part
            isFirst = false
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
