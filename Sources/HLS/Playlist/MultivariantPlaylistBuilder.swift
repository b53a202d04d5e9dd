import Ports

/// Builds a multivariant playlist from its tags in order (rfc8216bis-22 section 4.4.6).
struct MultivariantPlaylistBuilder {
    private var playlist: MultivariantPlaylist
    /// An EXT-X-STREAM-INF that still needs its URI; nil variant when the draft requires both to be ignored.
    private var pending: (variant: Variant?, line: Int)?
    private var sessionDataKeys: Set<[String]> = []
    private var sessionKeys: Set<EncryptionKey> = []
    private var steeringLine: Int?
    private var renditionLint = RenditionLint()

    init(uri: String) {
        playlist = MultivariantPlaylist(uri: uri)
    }

    /// Whether an EXT-X-STREAM-INF still needs its URI.
    var expectsURI: Bool { pending != nil }

    /// Reads one tag of `PlaylistTag.Place.multivariant`.
    mutating func read(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) {
        switch tag {
        case .streamInformation: readStream(value, context: &context)
        case .iFrameStreamInformation: readIFrameStream(value, context: &context)
        case .media: readRendition(value, context: &context)
        case .sessionData: readSessionData(value, context: &context)
        case .sessionKey: readSessionKey(value, context: &context)
        default: readSteering(value, context: &context)
        }
    }

    /// Reads the URI line that completes a variant.
    /// - Parameter isUnfinished: whether the text ends with it, without a line end.
    mutating func readURI(_ text: ByteView, isUnfinished: Bool, context: inout ParseContext) {
        defer { pending = nil }
        guard var variant = pending?.variant, hasRoom(playlist.variants.count, context: &context) else { return }
        guard let uri = context.resolvedLine(text) else { return }
        variant.uri = uri
        context.checkScheme(of: variant.uri)
        variant.mayBeCut = isUnfinished
        playlist.variants.append(variant)
    }

    /// Runs the checks that need the whole playlist. The builder must not be used afterwards.
    mutating func finish(_ shared: SharedTags, context: inout ParseContext) -> MultivariantPlaylist {
        reportUnusedStream(context: &context)
        playlist.version = shared.version
        playlist.start = shared.start
        playlist.hasIndependentSegments = shared.hasIndependentSegments
        playlist.definitions = context.variables.definitions
        if playlist.variants.isEmpty { context.findings.add(.noVariants, line: nil, "the playlist lists no variant") }
        checkGroups(findings: &context.findings)
        checkCaptions(findings: &context.findings)
        checkPathway(findings: &context.findings)
        context.versions.check(version: playlist.version, isIFramesOnly: false, findings: &context.findings)
        return playlist
    }

    private func hasRoom(_ count: Int, context: inout ParseContext) -> Bool {
        guard count >= PlaylistLimits.multivariantEntries else { return true }
        context.report(
            .limitReached, "more than \(PlaylistLimits.multivariantEntries) entries of one kind; the rest is not read")
        return false
    }

    // MARK: Variants

    private mutating func readStream(_ value: ByteView, context: inout ParseContext) {
        reportUnusedStream(context: &context)
        let variant = readVariant(value, isIFrame: false, context: &context)
        pending = (variant, context.line)
    }

    private func reportUnusedStream(context: inout ParseContext) {
        guard let pending else { return }
        context.findings.add(.variantMissingURI, line: pending.line, "no URI follows EXT-X-STREAM-INF")
    }

    private mutating func readIFrameStream(_ value: ByteView, context: inout ParseContext) {
        guard let variant = readVariant(value, isIFrame: true, context: &context) else { return }
        guard !variant.uri.isEmpty else {
            context.report(.variantMissingURI, "EXT-X-I-FRAME-STREAM-INF without URI")
            return
        }
        context.checkScheme(of: variant.uri)
        if hasRoom(playlist.iFrameVariants.count, context: &context) { playlist.iFrameVariants.append(variant) }
    }

