/// The tags that are parsed, by their names without the number sign (rfc8216bis-22 section 4.4, HLS-22).
enum PlaylistTag: String, CaseIterable {
    // Both kinds of playlist.
    case version = "EXT-X-VERSION"
    case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
    case start = "EXT-X-START"
    case define = "EXT-X-DEFINE"
    // Media playlist.
    case targetDuration = "EXT-X-TARGETDURATION"
    case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
    case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
    case endList = "EXT-X-ENDLIST"
    case playlistType = "EXT-X-PLAYLIST-TYPE"
    case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
    case partInformation = "EXT-X-PART-INF"
    case serverControl = "EXT-X-SERVER-CONTROL"
    // Media segment.
    case segmentDuration = "EXTINF"
    case byteRange = "EXT-X-BYTERANGE"
    case discontinuity = "EXT-X-DISCONTINUITY"
    case key = "EXT-X-KEY"
    case map = "EXT-X-MAP"
    case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
    case gap = "EXT-X-GAP"
    case bitrate = "EXT-X-BITRATE"
    case part = "EXT-X-PART"
    // Media metadata.
    case dateRange = "EXT-X-DATERANGE"
    case skip = "EXT-X-SKIP"
    case preloadHint = "EXT-X-PRELOAD-HINT"
    case renditionReport = "EXT-X-RENDITION-REPORT"
    // Multivariant playlist.
    case media = "EXT-X-MEDIA"
    case streamInformation = "EXT-X-STREAM-INF"
    case iFrameStreamInformation = "EXT-X-I-FRAME-STREAM-INF"
    case sessionData = "EXT-X-SESSION-DATA"
    case sessionKey = "EXT-X-SESSION-KEY"
    case contentSteering = "EXT-X-CONTENT-STEERING"
    // Ad markers, which the draft does not define.
    case cueOut = "EXT-X-CUE-OUT"
    case cueOutCont = "EXT-X-CUE-OUT-CONT"
    case cueIn = "EXT-X-CUE-IN"
    case cueSpan = "EXT-X-CUE-SPAN"
    case oatcls = "EXT-OATCLS-SCTE35"
    case asset = "EXT-X-ASSET"
    case scte35 = "EXT-X-SCTE35"
    case splicepoint = "EXT-X-SPLICEPOINT-SCTE35"
    case cue = "EXT-X-CUE"
    case cueCont = "EXT-X-CUE-CONT"

    /// The kind of playlist that a tag may appear in.
    enum Place {
        case anywhere, media, multivariant, marker
    }

    /// Selects the reader of the tag.
    var place: Place {
        switch self {
        case .version, .independentSegments, .start, .define: .anywhere
        case .media, .streamInformation, .iFrameStreamInformation, .sessionData, .sessionKey, .contentSteering:
            .multivariant
        case .cueOut, .cueOutCont, .cueIn, .cueSpan, .oatcls, .asset, .scte35, .splicepoint, .cue, .cueCont: .marker
        default: .media
        }
    }

    /// Whether the value is an attribute list, and the draft defines the tag.
    var hasAttributes: Bool {
        switch self {
        case .version, .independentSegments, .targetDuration, .mediaSequence, .discontinuitySequence, .endList,
            .playlistType, .iFramesOnly, .segmentDuration, .byteRange, .discontinuity, .programDateTime, .gap, .bitrate:
            false
        default: place != .marker
        }
    }

    private static let byName: [String: PlaylistTag] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The tag at the start of a line and the text after its colon. Nil for comments and unknown tags.
    static func read(_ line: ByteView) -> (tag: PlaylistTag, value: ByteView)? {
        // Two tags are nearly all lines of long playlists: they bypass the table.
        if line.hasPrefix("#EXTINF:") { return (.segmentDuration, line.dropFirst(8)) }
        if line.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") { return (.programDateTime, line.dropFirst(25)) }
        guard line.hasPrefix("#EXT") else { return nil }
        let end = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        guard end <= longestName, let tag = byName[line.slice(1, end).string] else { return nil }
        return (tag, line.dropFirst(end + 1))
    }

    /// Length of the longest name, number sign included; longer names are unknown without a lookup.
    private static let longestName = 40
}
