/// Date ranges with ad creative signaling, one for each ad, from the texts of SVTA 2053: base64 of JSON, version 2.
struct SignalingText {
    let stream: LiveStream
    /// The viewer in the beacon URLs.
    let viewer: String
    /// Scheme and authority of the beacon URLs.
    let origin: String

    /// The tag of one ad, with its line end.
    func tag(of ad: PlannedAd) -> String {
        #"#EXT-X-DATERANGE:ID="\#(ad.id)",CLASS="urn:svta:advertising-wg:ad-creative-signaling","#
            + #"START-DATE="\#(UTCDateText.text(epochMs: ad.startMs))","#
            + "DURATION=\(SecondsText.text(milliseconds: ad.durationMs)),"
            + #"X-AD-CREATIVE-SIGNALING="\#(Self.base64(envelope(of: ad).utf8))""# + "\n"
    }

    private func envelope(of ad: PlannedAd) -> JSONText {
        let identifier = JSONText.object([
            .init("scheme", .string("urn:adtop:demo")), .init("value", .string(ad.displayId)),
        ])
        let slot = JSONText.object([
            .init("type", .string("linear")), .init("start", .integer(0)),
            .init("duration", .seconds(milliseconds: ad.durationMs)),
            .init("identifiers", .array([identifier])), .init("tracking", .array(ad.events.map { event($0, of: ad) })),
            .init("clickThrough", .string(url(ad, "clickThrough", 1))),
        ])
        return .object([
            .init("version", .integer(2)), .init("type", .string("slot")), .init("payload", .array([slot])),
        ])
    }

    /// Quartiles have no offset: their type is enough.
    private func event(_ event: PlannedEvent, of ad: PlannedAd) -> JSONText {
        let urls = (1...event.urlCount).map { JSONText.string(url(ad, event.name, $0)) }
        var members: [JSONText.Member] = [.init("type", .string(event.name)), .init("urls", .array(urls))]
        if event.name == AdEvent.progressName {
            members.append(.init("offset", .seconds(milliseconds: event.startMs - ad.startMs)))
        }
        return .object(members)
    }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int) -> String {
        origin
            + BeaconLink(session: viewer, ad: ad, event: event, urlIndex: index).target(scenario: stream.scenario.name)
    }

    /// RFC 4648 section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : digits[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
