/// Segments with timed metadata, written from the standards and not from the readers.
enum MediaBytes {
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    // MARK: ID3

    static func synchsafe(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }

    static func tag(_ frames: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + synchsafe(frames.count) + frames
    }

    static func frame(_ id: String, _ content: [UInt8], version: UInt8 = 4, flags: [UInt8] = [0, 0]) -> [UInt8] {
        Array(id.utf8) + (version == 4 ? synchsafe(content.count) : big(content.count, 4)) + flags + content
    }

    static func text(_ value: String) -> [UInt8] { tag(frame("TXXX", [3, 0] + Array(value.utf8))) }

    /// The tag with the time of packed audio, in ticks of 90 kHz.
    static func time(_ ticks: Int) -> [UInt8] {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        return tag(frame("PRIV", owner + big(ticks, 8)))
    }

    /// A frame of AAC, 1,024 samples of 48 kHz.
    static func adts(_ payload: [UInt8]) -> [UInt8] {
        let count = payload.count + 7
        return [
            0xFF, 0xF1, 0x4C, UInt8(0x80 | count >> 11), UInt8(count >> 3 & 0xFF), UInt8((count & 7) << 5 | 0x1F), 0xFC,
        ]
            + payload
    }

    // MARK: MPEG-2 transport streams

    static func packet(
        _ pid: Int, _ payload: [UInt8], starts: Bool = true, scrambled: Bool = false
    ) -> [UInt8] {
        precondition(payload.count <= 184)
        let missing = 184 - payload.count
        let head: [UInt8] = [
            0x47, (starts ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF),
            (missing > 0 ? 0x30 : 0x10) | (scrambled ? 0x80 : 0),
        ]
        guard missing > 0 else { return head + payload }
        return head + [UInt8(missing - 1)] + (missing > 1 ? [0] + [UInt8](repeating: 0xFF, count: missing - 2) : [])
            + payload
    }

    static func programs(_ map: Int) -> [UInt8] {
        section(0x00, [0, 1] + big(0xE000 | map, 2))
    }

    static func streams(_ entries: [(type: UInt8, pid: Int)], descriptors: [UInt8] = []) -> [UInt8] {
        section(
            0x02,
            [0xE1, 0x00] + big(0xF000 | descriptors.count, 2) + descriptors
                + entries.flatMap { [$0.type] + big(0xE000 | $0.pid, 2) + [0xF0, 0x00] })
    }

    private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0x00, table] + big(0xB000 | (5 + body.count + 4), 2) + [0, 1, 0xC1, 0, 0] + body + [0, 0, 0, 0]
    }

    static func pes(_ stream: UInt8, at ticks: Int?, _ payload: [UInt8]) -> [UInt8] {
        let fields: [UInt8] =
            ticks.map { time in
                [
                    UInt8(0x21 | time >> 29 & 0x0E), UInt8(time >> 22 & 0xFF), UInt8(0x01 | time >> 14 & 0xFE),
                    UInt8(time >> 7 & 0xFF), UInt8(0x01 | time << 1 & 0xFE),
                ]
            } ?? []
        return [0, 0, 1, stream, 0, 0, 0x80, ticks == nil ? 0 : 0x80, UInt8(fields.count)] + fields + payload
    }

    static func split(_ pid: Int, _ unit: [UInt8]) -> [UInt8] {
        stride(from: 0, to: unit.count, by: 184).flatMap { start in
            packet(pid, Array(unit[start..<min(start + 184, unit.count)]), starts: start == 0)
        }
    }

    /// A segment whose media begins at so many ticks.
    static func stream(start: Int, _ texts: [(ticks: Int, text: String)]) -> [UInt8] {
        packet(0, programs(0x1000)) + packet(0x1000, streams([(0x1B, 0x100), (0x15, 0x102)]))
            + split(0x100, pes(0xE0, at: start, [UInt8](repeating: 0x11, count: 500)))
            + texts.flatMap { split(0x102, pes(0xBD, at: $0.ticks & 0x1_FFFF_FFFF, text($0.text))) }
    }

    // MARK: MP4

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8, 4) + Array(type.utf8) + body }

    static func message(_ version: UInt8, scheme: String, scale: Int, time: Int, _ data: [UInt8]) -> [UInt8] {
        let names = Array(scheme.utf8) + [0] + Array("1".utf8) + [0]
        let numbers =
            version == 0
            ? big(scale, 4) + big(time, 4) + big(0, 4) + big(7, 4)
            : big(scale, 4) + big(time, 8) + big(0, 4) + big(7, 4)
        return box("emsg", [version, 0, 0, 0] + (version == 0 ? names + numbers : numbers + names) + data)
    }

    static func fragment(track: Int, time: Int) -> [UInt8] {
        box(
            "moof",
            box("mfhd", big(0, 8))
                + box("traf", box("tfhd", big(0, 4) + big(track, 4)) + box("tfdt", [1, 0, 0, 0] + big(time, 8))))
    }

    static func section(track: Int, scale: Int) -> [UInt8] {
        box("ftyp", Array("isom".utf8))
            + box(
                "moov",
                box(
                    "trak",
                    box("tkhd", big(0, 12) + big(track, 4))
                        + box("mdia", box("mdhd", [1, 0, 0, 0] + big(0, 16) + big(scale, 4)))))
    }
}
