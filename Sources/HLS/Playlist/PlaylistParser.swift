import Ports

/// Parses media and multivariant playlists (draft-pantos-hls-rfc8216bis-22, protocol version 13) from UTF-8 bytes.
///
/// Bad input gives values and findings. Only the rules of HLS-5 make a playlist invalid, and then the findings up to
/// that line are kept.
package enum PlaylistParser {
    /// Parses one text. Bytes that are not UTF-8 are replaced by U+FFFD, with a finding for each line that has some.
    ///
    /// - Parameters:
    ///   - uri: URI of the text after redirects: the base of relative URIs and the source of QUERYPARAM.
    ///   - variables: variables of the multivariant playlist, for IMPORT.
    ///   - isStrict: whether bytes that are not UTF-8 make the playlist invalid, as rfc8216bis-22 section 4.1 recommends.
    package static func parse(
        _ bytes: [UInt8], uri: String, variables: [String: String] = [:], isStrict: Bool = false
    ) -> ParsedPlaylist {
        bytes.withUnsafeBufferPointer { buffer in
            let check = PlaylistTextCheck(buffer, replaces: !isStrict)
            guard let text = check.replaced else {
                return read(buffer, check.isValid ? nil : check, uri: uri, variables: variables)
            }
            return text.withUnsafeBufferPointer { read($0, check, uri: uri, variables: variables) }
        }
    }

    /// - Parameter check: the lines that are not UTF-8; nil if all are.
    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, _ check: PlaylistTextCheck?, uri: String, variables: [String: String]
    ) -> ParsedPlaylist {
        var reader = PlaylistReader(text, uri: uri, variables: variables)
        let kind = reader.read(check)
        return ParsedPlaylist(
            uri: uri, variables: variables, kind: kind, findings: reader.context.findings.sorted(),
            undecodableSplices: reader.context.undecodableSplices)
    }
}

