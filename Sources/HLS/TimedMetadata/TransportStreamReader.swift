import Ports

/// Timed metadata in MPEG-2 transport streams: ID3 tags in packets of a stream of type 0x15 (ISO/IEC 13818-1; Apple, "Timed Metadata
/// for HTTP Live Streaming").
struct TransportStreamReader {
    static let packetBytes = 188
    /// Most programs and streams that are followed, packets of metadata that are read, and bytes of one.
    static let streamLimit = 64
    static let metadataLimit = 512
    static let packetLimit = 64 << 10

    /// Tags and their times.
    private(set) var found: [TimedMetadata] = []
    /// The packets that `found` follows from.
    private(set) var excerpt: [UInt8] = []

    private static let metadataType: UInt8 = 0x15
    private static let clockHz = 90_000
    private static let clockWrap = Int64(1) << 33
    /// The bits of a time.
    static let clockMask = clockWrap - 1

    private var programMaps: Set<Int> = []
    private var metadataPIDs: Set<Int> = []
    private var mediaPIDs: Set<Int> = []
    /// What of a section or packet has come, by PID.
    private var open: [Int: [UInt8]] = [:]
    /// The times of the first packets of video and audio.
    private var firstTimes: [Int64] = []
    private var tags: [(time: Int64?, tag: ID3Tag)] = []
    /// The beginnings of tags that go on in the next packet of their PID, with their times.
    private var cutTags: [Int: (time: Int64?, bytes: ArraySlice<UInt8>)] = [:]

    /// Index of the first packet, behind what is left of one that is cut; nil in what is no transport stream.
    static func start(of bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.prefix(packetBytes).first { index in
            bytes[index] == 0x47
                && (index + packetBytes >= bytes.endIndex
                    ? index == bytes.startIndex && bytes.count >= packetBytes : bytes[index + packetBytes] == 0x47)
        }
    }

    init(_ bytes: ArraySlice<UInt8>) {
        guard var index = Self.start(of: bytes) else { return }
        while index + Self.packetBytes <= bytes.endIndex {
            let packet = bytes[index..<index + Self.packetBytes]
            index += Self.packetBytes
            guard packet.first == 0x47 else { continue }
            if take(packet) { excerpt += packet }
        }
        for pid in metadataPIDs.sorted() { close(pid) }
        let first = firstTimes.first.map { origin in
            origin + (firstTimes.map { Self.distance($0, from: origin) }.min() ?? 0)
        }
        found = tags.map { entry in
            let offset = first.flatMap { first in entry.time.map { Self.time(of: $0, from: first) } }
            return TimedMetadata(at: offset ?? .zero, .id3(entry.tag))
        }
    }

    /// The time from one moment of the clock to another.
    static func time(of time: Int64, from origin: Int64) -> Duration {
        .microseconds(distance(time, from: origin) * 1_000_000 / Int64(clockHz))
    }

    /// Ticks from one time to another, which may be behind the wrap of the clock.
    private static func distance(_ time: Int64, from origin: Int64) -> Int64 {
        let span = (time - origin) & clockMask
        return span >= clockWrap / 2 ? span - clockWrap : span
    }

    /// - Returns: whether anything follows from the packet.
    private mutating func take(_ packet: ArraySlice<UInt8>) -> Bool {
        var reader = BigEndianReader(packet.dropFirst())
        guard let head = reader.number(2), let control = reader.number(1) else { return false }
        let pid = Int(head & 0x1FFF)
        let startsUnit = head & 0x4000 != 0
        if control & 0x20 != 0 { guard let length = reader.number(1), reader.skip(Int(length)) else { return false } }
        // A scrambled packet, or one without payload.
        guard control & 0x10 != 0, control & 0xC0 == 0, head & 0x8000 == 0 else { return false }
        if pid == 0 || programMaps.contains(pid) {
            section(of: pid, reader.rest, startsUnit)
        } else if metadataPIDs.contains(pid) {
            if startsUnit { close(pid) }
            append(reader.rest, to: pid, startsUnit)
        } else if mediaPIDs.contains(pid), startsUnit {
            guard let time = PacketHead(reader.rest)?.time else { return false }
            mediaPIDs.remove(pid)
            firstTimes.append(time)
        } else {
            return false
        }
        return true
    }

