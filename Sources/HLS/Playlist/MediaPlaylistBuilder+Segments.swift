import Ports

/// The tags that apply to one segment or to those that follow (rfc8216bis-22 section 4.4.4).
extension MediaPlaylistBuilder {
    /// EXTINF; the comma may be missing. The title is the rest of the line, blanks at its start included (section 4.4.4.1); those
    /// at the end of a line are not part of it.
    mutating func readDuration(_ value: ByteView, context: inout ParseContext) {
        if pending.extinfLine != 0 { reportUnusedDuration(context: &context) }
        pending.extinfLine = context.line
        let comma = value.firstIndex(of: UInt8(ascii: ","))
        if comma == nil { context.report(.extinfNoComma, "EXTINF without a comma") }
        let number = value.prefix(comma ?? value.count).trimmed
        let title = comma.map { value.dropFirst($0 + 1) }
        pending.title = title.flatMap { $0.isEmpty ? nil : context.interner.string($0) }
        pending.duration = DecimalNumber.seconds(number)
        if pending.duration == nil {
            context.report(
                .extinfInvalid, "'\(number.excerpt)' is not a number of seconds; the target duration is used")
        } else if number.firstIndex(of: UInt8(ascii: ".")) != nil {
            context.versions.noteFractionalDuration(line: context.line)
        }
    }

    /// Reports an EXTINF that no URI follows.
    func reportUnusedDuration(context: inout ParseContext) {
        context.findings.add(.extinfWithoutURI, line: pending.extinfLine, "no URI follows this EXTINF")
    }

    /// EXT-X-PROGRAM-DATE-TIME; an unreadable one counts as absent.
    mutating func readDate(_ value: ByteView, context: inout ParseContext) {
        if pending.dateLine != 0 { context.report(.pdtDuplicate, "a second date for one segment; the second is used") }
        guard let date = ISODate(value) else {
            context.report(.pdtInvalid, "'\(value.excerpt)' is not a date")
            return
        }
        if !date.hasZone { context.report(.pdtNoTimezone, "'\(value.excerpt)' has no zone; UTC is assumed") }
        pending.date = date.time
        pending.dateLine = context.line
    }

    /// EXT-X-DISCONTINUITY; two before one segment count twice.
    mutating func readDiscontinuity() {
        pending.isDiscontinuity = true
        discontinuities += 1
    }

    /// EXT-X-BYTERANGE.
    mutating func readByteRange(_ value: ByteView, context: inout ParseContext) {
        context.versions.note("EXT-X-BYTERANGE", needs: 4, line: context.line)
        guard let range = Self.byteRange(value) else {
            context.report(.byteRangeInvalid, "'\(value.excerpt)' is not a length with an offset")
            return
        }
        pending.byteRange = (range.length, range.offset, context.line)
    }

    /// `<n>[@<o>]`
    static func byteRange(_ text: ByteView) -> (length: Int, offset: Int?)? {
        guard let at = text.firstIndex(of: UInt8(ascii: "@")) else {
            return DecimalNumber.integer(text).map { ($0, nil) }
        }
        guard let length = DecimalNumber.integer(text.prefix(at)),
            let offset = DecimalNumber.integer(text.dropFirst(at + 1))
        else { return nil }
        return (length, offset)
    }

    /// EXT-X-KEY: replaces the key of its KEYFORMAT, or all keys with METHOD=NONE.
    mutating func readKey(_ value: ByteView, context: inout ParseContext) {
        switch context.readKey(value) {
        case .key(let key): addKey(key, context: &context)
        case .clear:
            keys = []
            if playlist.skip != nil, playlist.skip?.keysClearedAt == nil {
                playlist.skip?.keysClearedAt = playlist.segments.count
            }
        case .ignored: break
        }
    }

    private mutating func addKey(_ key: EncryptionKey, context: inout ParseContext) {
        if let index = keys.firstIndex(where: { $0.keyFormat == key.keyFormat }) {
            keys[index] = key
        } else if keys.count < PlaylistLimits.keyFormats {
            keys.append(key)
        } else {
            context.report(.limitReached, "more than \(PlaylistLimits.keyFormats) key formats; this one is not read")
        }
    }

