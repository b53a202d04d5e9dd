import Ports

/// Converts a date range of CLASS `com.apple.hls.interstitial` (rfc8216bis-22 appendix D.2, HLS-16).
struct InterstitialReader {
    let resolver: PlaylistURIResolver
    let segments: [MediaSegment]
    /// Created for the first range that snaps, because most playlists have none.
    private lazy var boundaries = SegmentBoundaries(segments)

    init(resolver: PlaylistURIResolver, segments: [MediaSegment]) {
        self.resolver = resolver
        self.segments = segments
    }

    /// Converts one range; rule violations are findings at its first tag.
    mutating func read(_ range: DateRange, findings: inout PlaylistFindings) -> Interstitial {
        var interstitial = Interstitial(id: range.id)
        interstitial.start = range.start
        interstitial.cue = range.cue
        readAssets(range, into: &interstitial, findings: &findings)
        readTimes(range, into: &interstitial, findings: &findings)
        readEnumerations(range, into: &interstitial, findings: &findings)
        if let offset = range.seconds("X-SKIP-CONTROL-OFFSET", findings: &findings) {
            interstitial.skipControl = SkipControl(
                offset: offset, duration: range.seconds("X-SKIP-CONTROL-DURATION", findings: &findings),
                labelID: range.text("X-SKIP-CONTROL-LABEL-ID"))
        }
        if range.cue.isEmpty, range[extension: "X-CUE"] != nil {
            findings.add(.interstitialLegacyXCue, line: range.line, "X-CUE of '\(range.id)' is ignored; use CUE")
        }
        interstitial.creativeSignaling = range.text("X-AD-CREATIVE-SIGNALING")
        snap(&interstitial)
        return interstitial
    }

    private func readAssets(
        _ range: DateRange, into interstitial: inout Interstitial, findings: inout PlaylistFindings
    ) {
        interstitial.assetURI = range.uri("X-ASSET-URI", findings: &findings)
        interstitial.assetList = range.uri("X-ASSET-LIST", findings: &findings).map { resolver.resolve($0) }
        for (uri, isList) in [(interstitial.assetURI, false), (interstitial.assetList, true)] {
            guard let uri, let scheme = resolver.foreignScheme(of: uri, allowsData: isList) else { continue }
            findings.add(
                .uriScheme, line: range.line,
                "an asset of '\(range.id)' has a URI with the scheme '\(scheme)', which is never requested")
        }
        switch (interstitial.assetURI, interstitial.assetList) {
        case (nil, nil):
            findings.add(
                .interstitialNoAsset, line: range.line, "'\(range.id)' has neither X-ASSET-URI nor X-ASSET-LIST")
        case (.some, .some):
            findings.add(
                .interstitialBothAssets, line: range.line, "'\(range.id)' has both X-ASSET-URI and X-ASSET-LIST")
        default: break
        }
        if let uri = interstitial.assetURI, URIReference(uri).scheme == nil {
            findings.add(
                .interstitialRelativeAssetURI, line: range.line, "X-ASSET-URI of '\(range.id)' is not absolute")
        }
    }

    private func readTimes(
        _ range: DateRange, into interstitial: inout Interstitial, findings: inout PlaylistFindings
    ) {
        interstitial.resumeOffset = range.seconds("X-RESUME-OFFSET", signed: true, findings: &findings)
        interstitial.playoutLimit = range.seconds("X-PLAYOUT-LIMIT", findings: &findings)
        let expected = range.explicitDuration ?? range.plannedDuration
        interstitial.expectedDuration = expected.map { min($0, interstitial.playoutLimit ?? $0) }
    }

    private func readEnumerations(
        _ range: DateRange, into interstitial: inout Interstitial, findings: inout PlaylistFindings
    ) {
        interstitial.snap = range.members("X-SNAP", findings: &findings)
        interstitial.restrict = range.members("X-RESTRICT", findings: &findings)
        if let choice: YesOrNo = range.choice("X-CONTENT-MAY-VARY", findings: &findings) {
            interstitial.contentMayVary = choice == .yes
        }
        interstitial.timelineOccupies = range.choice("X-TIMELINE-OCCUPIES", findings: &findings) ?? .point
        interstitial.timelineStyle = range.choice("X-TIMELINE-STYLE", findings: &findings) ?? .highlight
    }

