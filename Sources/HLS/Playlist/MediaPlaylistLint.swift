import Ports

/// Checks the rules about a media playlist as a whole (rfc8216bis-22 section 4.4.3; HLS-29).
struct MediaPlaylistLint {
    let playlist: MediaPlaylist
    let marks: [SegmentMarks]
    /// Line of each part, in order.
    let partLines: [Int]

    /// A shorter part is a finding unless it is independent, a gap, before a gap, or the last of its segment
    /// (rfc8216bis-22 section 4.4.4.9).
    private static let shortestPartPercent = 85

    /// Adds a finding for each violation; `tagLine` returns the line of a tag that may appear once.
    func check(
        tagLine: (PlaylistTag) -> Int?, preloadHintLine: Int?, findings: inout PlaylistFindings
    ) {
        checkTargetDuration(isStated: tagLine(.targetDuration) != nil, findings: &findings)
        checkServerControl(
            line: tagLine(.serverControl), partInformationLine: tagLine(.partInformation), findings: &findings)
        checkWindow(findings: &findings)
        checkStart(line: tagLine(.start), findings: &findings)
        checkParts(hasPartInformation: tagLine(.partInformation) != nil, findings: &findings)
        if playlist.playlistType == .vod, !playlist.hasEndList, !playlist.isDelta {
            findings.add(
                .vodWithoutEndList, line: tagLine(.playlistType),
                "EXT-X-PLAYLIST-TYPE:VOD without EXT-X-ENDLIST; the list counts as complete")
        }
        if playlist.hasEndList, let preloadHintLine {
            findings.add(
                .preloadHintWithEndList, line: preloadHintLine, "preload hint in a playlist with EXT-X-ENDLIST")
        }
    }

    private func checkTargetDuration(isStated: Bool, findings: inout PlaylistFindings) {
        guard let target = playlist.targetDuration else {
            if !isStated { findings.add(.missingTargetDuration, line: nil, "EXT-X-TARGETDURATION is missing") }
            return
        }
        // Rounded half up to the nearest integer, a duration must not exceed the target duration.
        let limit = target + .milliseconds(500)
        for index in playlist.segments.indices where playlist.segments[index].duration >= limit {
            findings.add(
                .targetDurationExceeded, line: Int(marks[index].extinfLine),
                "\(playlist.segments[index].duration.secondsText) s with a target duration of \(target.secondsText) s")
        }
    }

    private func checkServerControl(line: Int?, partInformationLine: Int?, findings: inout PlaylistFindings) {
        let control = playlist.serverControl
        if let target = playlist.targetDuration {
            if let holdBack = control?.holdBack, holdBack < target * 3 {
                findings.add(
                    .holdBackTooSmall, line: line, "HOLD-BACK of \(holdBack.secondsText) s is below 3 target durations")
            }
            if let boundary = control?.canSkipUntil, boundary < target * 6 {
                findings.add(
                    .skipBoundaryTooSmall, line: line,
                    "CAN-SKIP-UNTIL of \(boundary.secondsText) s is below 6 target durations")
            }
        }
        if control?.canSkipDateRanges == true, control?.canSkipUntil == nil {
            findings.add(.skipDateRangesWithoutSkipUntil, line: line, "CAN-SKIP-DATERANGES without CAN-SKIP-UNTIL")
        }
        checkPartHoldBack(control?.partHoldBack, line: line, partInformationLine, findings: &findings)
    }

    private func checkPartHoldBack(
        _ holdBack: Duration?, line: Int?, _ partInformationLine: Int?, findings: inout PlaylistFindings
    ) {
        guard let holdBack else {
            if let partInformationLine {
                findings.add(.partHoldBackMissing, line: partInformationLine, "EXT-X-PART-INF without PART-HOLD-BACK")
            }
            return
        }
        guard let target = playlist.partTarget else { return }
        if holdBack < target * 2 {
            findings.add(
                .partHoldBackTooSmall, line: line,
                "PART-HOLD-BACK of \(holdBack.secondsText) s is below 2 part targets")
        } else if holdBack < target * 3 {
            findings.add(
                .partHoldBackBelow3x, line: line,
                "PART-HOLD-BACK of \(holdBack.secondsText) s is below 3 part targets")
        }
    }

    private func checkWindow(findings: inout PlaylistFindings) {
        guard !playlist.isComplete, !playlist.isDelta, !playlist.segments.isEmpty,
            let target = playlist.targetDuration, playlist.duration < target * 3
        else { return }
        findings.add(
            .liveWindowTooShort, line: nil, "\(playlist.duration.secondsText) s listed, less than 3 target durations")
    }

    /// A start near the end of a live playlist leaves players nothing to load before they stall (section 4.4.2.2).
    private func checkStart(line: Int?, findings: inout PlaylistFindings) {
        guard let start = playlist.start, !playlist.isComplete, !playlist.isDelta, let target = playlist.targetDuration
        else { return }
        let distance = start.timeOffset < .zero ? .zero - start.timeOffset : playlist.duration - start.timeOffset
        // A window that is too short has its own finding.
        guard distance < target * 3, playlist.duration >= target * 3 else { return }
        findings.add(
            .startNearEnd, line: line,
            "TIME-OFFSET=\(start.timeOffset.secondsText) is within 3 target durations of the end of a live playlist")
    }

    private func checkParts(hasPartInformation: Bool, findings: inout PlaylistFindings) {
        guard let firstLine = partLines.first else { return }
        guard hasPartInformation else {
            findings.add(.partInformationMissing, line: firstLine, "parts without EXT-X-PART-INF")
            return
        }
        guard let target = playlist.partTarget else { return }
        var lines = partLines.makeIterator()
        for index in playlist.segments.indices where !playlist.segments[index].parts.isEmpty {
            check(playlist.segments[index].parts, target: target, lines: &lines, findings: &findings)
        }
        check(playlist.trailingParts, target: target, lines: &lines, findings: &findings)
    }

    private func check(
        _ parts: [PartialSegment], target: Duration, lines: inout IndexingIterator<[Int]>,
        findings: inout PlaylistFindings
    ) {
        for (index, part) in parts.enumerated() {
            let line = lines.next()
            if part.duration > target {
                findings.add(
                    .partTooLong, line: line,
                    "\(part.duration.secondsText) s with a part target of \(target.secondsText) s")
            }
            let isLast = index == parts.count - 1
            let isExcused = part.isIndependent || part.isGap || isLast || parts[index + 1].isGap
            if !isExcused, part.duration * 100 < target * Self.shortestPartPercent {
                findings.add(
                    .partTooShort, line: line,
                    "\(part.duration.secondsText) s is below 85 % of the part target of \(target.secondsText) s")
            }
        }
    }
}

extension Duration {
    /// Seconds with as many fraction digits as needed, at most six: `4.6`.
    var secondsText: String {
        let microseconds = inMicroseconds
        let whole = microseconds.magnitude / 1_000_000
        var digits = String(microseconds.magnitude % 1_000_000)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(microseconds < 0 ? "-" : "")\(whole)\(digits.isEmpty ? "" : ".")\(digits)"
    }
}
