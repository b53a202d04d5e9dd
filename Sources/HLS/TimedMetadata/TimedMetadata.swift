import Ports

/// What a segment carries beside its media, at a moment.
package struct TimedMetadata: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case id3(ID3Tag)
        /// An event message of MP4 that is no ID3 tag.
        case message(scheme: String, value: String, data: [UInt8])

        /// An event message; one of the scheme for ID3 has a tag (AOM, "Carriage of ID3 Timed Metadata in CMAF").
        init(scheme: String, value: String, _ data: ArraySlice<UInt8>) {
            if let tag = ID3Tag(data) {
                self = .id3(tag)
            } else {
                self = .message(scheme: scheme, value: value, data: Array(data))
            }
        }
    }

    /// Distance from the start of the segment; below zero for what was repeated from before it.
    package var offset: Duration
    package var content: Content

    package init(at offset: Duration, _ content: Content) {
        (self.offset, self.content) = (offset, content)
    }

    /// The texts in it: those of text frames, or a message as text.
    package var texts: [String] {
        switch content {
        case .id3(let tag): tag.frames.map(\.text).filter { !$0.isEmpty }
        case .message(_, let value, let data):
            [value, String(decoding: data, as: UTF8.self)].filter { !$0.isEmpty }
        }
    }
}

/// Reads the timed metadata of a segment or of its beginning: ID3 tags in transport streams and in packed audio, event messages in
/// fragmented MP4. All bytes are hostile; what cannot be read has no metadata.
package enum SegmentMetadata {
    /// - Parameter scales: those of the segment's initialization section; without them event messages of version 1 are at the
    ///   start of the segment.
    package static func read(_ bytes: [UInt8], _ scales: TrackScales = .none) -> [TimedMetadata] {
        switch Form(bytes) {
        case .packedAudio: PackedAudioReader(bytes[...]).found
        case .transportStream: TransportStreamReader(bytes[...]).found
        case .fragment: FragmentReader(bytes[...], scales).found
        case nil: []
        }
    }

    /// The part of the bytes that ``read(_:_:)`` and ``TrackScales`` need: reading it gives the same. Video and audio have no place in
    /// recordings.
    package static func excerpt(_ bytes: [UInt8]) -> [UInt8] {
        switch Form(bytes) {
        case .packedAudio: return PackedAudioReader(bytes[...]).excerpt
        case .transportStream: return TransportStreamReader(bytes[...]).excerpt
        case .fragment:
            let boxes = FragmentReader(bytes[...], .none).excerpt
            // Without it the size of the first box could be taken for the mark of another form.
            return boxes.isEmpty ? [] : emptyBox + boxes
        case nil: return []
        }
    }

    /// Whether the beginning of a segment of fragmented MP4 shows that media follows its first media: a low-latency packager writes
    /// a segment in chunks, each with event messages of its own (ISO/IEC 23000-19 section 7.3.2.3).
    /// - Parameter total: bytes of the whole segment; nil where that is not known.
    package static func isChunked(_ beginning: [UInt8], of total: Int?) -> Bool {
        guard case .fragment = Form(beginning), let end = FragmentReader.mediaEnd(in: beginning[...]) else {
            return false
        }
        return end == 0 || total.map { end < $0 } ?? false
    }

    private static let emptyBox: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)

    private enum Form {
        case packedAudio, transportStream, fragment

        init?(_ bytes: [UInt8]) {
            if PackedAudioReader.isOne(bytes[...]) {
                self = .packedAudio
            } else if TransportStreamReader.start(of: bytes[...]) == 0 {
                self = .transportStream
            } else if FragmentReader.isOne(bytes[...]) {
                self = .fragment
            } else if TransportStreamReader.start(of: bytes[...]) != nil {
                self = .transportStream
            } else {
                return nil
            }
        }
    }
}
