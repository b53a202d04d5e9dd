@testable import DemoOrigin

extension Scenario {
    /// 10.01 s and 5.005 s of ads every 30 s, segments of 2 s, window of 20 s.
    static let twoAds = Scenario(
        name: "two-ads", summary: "",
        stream: StreamShape(segmentMs: 2_000, windowMs: 20_000),
        breaks: BreakPattern(everyMs: 30_000, firstMs: 2_000, pods: [Pod(ads: ["car", "milk"])]),
        ads: ["car": AdCreative(durationMs: 10_010), "milk": AdCreative(durationMs: 5_005)])
}

/// 2026-01-31T10:00:00.000Z.
let tenOClockMs = 1_769_853_600_000

/// The first tracking event that a metadata document lists.
struct FirstEvent {
    let name: String
    let url: String

    /// Nil when the document lists no event with a URL.
    init?(in document: JSONText) {
        guard case .array(let breaks)? = Self.member("adBreaks", of: document),
            case .array(let ads)? = breaks.first.flatMap({ Self.member("ads", of: $0) }),
            case .array(let events)? = ads.first.flatMap({ Self.member("trackingEvents", of: $0) }),
            let event = events.first, case .string(let name)? = Self.member("event", of: event),
            case .array(let urls)? = Self.member("signalingUrls", of: event), case .string(let url)? = urls.first
        else { return nil }
        self.name = name
        self.url = url
    }

    private static func member(_ name: String, of value: JSONText) -> JSONText? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }
}