    private mutating func append(_ payload: ArraySlice<UInt8>, to pid: Int, _ startsUnit: Bool) {
        guard startsUnit || open[pid] != nil else { return }
        if (open[pid]?.count ?? 0) + payload.count <= Self.packetLimit { open[pid, default: []] += payload }
    }

    // MARK: Tables

    private mutating func section(of pid: Int, _ payload: ArraySlice<UInt8>, _ startsUnit: Bool) {
        if startsUnit {
            guard let pointer = payload.first, pointer < payload.count else { return }
            open[pid] = Array(payload.dropFirst(1 + Int(pointer)))
        } else if open[pid] != nil {
            append(payload, to: pid, false)
        }
        guard let bytes = open[pid], bytes.count >= 3 else { return }
        let length = Int(bytes[1] & 0x0F) << 8 | Int(bytes[2])
        guard bytes.count >= 3 + length else { return }
        open[pid] = nil
        // Without the head behind the length and the checksum at the end.
        guard length >= 9 else { return }
        let body = bytes[8..<3 + length - 4]
        switch (pid, bytes[0]) {
        case (0, 0x00): readPrograms(body)
        case (_, 0x02) where pid != 0: readStreams(body)
        default: break
        }
    }

    private mutating func readPrograms(_ body: ArraySlice<UInt8>) {
        var reader = BigEndianReader(body)
        while let number = reader.number(2), let pid = reader.number(2), programMaps.count < Self.streamLimit {
            if number != 0 { programMaps.insert(Int(pid & 0x1FFF)) }
        }
    }

    private mutating func readStreams(_ body: ArraySlice<UInt8>) {
        var reader = BigEndianReader(body)
        guard reader.skip(2), let length = reader.number(2), reader.skip(Int(length & 0x0FFF)) else { return }
        while let type = reader.number(1), let pid = reader.number(2), let length = reader.number(2),
            reader.skip(Int(length & 0x0FFF)), metadataPIDs.count + mediaPIDs.count < Self.streamLimit
        {
            let pid = Int(pid & 0x1FFF)
            if type == UInt64(Self.metadataType) {
                metadataPIDs.insert(pid)
            } else if firstTimes.count < Self.streamLimit, !programMaps.contains(pid), pid != 0 {
                mediaPIDs.insert(pid)
            }
        }
    }

    // MARK: Packets

    private mutating func close(_ pid: Int) {
        guard let bytes = open.removeValue(forKey: pid), let head = PacketHead(bytes[...]) else { return }
        var (time, rest) = (head.time, head.payload)
        // A tag may be longer than a packet; the next one then begins in the middle of it.
        if let cut = cutTags.removeValue(forKey: pid), !rest.starts(with: ID3Tag.mark) {
            (time, rest) = (cut.time, cut.bytes + rest)
        }
        while tags.count < Self.metadataLimit, let tag = ID3Tag(rest) {
            tags.append((time, tag))
            rest = rest.dropFirst(tag.byteCount)
            time = head.time ?? time
        }
        if rest.starts(with: ID3Tag.mark), rest.count <= ID3Tag.byteLimit { cutTags[pid] = (time, rest) }
    }
}

/// The head of a packetized elementary stream packet (ISO/IEC 13818-1 section 2.4.3.6).
private struct PacketHead {
    /// Presentation time in ticks of 90 kHz; nil without one.
    let time: Int64?
    let payload: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = BigEndianReader(bytes)
        guard reader.number(3) == 1, let stream = reader.number(1), Self.hasHead(stream), reader.skip(2),
            let mark = reader.number(1), mark & 0xC0 == 0x80, let flags = reader.number(1),
            let length = reader.number(1), let fields = reader.take(Int(length))
        else { return nil }
        time = flags & 0x80 != 0 && fields.count >= 5 ? Self.time(Array(fields.prefix(5))) : nil
        payload = reader.rest
    }

    /// Padding, maps and private streams of the second kind have none.
    private static func hasHead(_ stream: UInt64) -> Bool {
        ![0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF].contains(stream)
    }

    private static func time(_ bytes: [UInt8]) -> Int64 {
        let high = Int64(bytes[0] >> 1 & 0x07) << 30
        let middle = Int64(bytes[1]) << 22 | Int64(bytes[2] >> 1) << 15
        return high | middle | Int64(bytes[3]) << 7 | Int64(bytes[4] >> 1)
    }
}