/// The line loop: passes each tag to the reader of its kind of playlist.
private struct PlaylistReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    var context: ParseContext
    private var define: DefineTag
    private var shared = SharedTags()
    private var media: MediaPlaylistBuilder
    private var multivariant: MultivariantPlaylistBuilder
    /// The first tag of either kind, with its line.
    private var mediaTag: (PlaylistTag, line: Int)?
    private var multivariantTag: (PlaylistTag, line: Int)?
    /// Lines of URIs without a preceding tag, while the kind of playlist is unknown.
    private var earlyURIs: [Int] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, uri: String, variables: [String: String]) {
        self.bytes = bytes
        context = ParseContext(uri: uri)
        define = DefineTag(importable: variables, uri: uri)
        media = MediaPlaylistBuilder(uri: uri, byteCount: bytes.count)
        multivariant = MultivariantPlaylistBuilder(uri: uri)
    }

    /// - Parameter check: what is not UTF-8 in the text as it was received; nil if nothing is.
    mutating func read(_ check: PlaylistTextCheck?) -> ParsedPlaylist.Kind {
        let count = check?.count ?? bytes.count
        guard count <= Limits.playlistBytes else {
            context.refuse(.playlistTooLong, "\(count) bytes; the limit is \(Limits.playlistBytes)")
            return refused()
        }
        if let check, !note(check) { return refused() }
        var scanner = LineScanner(bytes, from: skippedByteOrderMark())
        readFirstLine(&scanner)
        while context.refusal == nil, let line = scanner.next() {
            context.line = line.number
            read(line, at: scanner.position)
            if let name = define.missingImport { refuseImport(of: name, before: scanner) }
        }
        return finish()
    }

    /// Reports the lines that are not UTF-8. False when the playlist is not read because of them.
    private mutating func note(_ check: PlaylistTextCheck) -> Bool {
        guard check.replaced != nil else {
            // The input is not text, whatever else may be wrong with it.
            context.refuse(.notUTF8, line: check.lines.first, "the line contains bytes that are not UTF-8")
            return false
        }
        for line in check.lines {
            context.findings.add(.notUTF8, line: line, "bytes that are not UTF-8 were replaced by U+FFFD")
        }
        return true
    }

    /// An IMPORT of an unknown variable: whether the variable or IMPORT itself is wrong depends on the kind of
    /// playlist, which may only be known from a later tag.
    private mutating func refuseImport(of name: String, before rest: LineScanner) {
        var rest = rest
        var isMedia = mediaTag != nil
        while !isMedia, multivariantTag == nil, let line = rest.next() {
            guard let (tag, _) = PlaylistTag.read(line.text.trimmed) else { continue }
            isMedia = tag.place == .media
            if tag.place == .multivariant { break }
        }
        if isMedia {
            context.refuse(.defineImportMissing, "the multivariant playlist does not define \(name)")
        } else {
            context.refuse(.defineInvalid, "IMPORT is not allowed in a multivariant playlist")
        }
    }

    private mutating func skippedByteOrderMark() -> Int {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return 0 }
        context.line = 1
        context.report(.bomPresent, "the text starts with a byte order mark")
        return 3
    }

    /// EXTM3U must be the first line. Text after it and a space is ignored, as in other M3U files.
    private mutating func readFirstLine(_ scanner: inout LineScanner) {
        context.line = 1
        guard let line = scanner.next() else {
            context.refuse(.noEXTM3U, "the text is empty")
            return
        }
        guard let text = checked(line), text == "#EXTM3U" || text.hasPrefix("#EXTM3U ") || text.hasPrefix("#EXTM3U\t")
        else {
            let first = "the first line is not #EXTM3U but '\(line.text.excerpt)'"
            let isDASH = DASHManifest.isRoot(of: bytes.prefix(PlaylistLimits.uriBytes))
            context.refuse(.noEXTM3U, isDASH ? DASHManifest.problem : first)
            return
        }
        if text.count > 7 { context.report(.strayWhitespace, "text after #EXTM3U") }
    }

    private mutating func read(_ line: PlaylistLine, at position: Int) {
        guard let text = checked(line), !text.isEmpty else { return }
        if text[0] != UInt8(ascii: "#") {
            readURI(text, at: position)
        } else if let (tag, value) = PlaylistTag.read(text) {
            if value[0].isBlank, tag.hasAttributes {
                context.report(.attributeWhitespace, "blanks after the colon of \(tag.rawValue)")
            }
            read(tag, value.trimmed)
        } else if text.hasPrefix("# EXT") {
            // Some vendors' guides print tags this way, and packagers copy it.
            context.report(.tagInComment, "'\(text.excerpt)' is a comment because of the space after #")
        }
    }

    /// The line without spaces at its ends, with findings about its bytes; nil when it is too long.
    private mutating func checked(_ line: PlaylistLine) -> ByteView? {
        guard line.text.count <= PlaylistLimits.lineBytes else {
            context.report(
                .limitReached,
                "a line of \(line.text.count) bytes is not read; the limit is \(PlaylistLimits.lineBytes)")
            return nil
        }
        if line.hasControls || line.hasNonASCII && line.text.hasLaterControls {
            context.report(.controlCharacters, "the line contains control characters")
        }
        if line.endsWithBareReturn { context.report(.bareCarriageReturn, "the line ends with CR alone") }
        let text = line.text
        guard text[0].isBlank || text[text.count - 1].isBlank else { return text }
        context.report(.strayWhitespace, "space at the start or end of the line")
        return text.trimmed
    }

    private mutating func readURI(_ text: ByteView, at position: Int) {
        if multivariant.expectsURI {
            multivariant.readURI(text, isUnfinished: isUnfinished(at: position), context: &context)
        } else if media.expectsURI {
            media.readURI(text, at: position, context: &context)
        } else {
            dropURI()
        }
    }

    /// Whether the line before `position` is the last one and has no line end.
    private func isUnfinished(at position: Int) -> Bool {
        guard position == bytes.count, let last = bytes.last else { return false }
        return last != 0x0A && last != 0x0D
    }

    private mutating func dropURI() {
        media.dropURI()
        if mediaTag != nil {
            reportStrayURI(line: context.line)
        } else if earlyURIs.count < PlaylistLimits.findingsPerRule {
            // Which rule is broken depends on the kind of playlist, which no tag has shown yet.
            earlyURIs.append(context.line)
        }
    }

    private mutating func reportStrayURI(line: Int) {
        if mediaTag != nil {
            context.findings.add(.segmentWithoutEXTINF, line: line, "URI without EXTINF: dropped")
        } else {
            context.findings.add(.uriWithoutTag, line: line, "URI without EXT-X-STREAM-INF: dropped")
        }
    }

    private mutating func read(_ tag: PlaylistTag, _ value: ByteView) {
        switch tag.place {
        case .anywhere:
            if tag == .define {
                define.read(value, context: &context)
            } else {
                shared.read(tag, value, context: &context)
            }
        case .media:
            if mediaTag == nil { mediaTag = (tag, context.line) }
            if let other = multivariantTag { return refuseMixed(tag, other) }
            media.read(tag, value, context: &context)
        case .marker:
            media.readMarker(tag, value, context: &context)
        case .multivariant:
            if multivariantTag == nil { multivariantTag = (tag, context.line) }
            if let other = mediaTag { return refuseMixed(tag, other) }
            multivariant.read(tag, value, context: &context)
        }
    }

    private mutating func refuseMixed(_ tag: PlaylistTag, _ other: (tag: PlaylistTag, line: Int)) {
        context.refuse(.mixedPlaylist, "\(tag.rawValue) after \(other.tag.rawValue) in line \(other.line)")
    }

    private mutating func finish() -> ParsedPlaylist.Kind {
        if mediaTag == nil, let line = define.importLine {
            context.line = line
            context.refuse(.defineInvalid, "IMPORT is not allowed in a multivariant playlist")
        }
        guard context.refusal == nil else { return refused() }
        for line in earlyURIs { reportStrayURI(line: line) }
        return mediaTag != nil
            ? .media(media.finish(shared, context: &context))
            : .multivariant(multivariant.finish(shared, context: &context))
    }

    private func refused() -> ParsedPlaylist.Kind {
        .invalid(rule: context.refusal?.rawValue ?? PlaylistRule.noEXTM3U.rawValue)
    }
}
