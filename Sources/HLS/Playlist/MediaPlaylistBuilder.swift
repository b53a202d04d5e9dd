import Ports

/// Builds a media playlist from its tags in order (rfc8216bis-22 sections 4.4.3 to 4.4.5).
struct MediaPlaylistBuilder {
    /// The playlist so far; numbers, starts and dates are set at the end.
    var playlist: MediaPlaylist
    /// The segment being described.
    var pending = PendingSegment()
    /// Source lines of each segment, parallel to `playlist.segments`.
    var marks: [SegmentMarks] = []
    /// Line of each part, in order.
    var partLines: [Int] = []
    /// The keys in effect, one per KEYFORMAT.
    var keys: [EncryptionKey] = []
    /// The initialization section in effect.
    var map: MediaInitialization?
    /// Whether a MAP tag follows the last segment.
    var isMapNew = false
    /// The bitrate in effect, in kbit/s.
    var bitrate: Int?
    /// Line of the first valid preload hint.
    var preloadHintLine: Int?
    /// Number of DISCONTINUITY tags so far.
    var discontinuities = 0
    var dateRanges = DateRangeTrack()
    /// The cue points so far; their `sequence` is still the index of the segment that follows.
    var cuePoints: [CuePoint] = []
    private var seen: [PlaylistTag: Int] = [:]
    /// Length of the whole text.
    let byteCount: Int

    init(uri: String, byteCount: Int) {
        playlist = MediaPlaylist(uri: uri)
        self.byteCount = byteCount
    }

    /// Whether an EXTINF still needs its URI.
    var expectsURI: Bool { pending.extinfLine != 0 }

    /// Reads one tag of `PlaylistTag.Place.media`.
    mutating func read(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        checkOrder(tag, context: &context)
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

    /// Line of a tag that may appear once; nil when it has not appeared.
    func line(of tag: PlaylistTag) -> Int? { seen[tag] }

    /// Reads a tag that may appear once. The last one counts, but one after the first segment does not replace one
    /// before it (HLS-5).
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

/// The next segment as described by the tags since the last one.
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

/// Lines of one segment for use in findings.
struct SegmentMarks {
    var extinfLine: Int32
    /// Line of the segment's own date; 0 without one.
    var dateLine: Int32
    /// Whether the target duration replaces an unreadable EXTINF.
    var isUnreadable: Bool
}
