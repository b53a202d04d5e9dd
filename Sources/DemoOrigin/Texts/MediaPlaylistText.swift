/// One media playlist at one moment.
struct MediaPlaylistText {
    /// The stream listed.
    let stream: LiveStream
    /// File name of the variant without extension; also the directory of its segments.
    let file: String
    /// Time of the answer, epoch ms.
    let nowMs: Int
    /// Scheme, authority and directory of absolute URLs.
    let root: String
    /// The query of the request, without delivery directives: rendition reports repeat it.
    var query = ""
    /// Whether to omit the segments that a client with a recent copy knows (HLS-2).
    var isDelta = false
    /// Directory of the ad segments whose requests are counted; empty where they are files like others.
    var adSegments = ""
    /// Writes the date ranges that describe ads; nil where there are none.
    var signaling: SignalingText?

    /// Number of target durations from the end for which parts are listed (rfc8216bis-22 appendix B).
    private static let targetDurationsWithParts = 3
    /// The skip boundary in target durations, the smallest value allowed (rfc8216bis-22 section 4.4.3.8).
    private static let targetDurationsToSkip = 6

    /// The text.
    var text: String {
        let window = stream.window(at: nowMs)
        let skipped = isDelta ? skippedCount(window) : 0
        var text = header(window)
        text += DateRangeText(stream: stream, nowMs: nowMs, root: root, signaling: signaling).text
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        let open = stream.openSegment(at: nowMs)
        let endMs = open.map { $0.segment.startMs } ?? 0
        for number in window.dropFirst(skipped) {
            let segment = stream.segment(number)
            append(tags: segment, to: &text)
            let partsFromMs = endMs - Self.targetDurationsWithParts * stream.targetDurationS * 1_000
            if segment.endMs > partsFromMs { append(stream.parts(of: segment), of: segment, to: &text) }
            text += "#EXTINF:\(SecondsText.text(milliseconds: segment.durationMs)),\n"
            let isCounted = segment.mark != nil && !adSegments.isEmpty
            text += isCounted ? "\(adSegments)/\(file)/\(segment.number)" : "\(file)/seg-\(segment.number).ts"
            text += "\(token)\n"
        }
        if let open { append(open, to: &text) }
        return stream.scenario.stream.isFinished ? text + "#EXT-X-ENDLIST\n" : text
    }

    /// The query of segments and parts, if the scenario has a token.
    private var token: String {
        stream.token(at: nowMs).map { "?\(MetadataVersion.tokenName)=\($0)" } ?? ""
    }

    private func header(_ window: Range<Int>) -> String {
        // EXT-X-SKIP needs version 9 (rfc8216bis-22 section 8).
        var text = "#EXTM3U\n#EXT-X-VERSION:\(stream.scenario.stream.partMs == nil ? 3 : 9)\n"
        text += "#EXT-X-TARGETDURATION:\(stream.targetDurationS)\n"
        if stream.scenario.stream.isFinished { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        if stream.keepsSegments { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        if let partMs = stream.scenario.stream.partMs {
            let targetMs = stream.targetDurationS * 1_000
            text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,"
            text += "CAN-SKIP-UNTIL=\(SecondsText.text(milliseconds: Self.targetDurationsToSkip * targetMs)),"
            text += "HOLD-BACK=\(SecondsText.text(milliseconds: 3 * targetMs)),"
            text += "PART-HOLD-BACK=\(SecondsText.text(milliseconds: 3 * partMs))\n"
            text += "#EXT-X-PART-INF:PART-TARGET=\(SecondsText.text(milliseconds: partMs))\n"
        }
        text += "#EXT-X-MEDIA-SEQUENCE:\(window.lowerBound)\n"
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(stream.segment(window.lowerBound).discontinuitiesBefore)\n"
        return text + "#EXT-X-INDEPENDENT-SEGMENTS\n"
    }

    /// Segments that end before the skip boundary.
    private func skippedCount(_ window: Range<Int>) -> Int {
        guard let last = window.last, stream.scenario.stream.partMs != nil else { return 0 }
        let boundaryMs = stream.segment(last).endMs - Self.targetDurationsToSkip * stream.targetDurationS * 1_000
        return window.prefix { stream.segment($0).endMs <= boundaryMs }.count
    }

    private func append(tags segment: LiveStream.Segment, to text: inout String) {
        if segment.startsDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        text += CueTagText.text(before: segment)
        text += "#EXT-X-PROGRAM-DATE-TIME:\(UTCDateText.text(epochMs: segment.dateMs))\n"
    }

    private func append(_ parts: [LiveStream.SegmentPart], of segment: LiveStream.Segment, to text: inout String) {
        for part in parts {
            text += "#EXT-X-PART:DURATION=\(SecondsText.text(milliseconds: part.durationMs)),"
            text += #"URI="\#(partURI(segment.number, part.index))""#
            text += part.index == 0 ? ",INDEPENDENT=YES\n" : "\n"
        }
    }

    /// The incomplete segment, the next expected part, and the state of the other variants.
    private func append(_ open: LiveStream.OpenSegment, to text: inout String) {
        if !open.parts.isEmpty {
            append(tags: open.segment, to: &text)
            append(open.parts, of: open.segment, to: &text)
        }
        let next = open.parts.count
        text += #"#EXT-X-PRELOAD-HINT:TYPE=PART,URI="\#(partURI(open.segment.number, next))""# + "\n"
        // All variants are produced in step, so the reports equal the state of this playlist.
        let reported =
            next > 0
            ? (open.segment.number, next - 1)
            : (open.segment.number - 1, stream.parts(of: stream.segment(max(0, open.segment.number - 1))).count - 1)
        for variant in PlaylistText.variants where variant.file != file {
            text += #"#EXT-X-RENDITION-REPORT:URI="\#(variant.file).m3u8\#(query.isEmpty ? "" : "?\(query)")","#
            text += "LAST-MSN=\(reported.0),LAST-PART=\(reported.1)\n"
        }
    }

    private func partURI(_ number: Int, _ index: Int) -> String { "\(file)/part-\(number).\(index).ts\(token)" }
}
