/// A complete break; metadata shows the part that is known at a time.
package struct PlannedBreak: Sendable, Equatable {
    /// Id in the metadata and in beacon URLs.
    package let id: String
    /// Start in epoch ms, a program date like all times of a plan.
    package let startMs: Int
    /// Full length of all ads.
    package let durationMs: Int
    /// Its ads, end to end.
    package let ads: [PlannedAd]
    /// Number in the stream; 0 is the preroll.
    let number: Int
    /// 1-based number of its pod in the scenario; 0 is the preroll.
    let podNumber: Int
    /// The scenario's plan.
    let pod: Pod

    /// Break `number` at the program date `startMs`, with `id` instead of an id from its number.
    init(_ entry: StreamCycle.Break, number: Int, startMs: Int, id: String? = nil) {
        let id = id ?? String(number)
        self.id = id
        self.number = number
        podNumber = entry.podNumber
        pod = entry.pod
        self.startMs = startMs
        durationMs = entry.durationMs
        ads = entry.ads.map { PlannedAd($0, breakId: id, breakNumber: number, startMs: startMs + $0.offsetMs) }
    }
}

/// An ad as planned.
package struct PlannedAd: Sendable, Equatable {
    /// Id of the break it belongs to.
    package let breakId: String
    /// Number of that break.
    let breakNumber: Int
    /// Id in beacon URLs: `<name>-<break>`, and `-2` for a repetition within the break.
    package let id: String
    /// Id in the metadata, which is the same unless the scenario sets another.
    package let displayId: String
    /// Name in the scenario.
    package let name: String
    /// Start in epoch ms.
    package let startMs: Int
    /// Full length of the creative.
    package let durationMs: Int
    /// Its events in metadata order, at times planned from the full creative.
    package let events: [PlannedEvent]
    /// The scenario's plan.
    let creative: AdCreative

    init(_ ad: StreamCycle.Ad, breakId: String, breakNumber: Int, startMs: Int) {
        let suffix = ad.occurrence > 1 ? "\(breakId)-\(ad.occurrence)" : breakId
        self.breakId = breakId
        self.breakNumber = breakNumber
        id = "\(ad.name)-\(suffix)"
        displayId = ad.creative.displayId.map { "\($0)-\(suffix)" } ?? "\(ad.name)-\(suffix)"
        name = ad.name
        self.startMs = startMs
        durationMs = ad.creative.durationMs
        creative = ad.creative
        events = ad.creative.events.map { PlannedEvent($0, adStartMs: startMs, adDurationMs: ad.creative.durationMs) }
    }

    /// Whether the metadata lists the ad when the live edge is at `edgeMs`.
    func isListed(edgeMs: Int) -> Bool {
        startMs < edgeMs && !creative.hiddenMs.contains { $0.contains(edgeMs - startMs) }
    }
}

/// A tracking event as planned.
package struct PlannedEvent: Sendable, Equatable {
    /// Name as written in the metadata.
    package let name: String
    /// Time in epoch ms.
    package let startMs: Int
    /// 0 for an instant, the ad's length for a span.
    package let durationMs: Int
    /// Number of signalling URLs.
    package let urlCount: Int

    init(_ event: AdEvent, adStartMs: Int, adDurationMs: Int) {
        name = event.name
        urlCount = event.urlCount
        let offsetMs = event.progressMs ?? AdEventTiming.offsetMs(event.name, adDurationMs: adDurationMs)
        startMs = adStartMs + offsetMs
        durationMs = AdEventTiming.isSpan(event.name) ? adDurationMs : 0
    }

    /// Whether playback reports it without an action of the viewer: not viewer events, clicks or unknown names (TRK-8,
    /// TRK-10).
    package var isAutomatic: Bool { AdEventTiming.automatic.contains(name) }
}

/// The times of an ad's events (TRK-6).
enum AdEventTiming {
    /// Events that playback reports without an action of the viewer.
    static let automatic: Set<String> = [
        "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", AdEvent.progressName,
    ]

    /// Offset from the ad's start in ms; quartiles are rounded half up, unknown events are at the start.
    static func offsetMs(_ name: String, adDurationMs: Int) -> Int {
        switch name {
        case "firstQuartile": (adDurationMs + 2) / 4
        case "midpoint": (2 * adDurationMs + 2) / 4
        case "thirdQuartile": (3 * adDurationMs + 2) / 4
        case "complete": adDurationMs
        default: 0
        }
    }

    /// Impression, viewer events and clicks have the ad's length; the others are instants.
    static func isSpan(_ name: String) -> Bool {
        name == "impression" || name == "clickTracking" || name == "clickThrough" || AdEvent.userNames.contains(name)
    }
}
