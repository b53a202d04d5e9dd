import Ports

/// ID3 tags before and between the frames of packed audio (RFC 8216bis-22 section 3.1.4; Apple, "Timed Metadata for HTTP Live
/// Streaming").
///
/// The tag at the start has the time of the first frame. A later one has a time of its own, or that of the frames before it: those of
/// AAC are counted, those of other codecs are passed over.
struct PackedAudioReader {
    /// Most tags that are read.
    static let tagLimit = 64

    private(set) var found: [TimedMetadata] = []
    /// The tags, and the heads of the frames that give them their times.
    private(set) var excerpt: [UInt8] = []

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool { ID3Tag(bytes) != nil }

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        var time = Duration.zero
        var origin: Int64?
        // Heads behind the last tag give nothing a time.
        var heads: [UInt8] = []
        while found.count < Self.tagLimit {
            if let tag = ID3Tag(rest) {
                if let stamp = tag.presentationTime {
                    time = origin.map { TransportStreamReader.time(of: stamp, from: $0) } ?? time
                    origin = origin ?? stamp
                }
                found.append(TimedMetadata(at: time, .id3(tag)))
                excerpt += heads + rest.prefix(tag.byteCount)
                heads = []
                rest = rest.dropFirst(tag.byteCount)
            } else if let frame = AudioFrame(rest) {
                time += frame.duration
                heads += frame.emptyFrame
                rest = rest.dropFirst(frame.byteCount)
            } else if let next = Self.nextMark(in: rest.dropFirst()) {
                rest = rest[next...]
            } else {
                break
            }
        }
    }

    private static func nextMark(in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let index = rest.firstIndex(of: ID3Tag.mark[0]) {
            rest = rest[index...]
            if rest.starts(with: ID3Tag.mark) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension ID3Tag {
    /// The time of the media behind it in ticks of 90 kHz (RFC 8216bis-22 section 3.1.4); nil without one.
    fileprivate var presentationTime: Int64? {
        frames.first { $0.description == "com.apple.streaming.transportStreamTimestamp" && $0.content.count == 8 }
            .map { $0.content.reduce(0) { $0 << 8 | Int64($1) } & TransportStreamReader.clockMask }
    }
}

/// A frame of AAC with its ADTS head (ISO/IEC 13818-7 section 6.2).
private struct AudioFrame {
    /// With the head.
    let byteCount: Int
    let duration: Duration
    /// A frame that lasts as long and consists of the head alone.
    let emptyFrame: [UInt8]

    private static let headBytes = 7
    private static let samples = 1_024
    /// Hz.
    private static let rates: [Int64] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    init?(_ bytes: ArraySlice<UInt8>) {
        var head = Array(bytes.prefix(Self.headBytes))
        guard head.count == Self.headBytes, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
        let rate = Int(head[2] >> 2 & 0x0F)
        byteCount = Int(head[3] & 0x03) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        guard rate < Self.rates.count, byteCount >= Self.headBytes else { return nil }
        let blocks = Int64(head[6] & 0x03) + 1
        duration = .nanoseconds(blocks * Int64(Self.samples) * 1_000_000_000 / Self.rates[rate])
        head[3] &= 0xFC
        head[4] = 0
        head[5] = UInt8(Self.headBytes) << 5 | head[5] & 0x1F
        emptyFrame = head
    }
}
