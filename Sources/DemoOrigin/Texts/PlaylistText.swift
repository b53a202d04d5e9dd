/// The playlists of a ``LiveStream``, written without adtop's parsers, because an oracle that shared them would share
/// their bugs.
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

    /// The two variants, the lower one first.
    static let variants = [
        Variant(
            file: "01", bandwidth: 900_000, averageBandwidth: 800_000, codecs: "avc1.4d401e,mp4a.40.2",
            resolution: "640x360"),
        Variant(
            file: "02", bandwidth: 3_200_000, averageBandwidth: 2_800_000, codecs: "avc1.64001f,mp4a.40.2",
            resolution: "1280x720"),
    ]

    /// Directory of the redundant variants.
    static let backupDirectory = "backup/"

    /// The multivariant playlist with the session; nil is an origin without sessions.
    ///
    /// `isstream=true` marks the variants as the reference origin does; a client that builds the multivariant URL
    /// from the first variant must drop it (TRK-2). Redundant variants follow the one they back up,
    /// with the same attributes (HLS-14).
    static func multivariant(session: String?, hasBackup: Bool = false) -> String {
        let query = session.map { "?sessid=\($0)&isstream=true" } ?? ""
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for variant in variants {
            for directory in hasBackup ? ["", backupDirectory] : [""] {
                text += "#EXT-X-STREAM-INF:\(variant.attributes)\n"
                text += "\(directory)\(variant.file).m3u8\(query)\n"
            }
        }
        return text
    }

    /// A multivariant playlist whose media playlists are in another directory, relative to its own.
    /// - Parameter query: the query of each media playlist, with its question mark.
    static func multivariant(below directory: String, query: String = "") -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for variant in variants {
            text += "#EXT-X-STREAM-INF:\(variant.attributes)\n\(directory)\(variant.file).m3u8\(query)\n"
        }
        return text
    }

    /// The playlist of an ad that is a separate asset: finished, without dates.
    static func asset(_ name: String, durationMs: Int, segmentMs: Int) -> String {
        let count = max(1, (durationMs + segmentMs - 1) / segmentMs)
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\((segmentMs + 999) / 1_000)\n"
        text += "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for index in 0..<count {
            let lengthMs = durationMs * (index + 1) / count - durationMs * index / count
            text += "#EXTINF:\(SecondsText.text(milliseconds: lengthMs)),\n\(name)/seg-\(index).ts\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }
}
