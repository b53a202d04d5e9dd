import Ports

/// Parts, hints and reports (rfc8216bis-22 sections 4.4.4.9, 4.4.5.3 and 4.4.5.4).
extension MediaPlaylistBuilder {
    /// What applies to a segment applies to its parts, so it comes before the first of them (section 4.4.4.9).
    func checkOrder(_ tag: PlaylistTag, context: inout ParseContext) {
        guard !pending.parts.isEmpty else { return }
        switch tag {
        case .discontinuity, .key, .map, .programDateTime:
            context.report(.tagAfterPart, "\(tag.rawValue) follows a part of its segment")
        default: break
        }
    }

    /// EXT-X-PART; one without URI or DURATION is dropped.
    mutating func readPart(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        guard partLines.count < PlaylistLimits.parts else {
            context.report(.limitReached, "more than \(PlaylistLimits.parts) parts; the rest is not read")
            return
        }
        guard let uri = context.uri(list, "URI"), let attribute = list["DURATION"],
            let duration = DecimalNumber.seconds(attribute.value)
        else {
            context.report(.partInvalid, "a part needs URI and DURATION: '\(value.excerpt)'")
            return
        }
        context.reportQuotes(attribute, "DURATION")
        context.checkScheme(of: uri)
        var part = PartialSegment(
            sequence: 0, index: pending.parts.count, uri: uri, duration: duration,
            isIndependent: context.flag(list, "INDEPENDENT"), isGap: context.flag(list, "GAP"))
        if let text = list["BYTERANGE"]?.value { part.byteRange = partRange(text, uri: uri, context: &context) }
        pending.parts.append(part)
        partLines.append(context.line)
    }

    /// A range without an offset continues the preceding part of the same parent and resource.
    private func partRange(_ text: ByteView, uri: String, context: inout ParseContext) -> ByteRange? {
        guard let range = Self.byteRange(text) else {
            context.report(.byteRangeInvalid, "BYTERANGE=\(text.excerpt) is not a length with an offset")
            return nil
        }
        if let offset = range.offset { return ByteRange(length: range.length, offset: offset) }
        guard let previous = pending.parts.last, previous.uri == uri, let before = previous.byteRange else {
            context.report(
                .byteRangeInvalid,
                "BYTERANGE=\(text.excerpt) has no offset and no part to continue; offset 0 is assumed")
            return ByteRange(length: range.length, offset: 0)
        }
        return ByteRange(length: range.length, offset: before.end)
    }

    /// EXT-X-PRELOAD-HINT; only the first of each TYPE counts.
    mutating func readPreloadHint(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        guard let type = list["TYPE"], let uri = context.uri(list, "URI") else {
            context.report(.preloadHintInvalid, "a preload hint needs TYPE and URI: '\(value.excerpt)'")
            return
        }
        guard let kind = PreloadHint.Kind(rawValue: context.string(type)) else {
            context.report(
                .preloadHintUnknownType, "TYPE=\(type.value.excerpt) is unknown: the preload hint is ignored")
            return
        }
        guard !playlist.preloadHints.contains(where: { $0.kind == kind }) else {
            context.report(.preloadHintDuplicate, "a second preload hint of TYPE=\(kind.rawValue) is ignored")
            return
        }
        preloadHintLine = preloadHintLine ?? context.line
        playlist.preloadHints.append(
            PreloadHint(
                kind: kind, uri: uri, byteRangeStart: context.integer(list, "BYTERANGE-START") ?? 0,
                byteRangeLength: context.integer(list, "BYTERANGE-LENGTH")))
    }

    /// EXT-X-RENDITION-REPORT.
    mutating func readRenditionReport(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        guard let uri = context.uri(list, "URI") else {
            context.report(.renditionReportInvalid, "rendition report without URI")
            return
        }
        guard playlist.renditionReports.count < PlaylistLimits.renditionReports else {
            context.report(
                .limitReached, "more than \(PlaylistLimits.renditionReports) rendition reports; the rest is not read")
            return
        }
        playlist.renditionReports.append(
            RenditionReport(
                uri: uri, lastSequence: context.integer(list, "LAST-MSN"),
                lastPart: context.integer(list, "LAST-PART")))
    }
}
