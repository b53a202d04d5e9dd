import Ports

/// The tags that apply to the whole playlist (rfc8216bis-22 section 4.4.3).
extension MediaPlaylistBuilder {
    /// EXT-X-TARGETDURATION.
    mutating func readTargetDuration(_ value: ByteView, context: inout ParseContext) {
        guard let seconds = DecimalNumber.integer(value), seconds >= 1, seconds <= DecimalNumber.mostSeconds else {
            context.report(.targetDurationInvalid, "'\(value.excerpt)' is not an integer of 1 or more")
            return
        }
        playlist.targetDuration = .seconds(seconds)
    }

    /// EXT-X-MEDIA-SEQUENCE; 0 when unreadable.
    mutating func readMediaSequence(_ value: ByteView, context: inout ParseContext) {
        playlist.mediaSequence = readNumber(value, of: .mediaSequence, context: &context) ?? 0
    }

    /// EXT-X-DISCONTINUITY-SEQUENCE; after a DISCONTINUITY it is a finding, but its value is used.
    mutating func readDiscontinuitySequence(_ value: ByteView, context: inout ParseContext) {
        if discontinuities > 0 {
            context.report(.tagAfterFirstSegment, "EXT-X-DISCONTINUITY-SEQUENCE after EXT-X-DISCONTINUITY")
        }
        playlist.discontinuitySequence = readNumber(value, of: .discontinuitySequence, context: &context) ?? 0
    }

    /// Parses a value that is a single integer; nil, with a finding, when it is not.
    func readNumber(_ value: ByteView, of tag: PlaylistTag, context: inout ParseContext) -> Int? {
        if let number = DecimalNumber.integer(value) { return number }
        let (rule, problem) = DecimalNumber.problem(of: value)
        context.report(rule, "\(tag.rawValue) '\(value.excerpt)' \(problem)")
        return nil
    }

    /// EXT-X-PLAYLIST-TYPE.
    mutating func readPlaylistType(_ value: ByteView, context: inout ParseContext) {
        playlist.playlistType = value == "VOD" ? .vod : value == "EVENT" ? .event : nil
        if playlist.playlistType == nil {
            context.report(.playlistTypeInvalid, "'\(value.excerpt)' is neither EVENT nor VOD")
        }
    }

    /// EXT-X-I-FRAMES-ONLY.
    mutating func readIFramesOnly(context: inout ParseContext) {
        playlist.isIFramesOnly = true
        context.versions.note("EXT-X-I-FRAMES-ONLY", needs: 4, line: context.line)
    }

    /// EXT-X-PART-INF.
    mutating func readPartInformation(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        playlist.partTarget = context.seconds(list, "PART-TARGET")
        if list["PART-TARGET"] == nil { context.report(.partInvalid, "PART-TARGET of EXT-X-PART-INF is missing") }
    }

    /// EXT-X-SERVER-CONTROL.
    mutating func readServerControl(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        playlist.serverControl = ServerControl(
            canSkipUntil: context.seconds(list, "CAN-SKIP-UNTIL"),
            canSkipDateRanges: context.flag(list, "CAN-SKIP-DATERANGES"),
            holdBack: context.seconds(list, "HOLD-BACK"), partHoldBack: context.seconds(list, "PART-HOLD-BACK"),
            canBlockReload: context.flag(list, "CAN-BLOCK-RELOAD"))
    }

    /// EXT-X-SKIP (section 4.4.5.2).
    mutating func readSkip(_ value: ByteView, context: inout ParseContext) {
        context.versions.note("EXT-X-SKIP", needs: 9, line: context.line)
        guard let list = context.attributes(of: value) else {
            // A tag that must be ignored (section 6.3.1) still shows that segments are missing.
            playlist.hasUnreadableSkip = true
            return
        }
        guard let text = list["SKIPPED-SEGMENTS"]?.value, let count = DecimalNumber.integer(text) else {
            context.report(.skipInvalid, "SKIPPED-SEGMENTS is missing or is not a decimal integer: '\(value.excerpt)'")
            playlist.hasUnreadableSkip = true
            return
        }
        var skip = SkippedSegments(count: count)
        if let removed = list["RECENTLY-REMOVED-DATERANGES"] {
            context.versions.note("RECENTLY-REMOVED-DATERANGES", needs: 10, line: context.line)
            skip.removedDateRanges = context.string(removed).split(separator: "\t").map(String.init)
        }
        playlist.skip = skip
    }
}