    private func readVariant(_ value: ByteView, isIFrame: Bool, context: inout ParseContext) -> Variant? {
        guard let list = context.attributes(of: value, knownRequirement: "REQ-VIDEO-LAYOUT"),
            context.isKnown(list, "HDCP-LEVEL", ["NONE", "TYPE-0", "TYPE-1"]),
            context.isKnown(list, "VIDEO-RANGE", ["SDR", "HLG", "PQ"])
        else { return nil }
        var variant = Variant(uri: isIFrame ? context.uri(list, "URI") ?? "" : "")
        variant.line = context.line
        variant.bandwidth = context.bitRate(list, "BANDWIDTH")
        if variant.bandwidth == nil { context.report(.variantMissingBandwidth, "BANDWIDTH is missing or invalid") }
        variant.averageBandwidth = context.bitRate(list, "AVERAGE-BANDWIDTH")
        variant.codecs = context.string(list, "CODECS")
        variant.supplementalCodecs = context.string(list, "SUPPLEMENTAL-CODECS")
        variant.resolution = resolution(list, context: &context)
        variant.score = context.floating(list, "SCORE")
        variant.hdcpLevel = context.string(list, "HDCP-LEVEL")
        variant.videoRange = context.string(list, "VIDEO-RANGE")
        variant.video = context.string(list, "VIDEO")
        variant.pathwayID = context.string(list, "PATHWAY-ID")
        variant.stableVariantID = context.string(list, "STABLE-VARIANT-ID")
        variant.requiredVideoLayout = context.string(list, "REQ-VIDEO-LAYOUT")
        if isIFrame {
            checkIFrame(list, context: &context)
        } else {
            readGroups(list, into: &variant, context: &context)
        }
        return variant
    }

    /// An I-frame variant has no frame rate, audio, subtitles or captions (section 4.4.6.3).
    private func checkIFrame(_ list: AttributeList, context: inout ParseContext) {
        let forbidden: [StaticString] = ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"]
        for name in forbidden where list[name] != nil {
            context.report(.iFrameStreamAttribute, "EXT-X-I-FRAME-STREAM-INF with \(name)")
        }
    }

    private func readGroups(_ list: AttributeList, into variant: inout Variant, context: inout ParseContext) {
        variant.frameRate = context.floating(list, "FRAME-RATE")
        variant.audio = context.string(list, "AUDIO")
        variant.subtitles = context.string(list, "SUBTITLES")
        guard let captions = list["CLOSED-CAPTIONS"] else { return }
        if !captions.isQuoted, captions.value == "NONE" {
            variant.hasNoClosedCaptions = true
        } else {
            variant.closedCaptions = context.string(captions)
        }
    }

    private func resolution(_ list: AttributeList, context: inout ParseContext) -> Resolution? {
        guard let text = list["RESOLUTION"]?.value else { return nil }
        if let separator = text.firstIndex(of: UInt8(ascii: "x")),
            let width = DecimalNumber.integer(text.prefix(separator)),
            let height = DecimalNumber.integer(text.dropFirst(separator + 1))
        {
            return Resolution(width: width, height: height)
        }
        context.report(.numberInvalid, "RESOLUTION=\(text.excerpt) is not a width and a height")
        return nil
    }

    // MARK: Renditions and the rest

    private mutating func readRendition(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value),
            context.isKnown(list, "TYPE", ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"])
        else { return }
        let (group, name) = (context.string(list, "GROUP-ID") ?? "", context.string(list, "NAME") ?? "")
        let kind = context.string(list, "TYPE").flatMap(Rendition.Kind.init)
        if kind == nil || group.isEmpty || name.isEmpty {
            context.report(.renditionMissingAttribute, "EXT-X-MEDIA needs TYPE, GROUP-ID and NAME: '\(value.excerpt)'")
        }
        guard let kind else { return }
        var rendition = Rendition(kind: kind, groupID: group, name: name)
        rendition.line = context.line
        rendition.language = context.string(list, "LANGUAGE")
        rendition.associatedLanguage = context.string(list, "ASSOC-LANGUAGE")
        rendition.uri = context.uri(list, "URI")
        rendition.isDefault = context.flag(list, "DEFAULT")
        rendition.isAutoselect = context.flag(list, "AUTOSELECT")
        rendition.isForced = context.flag(list, "FORCED")
        rendition.instreamID = context.string(list, "INSTREAM-ID")
        rendition.channels = context.string(list, "CHANNELS")
        rendition.characteristics = context.string(list, "CHARACTERISTICS")
        rendition.stableRenditionID = context.string(list, "STABLE-RENDITION-ID")
        rendition.bitDepth = context.integer(list, "BIT-DEPTH")
        rendition.sampleRate = context.integer(list, "SAMPLE-RATE")
        check(rendition, context: &context)
        renditionLint.check(rendition, list, context: &context)
        if hasRoom(playlist.renditions.count, context: &context) { playlist.renditions.append(rendition) }
    }

