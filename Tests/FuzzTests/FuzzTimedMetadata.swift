@testable import HLS

/// Timed metadata of segments, by form: a fuzzer would hardly leave the form that its input has.
extension FuzzTarget {
    static func readTag(_ bytes: [UInt8]) {
        guard let tag = ID3Tag(bytes[...]) else { return }
        require(tag.byteCount <= bytes.count, "a tag is within its bytes")
        require(tag.frames.count <= ID3Tag.frameLimit, "frames are bounded")
        require(tag.frames.reduce(0) { $0 + $1.content.count } <= tag.byteCount, "frames are within their tag")
        readSegment(bytes)
    }

    static func readTransportStream(_ bytes: [UInt8]) {
        let read = TransportStreamReader(bytes[...])
        require(read.found.count <= TransportStreamReader.metadataLimit, "tags are bounded")
        require(read.excerpt.count <= bytes.count, "an excerpt is not longer")
        require(TransportStreamReader(read.excerpt[...]).found == read.found, "an excerpt has the same tags")
        readSegment(bytes)
    }

    /// Event messages behind an initialization section; a form feed is between both.
    static func readFragments(_ bytes: [UInt8]) {
        let texts = texts(bytes)
        let (section, segment) = texts.count > 1 ? (texts[0], texts[1]) : ([], bytes)
        let scales = TrackScales(section)
        let read = FragmentReader(segment[...], scales)
        require(read.found.count <= FragmentReader.messageLimit, "messages are bounded")
        require(
            TrackScales(SegmentMetadata.excerpt(section)).ticks.count <= FragmentReader.trackLimit, "tracks are bounded"
        )
        readSegment(segment)
    }

    private static func readSegment(_ bytes: [UInt8]) {
        let found = SegmentMetadata.read(bytes)
        let excerpt = SegmentMetadata.excerpt(bytes)
        require(SegmentMetadata.read(excerpt) == found, "an excerpt has the same metadata")
        require(SegmentMetadata.excerpt(excerpt) == excerpt, "an excerpt of an excerpt is the same")
        for entry in found { _ = entry.texts }
    }
}
