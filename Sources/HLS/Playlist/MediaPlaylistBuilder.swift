import Ports

/// Builds a media playlist from its tags in order (rfc8216bis-22 sections 4.4.3 to 4.4.5).
struct MediaPlaylistBuilder {
    /// What is known so far; numbers, starts and dates come last.
    var playlist: MediaPlaylist
    /// The segment being described.
    var pending = PendingSegment()
    /// Where the parts of each segment's story stand, beside `playlist.segments`.
    var marks: [SegmentMarks] = []
    /// Line of each part, in order.
    var partLines: [Int] = []
    /// In effect here, one per KEYFORMAT.
    var keys: [EncryptionKey] = []
    /// In effect here.
    var map: MediaInitialization?
    /// A MAP tag stands between the last segment and here.
    var isMapNew = false
    /// In effect here, in kbit/s.
    var bitrate: Int?
    /// Of the first hint that counts.
    var preloadHintLine: Int?
    /// DISCONTINUITY tags so far.
    var discontinuities = 0
    var dateRanges = DateRangeTrack()
    /// `sequence` is still the index of the segment that follows.
    var cuePoints: [CuePoint] = []
    private var seen: [PlaylistTag: Int] = [:]
    /// Of the whole text.
    let byteCount: Int

    init(uri: String, byteCount: Int) {
        playlist = MediaPlaylist(uri: uri)
        self.byteCount = byteCount
    }

    /// An EXTINF waits for its URI.
    var expectsURI: Bool { pending.extinfLine != 0 }

    /// Reads one tag of `PlaylistTag.Place.media`.
    mutating func read(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        switch tag {
        case .segmentDuration: readDuration(value, context: &context)
        case .programDateTime: readDate(value, context: &context)
        case .byteRange: readByteRange(value, context: &context)
        case .discontinuity: readDiscontinuity()
        case .gap: pending.isGap = true
        case .key: readKey(value, context: &context)
        case .map: readMap(value, context: &context)
        case .bitrate: readBitrate(value, context: &context)
        case .part: readPart(value, context: &context)
        case .preloadHint: readPreloadHint(value, context: &context)
        case .renditionReport: readRenditionReport(value, context: &context)
        case .dateRange: dateRanges.read(value, context: &context)
        default: readOnce(tag, value, context: &context)
        }
    }

    /// Line of a tag that may appear once; nil when it did not.
    func line(of tag: PlaylistTag) -> Int? { seen[tag] }

    /// The tags that may appear once: the last counts, except that one after the first segment does not replace one
    /// before (hls-timeline 1.11).
    private mutating func readOnce(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        let isRepeated = seen[tag] != nil
        if isRepeated { context.report(.duplicateTag, "\(tag.rawValue) appears twice") }
        let isLate = !playlist.segments.isEmpty
        if isLate, tag == .mediaSequence || tag == .discontinuitySequence {
            context.report(.tagAfterFirstSegment, "\(tag.rawValue) after a segment is ignored")
            return
        }
        guard !(isRepeated && isLate) else { return }
        seen[tag] = context.line
        switch tag {
        case .targetDuration: readTargetDuration(value, context: &context)
        case .mediaSequence: readMediaSequence(value, context: &context)
        case .discontinuitySequence: readDiscontinuitySequence(value, context: &context)
        case .endList: playlist.hasEndList = true
        case .playlistType: readPlaylistType(value, context: &context)
        case .iFramesOnly: readIFramesOnly(context: &context)
        case .partInformation: readPartInformation(value, context: &context)
        case .serverControl: readServerControl(value, context: &context)
        case .skip: readSkip(value, context: &context)
        default: break
        }
    }
}

/// What the tags since the last segment say about the next one.
struct PendingSegment {
    var duration: Duration?
    /// 0 when there is no EXTINF yet.
    var extinfLine = 0
    var title: String?
    var date: UnixTime?
    /// 0 when there is no date yet.
    var dateLine = 0
    var isDiscontinuity = false
    var isGap = false
    /// `offset` is nil when the range continues the one before.
    var byteRange: (length: Int, offset: Int?, line: Int)?
    var parts: [PartialSegment] = []
}

/// Lines that findings about a segment name.
struct SegmentMarks {
    var extinfLine: Int32
    /// 0 without a date of its own.
    var dateLine: Int32
    /// The target duration stands in for an unreadable EXTINF.
    var isUnreadable: Bool
}
