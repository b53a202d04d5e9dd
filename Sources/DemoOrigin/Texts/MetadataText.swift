/// The ad metadata document of a ``LiveStream`` (TRK-4).
///
/// `dataRange` ends at the live edge, or as far beyond it as the scenario decides ahead. The last ad and break are clipped there and grow with every poll, while event
/// times are planned from the full creative, as in the reference fixtures.
struct MetadataText {
    /// The stream described.
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of the beacon URLs.
    let origin: String

    /// The document at `nowMs`, the `poll`th of the origin.
    func document(at nowMs: Int, poll: Int = 0) -> JSONText {
        let version = MetadataVersion(stream, at: nowMs, poll: poll)
        return document(at: nowMs, version) { texts(of: $0, version) }
    }

    /// The same document, reusing the texts in `written`.
    func document(at nowMs: Int, poll: Int, written: inout MetadataAdTexts) -> JSONText {
        let version = MetadataVersion(stream, at: nowMs, poll: poll)
        // Other versions have other texts, and are not asked for again.
        guard version.isPlain else { return document(at: nowMs, version) { texts(of: $0, version) } }
        return document(at: nowMs, version) { ad in
            let key = MetadataAdTexts.Key(origin: origin, scenario: stream.scenario.name, session: session, ad: ad.id)
            return written.texts(key) { texts(of: ad, version) }
        }
    }

    private func document(
        at nowMs: Int, _ version: MetadataVersion, _ texts: (PlannedAd) -> MetadataAdTexts.Texts
    ) -> JSONText {
        let edgeMs = stream.metadataEdgeMs(at: nowMs)
        let startMs = stream.liveEdgeMs(at: nowMs) - stream.scenario.metadata.windowMs
        let breaks = stream.breaks(from: startMs, through: edgeMs).compactMap {
            node($0, edgeMs: edgeMs, version, texts)
        }
        return .object([
            .init("dataRange", .object([.init("start", .integer(startMs)), .init("end", .integer(edgeMs))])),
            .init("adBreaks", .array(breaks)),
        ])
    }

