/// Zones of an ad server: one for every format, with the faults that ad servers have.
extension AdServer {
    /// The format of a zone, given by the beginning of its name.
    private enum ZoneFormat: String, CaseIterable {
        case banner, interstitial, rewarded, native

        init?(zone: String) {
            guard let format = Self.allCases.first(where: { zone.hasPrefix($0.rawValue) }) else { return nil }
            self = format
        }
    }

    /// The fault of an answer; the name of a zone may end in it, such as `banner-slow`.
    private enum ZoneFault: String, CaseIterable {
        /// 204.
        case nofill
        /// A wrong content type.
        case type
        /// A truncated body.
        case malformed
        /// An answer after ``slowMs``.
        case slow
        /// 503.
        case error
        /// Every second answer is 503.
        case flaky
    }

    /// Longer than the wait of ad calls.
    private static let slowMs = 15_000
    /// Seconds until a banner requests the next one.
    private static let refreshSeconds = 15
    private static let zoneLength = 1...128

    /// `GET /ads/zone?zone=banner-1[&fault=][&refresh=]`.
    func zone() -> OriginResponse {
        guard let zone = query["zone"], Self.zoneLength.contains(zone.utf8.count), zone.utf8.allSatisfy(Self.isZoneByte)
        else { return .plain(400, "zone: missing; use ?zone=banner-1") }
        guard let format = ZoneFormat(zone: zone) else {
            return OriginResponse(status: 204)
        }
        let fault = query["fault"].flatMap(ZoneFault.init) ?? ZoneFault.allCases.first { zone.hasSuffix($0.rawValue) }
        return faulty(answer(zone, format), fault, turn: turn)
    }

    /// The number of the current ad. Ads change with time, because the session does not report which ads it showed.
    private var turn: Int { max(0, answering.nowMs / 1_000 / Self.refreshSeconds) }

    private func answer(_ zone: String, _ format: ZoneFormat) -> OriginResponse {
        let text = ZoneText(
            zone: zone, turn: turn, origin: base, mediaRoot: mediaRoot, scenario: stream.scenario.name, session: session
        )
        switch format {
        case .banner:
            let refresh = query["refresh"].flatMap { Int($0) } ?? Self.refreshSeconds
            return html(text.banner, more: [.init(name: .refreshRate, value: String(refresh))])
        case .interstitial: return html(text.interstitial)
        case .rewarded: return .xml(text.rewarded)
        case .native: return .json(text.native)
        }
    }

    private func faulty(_ accepted: OriginResponse, _ fault: ZoneFault?, turn: Int) -> OriginResponse {
        var response = accepted
        switch fault {
        case nil: break
        case .nofill: return OriginResponse(status: 204)
        case .type: response.headers[0].value = "image/png"
        case .malformed: response.body = Array(response.body.prefix(response.body.count / 2))
        case .slow: response.delayMs = Self.slowMs
        case .error: return .plain(503, "the ad server is down")
        case .flaky: if turn % 2 == 1 { return .plain(503, "the ad server fails at every second turn") }
        }
        return response
    }

    private func html(_ text: String, more: [OriginResponse.Header] = []) -> OriginResponse {
        OriginResponse(status: 200, type: "text/html; charset=utf-8", body: Array(text.utf8), more: more)
    }

    private static func isZoneByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20) || byte == 0x2D || byte == 0x5F
    }
}
