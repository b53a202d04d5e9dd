/// The asset list of X-ASSET-LIST: assets with SVTA ad creative signaling (HLS-17, TRK-28, TRK-29).
struct AssetListText {
    /// The stream the interstitial belongs to.
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of beacon URLs.
    let origin: String
    /// Scheme, authority and path prefix of asset URLs.
    let root: String

    /// The document for `adBreak`.
    func document(_ adBreak: PlannedBreak) -> JSONText {
        let shape = adBreak.pod.interstitial
        guard shape.asset != .emptyList else { return .object([.init("ASSETS", .array([]))]) }
        var members: [JSONText.Member] = [.init("ASSETS", .array(adBreak.ads.map(asset)))]
        if let seconds = shape.skipAfterS, shape.hasSkipControlInList {
            members.append(
                .init(
                    "SKIP-CONTROL",
                    .object([.init("OFFSET", .integer(seconds)), .init("LABEL-ID", .string("skip-ad"))])
                ))
        }
        if shape.hasPodTracking { members.append(.init(Self.key, podSignaling(adBreak))) }
        return .object(members)
    }

    private static let key = "X-AD-CREATIVE-SIGNALING"

    private func asset(_ ad: PlannedAd) -> JSONText {
        .object([
            .init("URI", .string("\(root)assets/\(ad.name).m3u8")),
            .init("DURATION", .seconds(milliseconds: ad.durationMs)),
            .init(Self.key, Self.envelope("slot", slot(ad))),
        ])
    }

    /// The ad as the slot of its list entry, so that its start is 0.
    private func slot(_ ad: PlannedAd) -> JSONText {
        let link = BeaconLink(session: session, ad: ad, event: "clickThrough", urlIndex: 1)
        return .object([
            .init("type", .string("linear")), .init("start", .integer(0)),
            .init("duration", .seconds(milliseconds: ad.durationMs)),
            .init(
                "identifiers",
                .array([
                    .object([.init("scheme", .string("urn:adtop:ad")), .init("value", .string(ad.id))])
                ])),
            .init("tracking", .array(ad.events.map { tracking($0, of: ad) })),
            .init("clickThrough", .string(origin + link.target(scenario: stream.scenario.name))),
        ])
    }

    /// Only `progress` needs an offset; the other types have their own timing rules.
    private func tracking(_ event: PlannedEvent, of ad: PlannedAd) -> JSONText {
        let urls = (1...event.urlCount).map { index -> JSONText in
            let link = BeaconLink(session: session, ad: ad, event: event.name, urlIndex: index)
            return .string(origin + link.target(scenario: stream.scenario.name))
        }
        var members: [JSONText.Member] = [.init("type", .string(event.name))]
        if event.name == AdEvent.progressName {
            members.append(.init("offset", .seconds(milliseconds: event.startMs - ad.startMs)))
        }
        return .object(members + [.init("urls", .array(urls))])
    }

    private func podSignaling(_ adBreak: PlannedBreak) -> JSONText {
        let events = ["podStart", "podEnd"].map { name -> JSONText in
            let link = BeaconLink(session: session, podOf: adBreak.id, event: name)
            let url = origin + link.target(scenario: stream.scenario.name)
            return .object([.init("type", .string(name)), .init("urls", .array([.string(url)]))])
        }
        return Self.envelope(
            "pod",
            .object([
                .init("start", .integer(0)), .init("duration", .seconds(milliseconds: adBreak.durationMs)),
                .init("tracking", .array(events)),
            ]))
    }

    private static func envelope(_ type: String, _ payload: JSONText) -> JSONText {
        .object([.init("version", .integer(2)), .init("type", .string(type)), .init("payload", .array([payload]))])
    }
}