    /// A trigger overrides the date, so the interstitial does not snap.
    private mutating func snap(_ interstitial: inout Interstitial) {
        guard interstitial.cue.isEmpty, let start = interstitial.start else { return }
        if interstitial.snap.contains(.out) { interstitial.snapOut = boundaries.nearest(to: start) }
        if interstitial.snap.contains(.in), let offset = interstitial.effectiveResumeOffset {
            interstitial.snapIn = boundaries.nearest(to: start + offset)
        }
    }
}

extension MediaPlaylist {
    /// Sets `interstitials` from the date ranges.
    mutating func readInterstitials(resolver: PlaylistURIResolver, findings: inout PlaylistFindings) {
        var reader = InterstitialReader(resolver: resolver, segments: segments)
        interstitials = []
        for range in dateRanges where range.rangeClass == Interstitial.rangeClass {
            interstitials.append(reader.read(range, findings: &findings))
        }
    }
}

private enum YesOrNo: String {
    case yes = "YES"
    case no = "NO"
}

extension DateRange {
    /// DURATION, else END-DATE minus START-DATE. END-ON-NEXT does not define the duration of an interstitial.
    fileprivate var explicitDuration: Duration? {
        if let statedDuration { return statedDuration }
        guard let start, let endDate, endDate >= start else { return nil }
        return endDate - start
    }

    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[extension: name] { text } else { nil }
    }

    /// Nil when absent, empty or, with a finding, too long; the content of a `data:` URI may be as long as its line.
    fileprivate func uri(_ name: String, findings: inout PlaylistFindings) -> String? {
        guard let uri = text(name), !uri.isEmpty else { return nil }
        let limit = PlaylistLimits.uriBytes
        guard uri.utf8.count <= limit || DataURI.isOne(uri) else {
            findings.add(
                .limitReached, line: line,
                "\(name) of '\(id)' has \(uri.utf8.count) bytes and is not read; the limit is \(limit)")
            return nil
        }
        return uri
    }

    fileprivate func seconds(
        _ name: String, signed: Bool = false, findings: inout PlaylistFindings
    ) -> Duration? {
        guard let value = self[extension: name] else { return nil }
        if let seconds = value.text.withBytes({ DecimalNumber.seconds($0, signed: signed) }) {
            if case .string = value {
                findings.add(.numberInvalid, line: line, "\(name) of '\(id)' is quoted; a number has no quotes")
            }
            return seconds
        }
        findings.add(.numberInvalid, line: line, "\(name) of '\(id)' is not a number of seconds")
        return nil
    }

    /// The known members; unknown ones must be ignored (section 4.2).
    fileprivate func members<Member: RawRepresentable<String>>(
        _ name: String, findings: inout PlaylistFindings
    ) -> [Member] {
        guard let value = self[extension: name] else { return [] }
        guard case .string(let text) = value else {
            findings.add(.interstitialBadEnum, line: line, "\(name) of '\(id)' is not a list of words")
            return []
        }
        return text.split(separator: ",").compactMap { word in
            let member = Member(rawValue: word.filter { $0 != " " })
            if member == nil {
                findings.add(
                    .interstitialBadEnum, line: line, "\(name) of '\(id)' has the unknown value '\(word.prefix(40))'")
            }
            return member
        }
    }

    /// The value when it is known; an unknown value counts as missing.
    fileprivate func choice<Choice: RawRepresentable<String>>(
        _ name: String, findings: inout PlaylistFindings
    ) -> Choice? {
        guard self[extension: name] != nil else { return nil }
        let choice = text(name).flatMap(Choice.init)
        if choice == nil { findings.add(.interstitialBadEnum, line: line, "\(name) of '\(id)' has an unknown value") }
        return choice
    }
}

extension Interstitial {
    /// Whether a tag names what to play.
    var hasAsset: Bool { assetURI != nil || assetList != nil }

    /// The times that a later tag of an interstitial has. Rule violations were reported when the playlist was read.
    init(update range: DateRange) {
        var findings = PlaylistFindings()
        self.init(id: range.id)
        start = range.start
        resumeOffset = range.seconds("X-RESUME-OFFSET", signed: true, findings: &findings)
        playoutLimit = range.seconds("X-PLAYOUT-LIMIT", findings: &findings)
        let expected = range.explicitDuration ?? range.plannedDuration
        expectedDuration = expected.map { min($0, playoutLimit ?? $0) }
    }
}