    private func check(_ rendition: Rendition, context: inout ParseContext) {
        let kind = rendition.kind
        if kind == .subtitles, rendition.uri == nil {
            context.report(.renditionMissingAttribute, "SUBTITLES '\(rendition.name)' without URI")
        }
        if kind == .closedCaptions, rendition.instreamID == nil {
            context.report(.renditionMissingAttribute, "CLOSED-CAPTIONS '\(rendition.name)' without INSTREAM-ID")
        }
        guard let instreamID = rendition.instreamID else { return }
        if kind != .closedCaptions {
            context.versions.noteInstreamID("INSTREAM-ID on \(kind.rawValue)", needs: 13, line: context.line)
        } else if instreamID.hasPrefix("SERVICE") {
            context.versions.noteInstreamID("INSTREAM-ID SERVICE", needs: 7, line: context.line)
        }
    }

    private mutating func readSessionData(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value), context.isKnown(list, "FORMAT", ["JSON", "RAW"]) else { return }
        let id = context.string(list, "DATA-ID") ?? ""
        if id.isEmpty || (list["VALUE"] == nil) == (list["URI"] == nil) {
            context.report(
                .sessionDataInvalid, "EXT-X-SESSION-DATA needs DATA-ID and either VALUE or URI: '\(value.excerpt)'")
        }
        let language = context.string(list, "LANGUAGE")
        if !sessionDataKeys.insert([id, language ?? ""]).inserted, !id.isEmpty {
            context.report(.sessionDataDuplicate, "DATA-ID '\(id)' appears twice in one language")
        }
        guard hasRoom(playlist.sessionData.count, context: &context) else { return }
        let uri = context.uri(list, "URI")
        playlist.sessionData.append(
            SessionData(
                dataID: id, value: context.string(list, "VALUE"), uri: uri,
                format: uri == nil ? nil : context.string(list, "FORMAT") ?? "JSON", language: language))
    }

    private mutating func readSessionKey(_ value: ByteView, context: inout ParseContext) {
        switch context.readKey(value) {
        case .key(let key):
            if !sessionKeys.insert(key).inserted {
                context.report(.sessionKeyDuplicate, "a second EXT-X-SESSION-KEY with the same attributes")
            }
            if hasRoom(playlist.sessionKeys.count, context: &context) { playlist.sessionKeys.append(key) }
        case .clear: context.report(.keyInvalid, "METHOD=NONE in EXT-X-SESSION-KEY")
        case .ignored: break
        }
    }

    private mutating func readSteering(_ value: ByteView, context: inout ParseContext) {
        if steeringLine != nil { context.report(.duplicateTag, "EXT-X-CONTENT-STEERING appears twice") }
        steeringLine = context.line
        guard let list = context.attributes(of: value) else { return }
        guard let uri = context.uri(list, "SERVER-URI") else {
            context.report(.contentSteeringInvalid, "EXT-X-CONTENT-STEERING without SERVER-URI")
            return
        }
        playlist.contentSteering = ContentSteering(serverURI: uri, pathwayID: context.string(list, "PATHWAY-ID"))
    }

    // MARK: Rules about the whole

    private func checkGroups(findings: inout PlaylistFindings) {
        var groups: Set<[String]> = []
        for rendition in playlist.renditions { groups.insert([rendition.kind.rawValue, rendition.groupID]) }
        for variant in playlist.variants + playlist.iFrameVariants {
            let wanted: [(Rendition.Kind, String?)] = [
                (.audio, variant.audio), (.video, variant.video), (.subtitles, variant.subtitles),
                (.closedCaptions, variant.closedCaptions),
            ]
            for (kind, group) in wanted {
                guard let group, !groups.contains([kind.rawValue, group]) else { continue }
                findings.add(
                    .renditionGroupMissing, line: variant.line, "no EXT-X-MEDIA has \(kind.rawValue) group '\(group)'")
            }
        }
    }

    /// If one variant has no closed captions, none has (section 4.4.6.2).
    private func checkCaptions(findings: inout PlaylistFindings) {
        guard playlist.variants.contains(where: \.hasNoClosedCaptions),
            let other = playlist.variants.first(where: { !$0.hasNoClosedCaptions })
        else { return }
        findings.add(
            .closedCaptionsMixed, line: other.line, "other variants have CLOSED-CAPTIONS=NONE, and this one has not")
    }

    /// A variant without PATHWAY-ID is on the pathway of one point.
    private func checkPathway(findings: inout PlaylistFindings) {
        guard let pathway = playlist.contentSteering?.pathwayID else { return }
        if !playlist.variants.contains(where: { ($0.pathwayID ?? ".") == pathway }) {
            findings.add(.contentSteeringUnknownPathway, line: steeringLine, "no variant is on pathway '\(pathway)'")
        }
    }
}
