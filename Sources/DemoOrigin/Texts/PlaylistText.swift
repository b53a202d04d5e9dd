/// The playlists of a ``LiveStream``, written by hand: an oracle that shared a parser would share its bugs.
enum PlaylistText {
    /// One variant as the multivariant playlist describes it.
    struct Variant {
        /// File name without extension; also the directory of the segments.
        let file: String
        /// BANDWIDTH in bit/s.
        let bandwidth: Int
        /// AVERAGE-BANDWIDTH in bit/s.
        let averageBandwidth: Int
        /// CODECS.
        let codecs: String
        /// RESOLUTION.
        let resolution: String

        /// The attribute list of EXT-X-STREAM-INF.
        var attributes: String {
            #"BANDWIDTH=\#(bandwidth),AVERAGE-BANDWIDTH=\#(averageBandwidth),CODECS="\#(codecs)","#
                + "RESOLUTION=\(resolution),FRAME-RATE=29.970"
        }
    }

    /// The two variants; the first is the lower one.
    static let variants = [
        Variant(
            file: "01", bandwidth: 900_000, averageBandwidth: 800_000, codecs: "avc1.4d401e,mp4a.40.2",
            resolution: "640x360"),
        Variant(
            file: "02", bandwidth: 3_200_000, averageBandwidth: 2_800_000, codecs: "avc1.64001f,mp4a.40.2",
            resolution: "1280x720"),
    ]

    /// The multivariant playlist, which names the session.
    ///
    /// `isstream=true` marks the variants as the reference origin does; a client that builds the multivariant URL
    /// from the first variant must drop it (ssai-tracking 1.2 step C).
    static func multivariant(session: String) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for variant in variants {
            text += "#EXT-X-STREAM-INF:\(variant.attributes)\n"
            text += "\(variant.file).m3u8?sessid=\(session)&isstream=true\n"
        }
        return text
    }

    /// The media playlist of variant `file` at `nowMs`.
    static func media(_ stream: LiveStream, file: String, at nowMs: Int) -> String {
        let window = stream.window(at: nowMs)
        let first = stream.segment(window.lowerBound)
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n"
        text += "#EXT-X-TARGETDURATION:\(stream.targetDurationS)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(window.lowerBound)\n"
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first.discontinuitiesBefore)\n"
        text += "#EXT-X-INDEPENDENT-SEGMENTS\n"
        for number in window {
            append(stream.segment(number), file: file, to: &text)
        }
        return text
    }

    private static func append(_ segment: LiveStream.Segment, file: String, to text: inout String) {
        if segment.startsDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
        text += cueTag(segment)
        text += "#EXT-X-PROGRAM-DATE-TIME:\(UTCDateText.text(epochMs: segment.startMs))\n"
        text += "#EXTINF:\(SecondsText.text(milliseconds: segment.durationMs)),\n"
        text += "\(file)/seg-\(segment.number).ts\n"
    }

    /// The Elemental style of hls-timeline 4.1: OUT once, CONT on each following segment of the break, IN after it.
    private static func cueTag(_ segment: LiveStream.Segment) -> String {
        guard let adBreak = segment.adBreakMs else { return segment.endsBreak ? "#EXT-X-CUE-IN\n" : "" }
        let duration = SecondsText.text(milliseconds: adBreak.count)
        let elapsedMs = segment.startMs - adBreak.lowerBound
        if elapsedMs == 0 { return "#EXT-X-CUE-OUT:\(duration)\n" }
        return "#EXT-X-CUE-OUT-CONT:\(SecondsText.text(milliseconds: elapsedMs))/\(duration)\n"
    }
}