    /// EXT-X-MAP.
    mutating func readMap(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        context.versions.noteMap(line: context.line)
        guard let uri = context.uri(list, "URI") else {
            context.report(.mapMissingURI, "EXT-X-MAP without URI")
            return
        }
        context.checkScheme(of: uri)
        var map = MediaInitialization(uri: uri)
        if let text = list["BYTERANGE"]?.value {
            if let range = Self.byteRange(text), let offset = range.offset {
                map.byteRange = ByteRange(length: range.length, offset: offset)
            } else {
                context.report(.byteRangeInvalid, "BYTERANGE=\(text.excerpt) of EXT-X-MAP needs a length and an offset")
            }
        }
        self.map = map
        isMapNew = true
    }

    /// EXT-X-BITRATE.
    mutating func readBitrate(_ value: ByteView, context: inout ParseContext) {
        bitrate = readNumber(value, of: .bitrate, context: &context) ?? bitrate
    }

    // MARK: The URI line

    /// A URI line without EXTINF: discards what the tags state about its segment, except for a discontinuity.
    mutating func dropURI() {
        pending.date = nil
        pending.dateLine = 0
        pending.byteRange = nil
        pending.isGap = false
    }

    /// The URI line that completes a segment; `position` is the byte position in the text.
    mutating func readURI(_ text: ByteView, at position: Int, context: inout ParseContext) {
        defer { pending = PendingSegment() }
        guard playlist.segments.count < PlaylistLimits.segments else {
            context.report(.limitReached, "more than \(PlaylistLimits.segments) segments; the rest is not read")
            return
        }
        reserve(at: position)
        // A segment keeps its number, length and date without a URI.
        let uri = context.resolvedLine(text) ?? ""
        context.checkScheme(of: uri)
        let range = resolveByteRange(uri: uri, context: &context)
        checkMap(context: &context)
        if pending.isGap { context.report(.gapSegment, "the segment is marked as missing") }
        playlist.segments.append(
            MediaSegment(
                sequence: 0, discontinuitySequence: discontinuities, uri: uri, base: playlist.uri,
                duration: pending.duration ?? .zero, title: pending.title, date: pending.date,
                dateSource: pending.date == nil ? nil : .explicit, isDiscontinuity: pending.isDiscontinuity,
                isGap: pending.isGap, byteRange: range, map: map, keys: keys, bitrate: range == nil ? bitrate : nil,
                parts: pending.parts, line: context.line))
        marks.append(
            SegmentMarks(
                extinfLine: Int32(clamping: pending.extinfLine), dateLine: Int32(clamping: pending.dateLine),
                isUnreadable: pending.duration == nil))
    }

    /// Reserves capacity once the first segments show how many bytes of text a segment takes: growth by doubling would
    /// use as much memory again.
    private mutating func reserve(at position: Int) {
        let sample = 64
        guard playlist.segments.count == sample else { return }
        let expected = min(byteCount / max(1, position / sample) + sample, PlaylistLimits.segments)
        playlist.segments.reserveCapacity(expected)
        marks.reserveCapacity(expected)
    }

    /// A range without an offset continues the preceding range of the same resource.
    private mutating func resolveByteRange(uri: String, context: inout ParseContext) -> ByteRange? {
        guard let (length, offset, line) = pending.byteRange else { return nil }
        if let offset { return ByteRange(length: length, offset: offset) }
        let previous = playlist.segments.last
        if let previous, let range = previous.byteRange, previous.uri == uri {
            if playlist.skip?.continuedByteRanges == playlist.segments.count { playlist.skip?.continuedByteRanges += 1 }
            return ByteRange(length: length, offset: range.end)
        }
        if previous == nil, playlist.isDelta {
            playlist.skip?.continuedByteRanges = 1
            return ByteRange(length: length, offset: 0)
        }
        context.refuse(
            .byteRangeWithoutOffset, line: line,
            "no offset, and the previous segment is not a range of the same resource")
        return nil
    }

    private mutating func checkMap(context: inout ParseContext) {
        guard isMapNew else { return }
        isMapNew = false
        guard let previous = playlist.segments.last, previous.map != map, !pending.isDiscontinuity else { return }
        context.report(.mapChangeWithoutDiscontinuity, "EXT-X-MAP changes without EXT-X-DISCONTINUITY")
    }
}
