import Ports

/// The time scales of the tracks in an initialization section (ISO/IEC 14496-12 sections 8.3.2 and 8.4.2).
package struct TrackScales: Hashable, Sendable {
    /// Ticks per second, by track.
    var ticks: [UInt64: UInt64] = [:]

    package static let none = TrackScales()

    init() {}

    package init(_ bytes: [UInt8]) {
        for movie in Boxes(bytes[...]) where movie.type == "moov" {
            for track in Boxes(movie.body) where track.type == "trak" && ticks.count < FragmentReader.trackLimit {
                let parts = Boxes(track.body)
                let media = parts.first { $0.type == "mdia" }.flatMap { Boxes($0.body).first { $0.type == "mdhd" } }
                guard let id = parts.first(where: { $0.type == "tkhd" }).flatMap({ Self.number(in: $0.body) }),
                    let scale = media.flatMap({ Self.number(in: $0.body) }), scale > 0
                else { continue }
                ticks[id] = scale
            }
        }
    }

    /// The 32 bits behind the dates of creation and change, which have 32 or 64 bits.
    private static func number(in body: ArraySlice<UInt8>) -> UInt64? {
        var reader = BigEndianReader(body)
        guard let version = reader.number(1), reader.skip(version == 1 ? 19 : 11) else { return nil }
        return reader.number(4)
    }
}

/// Event messages of fragmented MP4 segments (ISO/IEC 23009-1 section 5.10.3.3; ISO/IEC 14496-12 for the boxes around them).
struct FragmentReader {
    static let trackLimit = 64
    static let messageLimit = 512

    private(set) var found: [TimedMetadata] = []
    /// The boxes that `found` follows from.
    private(set) var excerpt: [UInt8] = []

    /// A moment in ticks; nil of the segment's start, for a distance from it.
    private struct Message {
        var time: UInt64
        var scale: UInt64
        var isFromStart: Bool
        var content: TimedMetadata.Content
    }

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return false }
        return bytes.dropFirst(4).prefix(4).allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    /// Where the first media of the bytes ends: 0 where something is seen to follow it, nil without media.
    static func mediaEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        var end = 0
        var hasMedia = false
        for box in Boxes(bytes) {
            if hasMedia { return 0 }
            // Nothing follows a box that reaches to the end, of which the bytes may be a part.
            end = box.isLast ? .max : end.addingSaturating(box.size)
            hasMedia = box.type == "mdat"
            if box.type == endType {
                var reader = BigEndianReader(box.body)
                return reader.number(8).map { Int(clamping: $0) }
            }
        }
        return hasMedia ? end : nil
    }

    /// A box of excerpts, which have no media: what ``mediaEnd(in:)`` was. It is their first one, because the last one may be cut or
    /// reach to the end: what followed would become a part of it.
    private static let endType = "adto"

    private static func endBox(_ end: Int) -> [UInt8] {
        let value = (0..<8).reversed().map { UInt8(truncatingIfNeeded: end >> ($0 * 8)) }
        return [0, 0, 0, 16] + Array(endType.utf8) + value
    }

    init(_ bytes: ArraySlice<UInt8>, _ scales: TrackScales) {
        var messages: [Message] = []
        // Microseconds from the start of the presentation to that of the segment.
        var start: Int64?
        if let end = Self.mediaEnd(in: bytes) { excerpt += Self.endBox(end) }
        for box in Boxes(bytes) {
            switch box.type {
            case "emsg":
                if messages.count < Self.messageLimit, box.isWhole, let message = Self.message(box.body) {
                    messages.append(message)
                }
            case "sidx": start = start ?? Self.start(ofIndex: box.body)
            case "moof": start = start ?? Self.start(ofFragment: box.body, scales)
            case "moov": break
            default: continue
            }
            excerpt += box.bytes
        }
        found = messages.map { message in
            let time = Self.microseconds(message.time, message.scale)
            let span = message.isFromStart ? time : start.map { time.subtractingSaturating($0) } ?? 0
            return TimedMetadata(at: .microseconds(span), message.content)
        }
    }

    private static func message(_ body: ArraySlice<UInt8>) -> Message? {
        var reader = BigEndianReader(body)
        guard let version = reader.number(1), version <= 1, reader.skip(3) else { return nil }
        var names: (ArraySlice<UInt8>, ArraySlice<UInt8>)?
        if version == 0 { names = Self.names(&reader) }
        guard let scale = reader.number(4), scale > 0, let time = reader.number(version == 0 ? 4 : 8), reader.skip(8)
        else { return nil }
        if version == 1 { names = Self.names(&reader) }
        guard let names else { return nil }
        return Message(
            time: time, scale: scale, isFromStart: version == 0,
            content: TimedMetadata.Content(
                scheme: String(decoding: names.0, as: UTF8.self), value: String(decoding: names.1, as: UTF8.self),
                reader.rest.prefix(ID3Tag.byteLimit)))
    }

    private static func names(_ reader: inout BigEndianReader) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
        guard let scheme = reader.terminated(), let value = reader.terminated() else { return nil }
        return (scheme, value)
    }

    private static func start(ofIndex body: ArraySlice<UInt8>) -> Int64? {
        var reader = BigEndianReader(body)
        guard let version = reader.number(1), reader.skip(7), let scale = reader.number(4), scale > 0,
            let time = reader.number(version == 0 ? 4 : 8)
        else { return nil }
        return microseconds(time, scale)
    }

    /// The decode time of the first track whose scale is known.
    private static func start(ofFragment body: ArraySlice<UInt8>, _ scales: TrackScales) -> Int64? {
        for track in Boxes(body).prefix(trackLimit) where track.type == "traf" {
            let parts = Boxes(track.body)
            guard let head = parts.first(where: { $0.type == "tfhd" }),
                let time = parts.first(where: { $0.type == "tfdt" })
            else { continue }
            var (first, second) = (BigEndianReader(head.body), BigEndianReader(time.body))
            guard first.skip(4), let id = first.number(4), let scale = scales.ticks[id],
                let version = second.number(1), second.skip(3), let ticks = second.number(version == 0 ? 4 : 8)
            else { continue }
            return microseconds(ticks, scale)
        }
        return nil
    }

    private static func microseconds(_ ticks: UInt64, _ scale: UInt64) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: scale)
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow, whole.partialValue < UInt64(Int64.max) / 2 else { return Int64.max / 2 }
        return Int64(whole.partialValue + rest * 1_000_000 / scale)
    }
}

/// The boxes in a run of bytes (ISO/IEC 14496-12 section 4.2); the last one may be cut.
private struct Boxes: Sequence, IteratorProtocol {
    struct Box {
        let type: String
        /// What of it is there, with its head.
        let bytes: ArraySlice<UInt8>
        let body: ArraySlice<UInt8>
        /// Bytes of all of it; of one that reaches to the end, those that are there.
        let size: Int
        /// Whether it reaches to the end of the file.
        let isLast: Bool

        var isWhole: Bool { bytes.count == size }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> Box? {
        var reader = BigEndianReader(rest)
        guard let small = reader.number(4), let type = reader.take(4) else { return nil }
        let large = small == 1 ? reader.number(8) : small
        let head = reader.position - rest.startIndex
        guard let large else { return nil }
        // A size of 0 reaches to the end.
        let size = large == 0 ? rest.count : Int(clamping: large)
        guard size >= head else { return nil }
        let bytes = rest.prefix(size)
        defer { rest = rest.dropFirst(bytes.count) }
        return Box(
            type: String(decoding: type, as: UTF8.self), bytes: bytes, body: bytes.dropFirst(head), size: size,
            isLast: large == 0)
    }
}