    /// The break's node, nil while none of its ads is listed.
    private func node(
        _ adBreak: PlannedBreak, edgeMs: Int, _ version: MetadataVersion,
        _ texts: (PlannedAd) -> MetadataAdTexts.Texts
    ) -> JSONText? {
        let shiftMs = version.shiftMs(ofBreak: adBreak.number)
        // What is listed exists, and lies before the end of the range.
        let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) && $0.startMs + shiftMs < edgeMs }
        guard !ads.isEmpty else { return nil }
        let fields = MetadataFields(oddities: adBreak.pod.oddities, shiftMs: shiftMs)
        var members = fields.id(version.id(adBreak.id))
        members.append(.init("startTime", fields.time(at: adBreak.startMs)))
        members.append(.init("startDateTime", fields.time(at: adBreak.startMs)))
        members.append(.init("duration", fields.duration(adBreak.durationMs, from: adBreak.startMs, edgeMs: edgeMs)))
        members += fields.unknownMembers(startMs: adBreak.startMs)
        members.append(
            .init("ads", .array(ads.map { node($0, edgeMs: edgeMs, shiftMs: shiftMs, version, texts($0)) })))
        return .object(members)
    }

    private func node(
        _ ad: PlannedAd, edgeMs: Int, shiftMs: Int, _ version: MetadataVersion, _ texts: MetadataAdTexts.Texts
    ) -> JSONText {
        let fields = MetadataFields(oddities: ad.creative.oddities, shiftMs: shiftMs)
        var members = fields.id(version.id(ad.displayId))
        members.append(.init("startTime", fields.time(at: ad.startMs)))
        members.append(.init("startDateTime", fields.time(at: ad.startMs)))
        members.append(.init("duration", fields.duration(ad.durationMs, from: ad.startMs, edgeMs: edgeMs)))
        members.append(.init("clickThrough", texts.clickThrough))
        members.append(.init("clickTracking", texts.clickTracking))
        members += fields.unknownMembers(startMs: ad.startMs)
        if let events = texts.events { members.append(.init("trackingEvents", events)) }
        return .object(members)
    }

    /// The members that do not change while the ad grows.
    private func texts(of ad: PlannedAd, _ version: MetadataVersion) -> MetadataAdTexts.Texts {
        // Both point to the collector, so that a client which requests the landing page is detected.
        var texts = MetadataAdTexts.Texts(
            clickThrough: .string(url(ad, event: "clickThrough", index: 1, version)),
            clickTracking: .string(url(ad, event: "clickTracking", index: 1, version)))
        guard !ad.creative.oddities.contains(.noTrackingEvents) else { return texts }
        let fields = MetadataFields(
            oddities: ad.creative.oddities, shiftMs: version.shiftMs(ofBreak: ad.breakNumber))
        var events = ad.events.map { node($0, of: ad, fields, version) }
        if ad.creative.oddities.contains(.brokenUrls) { events.append(Self.brokenEvent(startMs: ad.startMs)) }
        texts.events = .array(events)
        return texts
    }

    private func node(
        _ event: PlannedEvent, of ad: PlannedAd, _ fields: MetadataFields, _ version: MetadataVersion
    ) -> JSONText {
        let urls = (1...event.urlCount).map { JSONText.string(url(ad, event: event.name, index: $0, version)) }
        return .object([
            .init("event", .string(event.name)),
            .init("startTime", fields.time(at: event.startMs)),
            .init("duration", fields.time(event.durationMs)),
            .init("signalingUrls", .array(urls)),
        ])
    }

    private func url(_ ad: PlannedAd, event: String, index: Int, _ version: MetadataVersion) -> String {
        let target = BeaconLink(session: session, ad: ad, event: event, urlIndex: index)
            .target(scenario: stream.scenario.name)
        return origin + target + version.query(of: target)
    }

    /// An event without a usable URL: each of its URLs has a different fault (findings L27 and L28).
    private static func brokenEvent(startMs: Int) -> JSONText {
        .object([
            .init("event", .string("creativeView")),
            .init("startTime", .integer(startMs)),
            .init("duration", .integer(0)),
            .init("signalingUrls", .array([.integer(42), .string(""), .string("b?e=view"), .string("about:blank")])),
        ])
    }
}

/// How a node with oddities writes its fields.
private struct MetadataFields {
    let oddities: [NodeOddity]
    /// Difference of all starts from the plan.
    let shiftMs: Int

    /// The `id` member, or none.
    func id(_ id: String) -> [JSONText.Member] {
        if oddities.contains(.missingId) { return [] }
        guard oddities.contains(.numericId) else { return [.init("id", .string(id))] }
        // The digits of the id are a number and unique enough.
        return [.init("id", .number(String(Int(id.filter(\.isASCIIDigit)) ?? 0)))]
    }

    /// A planned time, shifted.
    func time(at plannedMs: Int) -> JSONText { time(plannedMs + shiftMs) }

    /// The length of what starts at a planned time and ends at the edge at the latest.
    func duration(_ durationMs: Int, from plannedMs: Int, edgeMs: Int) -> JSONText {
        time(min(durationMs, edgeMs - plannedMs - shiftMs))
    }

    /// A time or duration in ms.
    func time(_ milliseconds: Int) -> JSONText {
        if oddities.contains(.numbersAsStrings) { return .string(String(milliseconds)) }
        if oddities.contains(.fractionalNumbers) { return .number("\(milliseconds).0") }
        return .integer(milliseconds)
    }

    /// Members that no client knows; `StartTime` is a known name in another case.
    func unknownMembers(startMs: Int) -> [JSONText.Member] {
        guard oddities.contains(.unknownKeys) else { return [] }
        return [
            .init("StartTime", .integer(startMs)),
            .init("xFutureField", .object([.init("nested", .array([.null, .bool(true), .number("1e3")]))])),
        ]
    }
}

extension Character {
    /// True for 0-9 only; `isNumber` also accepts digits of other scripts, which `Int` does not read.
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
