/// The ad metadata document of a ``LiveStream`` (TRK-4).
///
/// `dataRange` ends at the live edge. The last ad and break are clipped there and grow with every poll, while event
/// times are planned from the full creative, as in the reference fixtures.
struct MetadataText {
    /// The stream described.
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of the beacon URLs.
    let origin: String

    /// The document at `nowMs`.
    func document(at nowMs: Int) -> JSONText {
        document(at: nowMs) { texts(of: $0) }
    }

    /// The same document, reusing the texts in `written`.
    func document(at nowMs: Int, written: inout MetadataAdTexts) -> JSONText {
        document(at: nowMs) { ad in
            let key = MetadataAdTexts.Key(origin: origin, scenario: stream.scenario.name, session: session, ad: ad.id)
            return written.texts(key) { texts(of: ad) }
        }
    }

    private func document(at nowMs: Int, _ texts: (PlannedAd) -> MetadataAdTexts.Texts) -> JSONText {
        let edgeMs = stream.liveEdgeMs(at: nowMs)
        let startMs = edgeMs - stream.scenario.metadata.windowMs
        let breaks = stream.breaks(from: startMs, through: edgeMs).compactMap {
            node($0, edgeMs: edgeMs, texts)
        }
        return .object([
            .init("dataRange", .object([.init("start", .integer(startMs)), .init("end", .integer(edgeMs))])),
            .init("adBreaks", .array(breaks)),
        ])
    }

    /// The break's node, nil while none of its ads is listed.
    private func node(
        _ adBreak: PlannedBreak, edgeMs: Int, _ texts: (PlannedAd) -> MetadataAdTexts.Texts
    ) -> JSONText? {
        let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
        guard !ads.isEmpty else { return nil }
        let fields = MetadataFields(oddities: adBreak.pod.oddities)
        var members = fields.id(adBreak.id)
        members.append(.init("startTime", fields.time(adBreak.startMs)))
        members.append(.init("startDateTime", fields.time(adBreak.startMs)))
        members.append(.init("duration", fields.time(min(adBreak.durationMs, edgeMs - adBreak.startMs))))
        members += fields.unknownMembers(startMs: adBreak.startMs)
        members.append(.init("ads", .array(ads.map { node($0, edgeMs: edgeMs, texts($0)) })))
        return .object(members)
    }

    private func node(_ ad: PlannedAd, edgeMs: Int, _ texts: MetadataAdTexts.Texts) -> JSONText {
        let fields = MetadataFields(oddities: ad.creative.oddities)
        var members = fields.id(ad.displayId)
        members.append(.init("startTime", fields.time(ad.startMs)))
        members.append(.init("startDateTime", fields.time(ad.startMs)))
        members.append(.init("duration", fields.time(min(ad.durationMs, edgeMs - ad.startMs))))
        members.append(.init("clickThrough", texts.clickThrough))
        members.append(.init("clickTracking", texts.clickTracking))
        members += fields.unknownMembers(startMs: ad.startMs)
        if let events = texts.events { members.append(.init("trackingEvents", events)) }
        return .object(members)
    }

    /// The members that do not change while the ad grows.
    private func texts(of ad: PlannedAd) -> MetadataAdTexts.Texts {
        // Both point to the collector, so that a client which requests the landing page is detected.
        var texts = MetadataAdTexts.Texts(
            clickThrough: .string(url(ad, event: "clickThrough", index: 1)),
            clickTracking: .string(url(ad, event: "clickTracking", index: 1)))
        let fields = MetadataFields(oddities: ad.creative.oddities)
        guard !ad.creative.oddities.contains(.noTrackingEvents) else { return texts }
        var events = ad.events.map { node($0, of: ad, fields) }
        if ad.creative.oddities.contains(.brokenUrls) { events.append(Self.brokenEvent(startMs: ad.startMs)) }
        texts.events = .array(events)
        return texts
    }

    private func node(_ event: PlannedEvent, of ad: PlannedAd, _ fields: MetadataFields) -> JSONText {
        let urls = (1...event.urlCount).map { JSONText.string(url(ad, event: event.name, index: $0)) }
        return .object([
            .init("event", .string(event.name)),
            .init("startTime", fields.time(event.startMs)),
            .init("duration", fields.time(event.durationMs)),
            .init("signalingUrls", .array(urls)),
        ])
    }

    private func url(_ ad: PlannedAd, event: String, index: Int) -> String {
        let link = BeaconLink(session: session, ad: ad, event: event, urlIndex: index)
        return origin + link.target(scenario: stream.scenario.name)
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

    /// The `id` member, or none.
    func id(_ id: String) -> [JSONText.Member] {
        if oddities.contains(.missingId) { return [] }
        guard oddities.contains(.numericId) else { return [.init("id", .string(id))] }
        // The digits of the id are a number and unique enough.
        return [.init("id", .number(String(Int(id.filter(\.isASCIIDigit)) ?? 0)))]
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
