/// The EXT-X-DATERANGE tags of a media playlist (rfc8216bis-22 section 4.4.5.1; HLS-16, HLS-25).
struct DateRangeText {
    /// The stream described.
    let stream: LiveStream
    /// Time of the request, epoch ms.
    let nowMs: Int
    /// Scheme, authority and path prefix of absolute URLs.
    let root: String
    /// Writes the ranges that describe ads; nil where there are none.
    var signaling: SignalingText?

    /// Number of segments before its start at which a range is announced.
    private static let leadSegments = 3

    /// The tags, each with its line end. A range is listed as long as a date in it maps to a listed segment.
    var text: String {
        let window = stream.window(at: nowMs)
        let isInterstitial = stream.scenario.breaks?.delivery == .interstitials
        if let signaling, !window.isEmpty { return signaled(signaling, window) }
        guard !window.isEmpty, isInterstitial || stream.scenario.stream.markers.contains(.dateranges) else { return "" }
        let startMs = stream.segment(window.lowerBound).dateMs
        let edgeMs = stream.liveEdgeMs(at: nowMs)
        let leadMs = Self.leadSegments * stream.targetDurationS * 1_000
        let breaks = stream.breaks(from: startMs, through: edgeMs + leadMs)
        if isInterstitial {
            return ((stream.preroll.map { [$0] } ?? []) + breaks).map { interstitial($0) + "\n" }.joined()
        }
        return breaks.map { splices($0, edgeMs: edgeMs) }.joined()
    }

    /// A range for each ad that has begun and has a date in the window.
    private func signaled(_ signaling: SignalingText, _ window: Range<Int>) -> String {
        let startMs = stream.segment(window.lowerBound).dateMs
        let edgeMs = stream.liveEdgeMs(at: nowMs)
        return stream.breaks(from: startMs, through: edgeMs).flatMap(\.ads)
            .filter { $0.startMs < edgeMs && $0.startMs + $0.durationMs > startMs }
            .map { signaling.tag(of: $0) }.joined()
    }

    /// The OUT tag of a break and, once its end is published, the tag that adds IN and the length.
    private func splices(_ adBreak: PlannedBreak, edgeMs: Int) -> String {
        let error = adBreak.pod.markerError
        let mark = LiveStream.BreakMark(
            number: adBreak.number, dialect: .dateranges, startMs: adBreak.startMs + error.lateMs,
            durationMs: adBreak.durationMs + error.longerMs, error: error)
        let duration = SecondsText.text(milliseconds: mark.durationMs)
        let name = #"#EXT-X-DATERANGE:ID="splice-\#(mark.number)""#
        var text =
            #"\#(name),START-DATE="\#(UTCDateText.text(epochMs: mark.startMs))",PLANNED-DURATION=\#(duration),"#
            + "SCTE35-OUT=\(SpliceSection(mark, isOut: true).hex)\n"
        if edgeMs >= mark.startMs + mark.durationMs {
            text += "\(name),DURATION=\(duration),SCTE35-IN=\(SpliceSection(mark, isOut: false).hex)\n"
        }
        return text
    }

    private func interstitial(_ adBreak: PlannedBreak) -> String {
        let shape = adBreak.pod.interstitial
        let id = "ad-\(adBreak.id)"
        var attributes = [
            #"ID="\#(id)""#, #"CLASS="com.apple.hls.interstitial""#,
            #"START-DATE="\#(UTCDateText.text(epochMs: adBreak.startMs))""#,
            "DURATION=\(SecondsText.text(milliseconds: adBreak.durationMs))",
        ]
        if !shape.cues.isEmpty { attributes.append(#"CUE="\#(words(shape.cues))""#) }
        switch shape.asset {
        case .list, .emptyList:
            attributes.append(#"X-ASSET-LIST="assets/\#(adBreak.id).json?_HLS_interstitial_id=\#(id)""#)
        case .uri:
            let name = adBreak.ads.first?.name ?? ""
            attributes.append(#"X-ASSET-URI="\#(root)assets/\#(name).m3u8?_HLS_interstitial_id=\#(id)""#)
        }
        attributes += playback(shape)
        return "#EXT-X-DATERANGE:\(attributes.joined(separator: ","))"
    }

    private func playback(_ shape: InterstitialShape) -> [String] {
        var attributes: [String] = []
        if let ms = shape.resumeOffsetMs { attributes.append("X-RESUME-OFFSET=\(SecondsText.text(milliseconds: ms))") }
        if let ms = shape.playoutLimitMs { attributes.append("X-PLAYOUT-LIMIT=\(SecondsText.text(milliseconds: ms))") }
        if !shape.snap.isEmpty { attributes.append(#"X-SNAP="\#(words(shape.snap))""#) }
        if !shape.restrictions.isEmpty { attributes.append(#"X-RESTRICT="\#(words(shape.restrictions))""#) }
        if let value = shape.occupation { attributes.append(#"X-TIMELINE-OCCUPIES="\#(words([value]))""#) }
        if let seconds = shape.skipAfterS, !shape.hasSkipControlInList {
            attributes.append("X-SKIP-CONTROL-OFFSET=\(seconds)")
            attributes.append(#"X-SKIP-CONTROL-LABEL-ID="skip-ad""#)
        }
        return attributes
    }

    private func words(_ values: [some RawRepresentable<String>]) -> String {
        values.map { $0.rawValue.uppercased() }.joined(separator: ",")
    }
}
