import Ports
import Testing

@testable import HLS

/// Timed metadata of segments: transport streams, packed audio and fragmented MP4.
@Suite struct SegmentMetadataTests {
    private static func found(_ bytes: [UInt8], _ scales: TrackScales = .none) -> [String] {
        let found = SegmentMetadata.read(bytes, scales)
        #expect(SegmentMetadata.read(SegmentMetadata.excerpt(bytes), scales) == found, "an excerpt has the same")
        return found.map { "\($0.offset.inMilliseconds) \($0.texts.joined(separator: ","))" }
    }

    /// Before packed audio one tag has its time, and others follow (RFC 8216bis-22 section 3.1.4).
    @Test func packedAudioHasSeveralTags() {
        let audio: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x49, 0x44, 0x33]
        let tags = MediaBytes.text("x") + MediaBytes.text("y") + MediaBytes.text("z")
        #expect(Self.found(tags + audio) == ["0 x", "0 y", "0 z"])
        #expect(Self.found((0..<1_000).flatMap { _ in MediaBytes.text("x") }).count == 64)
    }

    /// Frames of AAC between two tags are counted, those of other codecs passed over; a tag may have a time of its own.
    @Test func tagsBetweenTheFramesOfPackedAudioAreAtTheirTimes() {
        let aac = (0..<47).flatMap { _ in MediaBytes.adts([UInt8](repeating: 0x49, count: 93)) }
        let bytes =
            MediaBytes.time(900_000) + MediaBytes.text("a") + aac + MediaBytes.text("b") + aac + aac
            + MediaBytes.text("c") + aac
        #expect(Self.found(bytes) == ["0 ", "0 a", "1002 b", "3007 c"])
        let other = [UInt8](repeating: 0x0B, count: 500) + Array("ID3 is no tag".utf8)
        #expect(
            Self.found(
                MediaBytes.time((1 << 33) - 45_000) + other + MediaBytes.time(45_000) + MediaBytes.text("d") + other)
                == ["0 ", "1000 ", "1000 d"])
        #expect(SegmentMetadata.excerpt(bytes).count < 1_300)
    }

    // MARK: Transport streams

    @Test func tagsAreAtTheirDistanceFromTheMedia() {
        let bytes = MediaBytes.stream(
            start: 900_000, [(900_000, "google_a"), (945_000, "google_b"), (1_079_999, "google_c")])
        #expect(Self.found(bytes) == ["0 google_a", "500 google_b", "1999 google_c"])
    }

    /// Only the first packet of a long tag has a time (Apple, "Timed Metadata for HTTP Live Streaming").
    @Test func aTagMayGoOnInTheNextPackets() {
        let tag = MediaBytes.text("google_" + String(repeating: "l", count: 300))
        let parts = [tag[..<100], tag[100..<250], tag[250...] + MediaBytes.text("google_b")]
        let packets = parts.enumerated().flatMap { index, part in
            MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: index == 0 ? 990_000 : nil, Array(part)))
        }
        let found = Self.found(MediaBytes.stream(start: 900_000, []) + packets)
        #expect(found == ["1000 google_" + String(repeating: "l", count: 300), "1000 google_b"])
        // What never goes on is no tag, and hides none.
        let cut = MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: 945_000, Array(parts[0])))
        let next = MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: 990_000, MediaBytes.text("google_c")))
        #expect(Self.found(MediaBytes.stream(start: 900_000, []) + cut + next) == ["1000 google_c"])
    }

    @Test func theClockWraps() {
        let end = 1 << 33
        #expect(Self.found(MediaBytes.stream(start: end - 90_000, [(end + 90_000, "google_a")])) == ["2000 google_a"])
    }

    /// Audio may begin before video, and a tag before both.
    @Test func theFirstMediaCounts() {
        let tables =
            MediaBytes.packet(0, MediaBytes.programs(0x1000))
            + MediaBytes.packet(
                0x1000, MediaBytes.streams([(0x1B, 0x100), (0x0F, 0x101), (0x15, 0x102)], descriptors: [5, 1, 9]))
        let bytes =
            tables + MediaBytes.split(0x100, MediaBytes.pes(0xE0, at: 9_000, []))
            + MediaBytes.split(0x101, MediaBytes.pes(0xC0, at: 0, []))
            + MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: 45_000, MediaBytes.text("x") + MediaBytes.text("y")))
        #expect(Self.found(bytes) == ["500 x", "500 y"])
        #expect(
            Self.found(tables + MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: nil, MediaBytes.text("x")))) == ["0 x"]
        )
    }

    @Test func longTagsReachOverPackets() {
        let long = String(repeating: "g", count: 1_000)
        #expect(
            Self.found(MediaBytes.stream(start: 0, [(90_000, long), (180_000, "b")])) == ["1000 \(long)", "2000 b"])
    }

    @Test func aTableReachesOverPackets() {
        let entries = (0..<60).map { (type: UInt8(0x06), pid: 0x200 + $0) } + [(0x15, 0x102)]
        let section = MediaBytes.streams(entries)
        let bytes =
            MediaBytes.packet(0, MediaBytes.programs(0x1000)) + MediaBytes.split(0x1000, section)
            + MediaBytes.split(0x102, MediaBytes.pes(0xBD, at: 0, MediaBytes.text("x")))
        #expect(Self.found(bytes) == ["0 x"])
    }

    @Test func whatIsNotMetadataIsNotRead() {
        let good = MediaBytes.stream(start: 0, [(0, "x")])
        #expect(Self.found(MediaBytes.stream(start: 0, [])) == [])
        // Without tables nothing tells which packets are metadata.
        #expect(Self.found(Array(good.dropFirst(188))) == [])
        let scrambled =
            Array(good.dropLast(188))
            + MediaBytes.packet(0x102, MediaBytes.pes(0xBD, at: 0, MediaBytes.text("x")), scrambled: true)
        #expect(Self.found(scrambled) == [])
        // A range that begins in the middle of a packet.
        #expect(Self.found([1, 2, 3] + good) == ["0 x"])
        #expect(Self.found(Array(good.dropLast(1))) == [])
    }

    @Test func excerptsHaveNoMedia() {
        let bytes =
            MediaBytes.stream(start: 0, [(0, "x")]) + MediaBytes.split(0x100, [UInt8](repeating: 0x55, count: 100_000))
        #expect(SegmentMetadata.excerpt(bytes).count <= 188 * 5)
    }

    @Test func packedAudioBeginsWithATag() {
        #expect(Self.found(MediaBytes.text("google_1") + [0xFF, 0xF1, 0x50]) == ["0 google_1"])
    }

    // MARK: Fragmented MP4

    /// What is known of the chunks of a segment is known of its excerpt, too: recordings have nothing else.
    @Test func chunksAreSeenInTheBeginning() {
        let chunk = MediaBytes.fragment(track: 1, time: 0) + MediaBytes.box("mdat", [UInt8](repeating: 0, count: 900))
        let count = MediaBytes.box("styp", [1, 2, 3, 4]).count + chunk.count
        let bytes = MediaBytes.box("styp", [1, 2, 3, 4]) + chunk
        for (beginning, total, expected) in [
            (bytes, count, false), (bytes, count + 500, true), (bytes, nil, false), (bytes + chunk, nil, true),
            (Array(bytes.prefix(300)), count, false), (Array(bytes.prefix(300)), count * 2, true),
            (Array(bytes.prefix(20)), 100_000, false),
        ] {
            #expect(SegmentMetadata.isChunked(beginning, of: total) == expected)
            let excerpt = SegmentMetadata.excerpt(beginning)
            #expect(SegmentMetadata.isChunked(excerpt, of: total) == expected)
            #expect(SegmentMetadata.excerpt(excerpt) == excerpt && excerpt.count < 200)
        }
        #expect(!SegmentMetadata.isChunked(MediaBytes.text("x"), of: 100_000))
    }

    @Test func messagesOfVersion0CountFromTheSegment() {
        let bytes =
            MediaBytes.box("styp", [])
            + MediaBytes.message(0, scheme: "urn:google:dai:2018", scale: 1_000, time: 1_500, Array("google_1".utf8))
            + MediaBytes.fragment(track: 1, time: 90_000) + MediaBytes.box("mdat", [UInt8](repeating: 0, count: 100))
        #expect(Self.found(bytes) == ["1500 1,google_1"])
    }

    @Test func messagesOfVersion1CountFromThePresentation() {
        let scales = TrackScales(MediaBytes.section(track: 2, scale: 90_000))
        let tag = MediaBytes.text("google_2")
        let bytes =
            MediaBytes.message(1, scheme: "https://aomedia.org/emsg/ID3", scale: 48_000, time: 48_000 * 101, tag)
            + MediaBytes.fragment(track: 2, time: 90_000 * 100) + MediaBytes.box("mdat", [])
        #expect(Self.found(bytes, scales) == ["1000 google_2"])
        // Without the section nothing tells where the segment begins.
        #expect(Self.found(bytes) == ["0 google_2"])
        let index = MediaBytes.box(
            "sidx", [1, 0, 0, 0] + MediaBytes.big(1, 4) + MediaBytes.big(1_000, 4) + MediaBytes.big(100_500, 8))
        #expect(Self.found(index + bytes, scales) == ["500 google_2"])
    }

    @Test func aSectionMayBeAnExcerpt() {
        let section = MediaBytes.section(track: 7, scale: 12_800)
        #expect(TrackScales(section).ticks == [7: 12_800])
        #expect(TrackScales(SegmentMetadata.excerpt(section)) == TrackScales(section))
    }

    /// The head of a segment ends within a box.
    @Test func aCutFragmentIsReadAsFarAsItGoes() {
        let bytes =
            MediaBytes.message(0, scheme: "s", scale: 1, time: 1, Array("google_1".utf8))
            + MediaBytes.message(0, scheme: "s", scale: 1, time: 2, Array("google_2".utf8))
        #expect(Self.found(Array(bytes.dropLast(3))) == ["1000 1,google_1"])
        let large = MediaBytes.big(1, 4) + Array("emsg".utf8) + [UInt8](repeating: 0xFF, count: 8)
        for bad in [
            large, MediaBytes.big(3, 4) + Array("moof".utf8), MediaBytes.message(2, scheme: "s", scale: 1, time: 1, []),
            MediaBytes.message(0, scheme: "s", scale: 0, time: 1, []),
        ] { #expect(Self.found(bad) == []) }
        let huge = MediaBytes.message(1, scheme: "s", scale: 1, time: .max, Array("google_1".utf8))
        #expect(
            Self.found(
                huge + MediaBytes.fragment(track: 1, time: .max), TrackScales(MediaBytes.section(track: 1, scale: 1))
            ).count == 1)
    }

    /// The box with other sizes, and cut.
    private static func damaged(_ box: [UInt8]) -> [[UInt8]] {
        let (type, body) = (Array(box[4..<8]), Array(box.dropFirst(8)))
        let large = MediaBytes.big(1, 4) + type
        let others = [0, 7, box.count + 16].map { MediaBytes.big($0, 4) + type + body }
        return others + [large + MediaBytes.big(0, 8) + body, large + MediaBytes.big(body.count + 16, 8) + body, large]
            + (1...24).map { Array(box.dropLast($0)) }
    }

    /// What an excerpt adds must not become a part of a box that is cut, or that reaches to the end.
    @Test func excerptsKeepTheLastBoxAsItIs() {
        let scales = TrackScales(MediaBytes.section(track: 1, scale: 90_000))
        let message = MediaBytes.message(0, scheme: "s", scale: 1, time: 1, Array("google_1".utf8))
        let late = MediaBytes.message(1, scheme: "s", scale: 1, time: 9, Array("google_2".utf8))
        let media = MediaBytes.box("mdat", [1, 2, 3])
        let fragment = MediaBytes.fragment(track: 1, time: 90_000)
        let starts = [[], media, message + media, media + message, late + MediaBytes.section(track: 2, scale: 1)]
        for last in [message, late, media, fragment, MediaBytes.box("adto", [0, 7])].flatMap(Self.damaged) {
            for bytes in starts.map({ $0 + last }) {
                _ = Self.found(bytes, scales)
                let excerpt = SegmentMetadata.excerpt(bytes)
                #expect(SegmentMetadata.excerpt(excerpt) == excerpt && TrackScales(excerpt) == TrackScales(bytes))
                for total in [nil, 10, 100_000] {
                    let isChunked = SegmentMetadata.isChunked(bytes, of: total)
                    #expect(SegmentMetadata.isChunked(excerpt, of: total) == isChunked)
                }
            }
        }
    }

    /// Media of size 0 reaches to the end of the file: nothing follows it, however much of it was read (ISO/IEC 14496-12 section 4.2).
    @Test func mediaToTheEndIsOneChunk() {
        let media = MediaBytes.big(0, 4) + Array("mdat".utf8) + [UInt8](repeating: 0, count: 900)
        let bytes = MediaBytes.fragment(track: 1, time: 0) + media
        for total in [nil, bytes.count, 100_000] {
            #expect(!SegmentMetadata.isChunked(bytes, of: total))
            #expect(!SegmentMetadata.isChunked(SegmentMetadata.excerpt(bytes), of: total))
        }
    }

    @Test func messagesAreBounded() {
        let one = MediaBytes.message(0, scheme: "s", scale: 1, time: 1, [0x61])
        #expect(Self.found((0..<2_000).flatMap { _ in one }).count == FragmentReader.messageLimit)
        let tags = MediaBytes.stream(start: 0, (0..<2_000).map { ($0, "x") })
        #expect(Self.found(tags).count == TransportStreamReader.metadataLimit)
    }

    @Test(
        arguments: [
            [], [0x47], Array("#EXTM3U".utf8), Array("<html></html>".utf8), [UInt8](repeating: 0x47, count: 1_000),
        ] as [[UInt8]])
    func othersHaveNone(_ bytes: [UInt8]) {
        #expect(Self.found(bytes) == [] && SegmentMetadata.excerpt(bytes).count <= bytes.count)
    }
}
