/// All events that a resolved ad tracks, scheduled over its playback, as plain values.
///
/// Times are milliseconds from the start of the ad. URLs are templates: macros are expanded when a URL is requested.
package struct TrackingPlan: Hashable, Sendable {
    /// One event with the URLs to request.
    package struct Event: Hashable, Sendable {
        /// `impression`, `start`, `progress`, `clickTracking`, `viewable`, `iconView`, …
        package var name: String
        package var cause: EventName.Cause
        /// When it fires by itself; nil when it does not, for a percentage of an unknown duration, and when the ad ends
        /// before it.
        package var atMilliseconds: Int64?
        /// Why it never fires; nil where it may.
        package var never: NeverReason?
        /// The `offset` of a progress or timeSpentViewing event as written.
        package var offset: String?
        package var urls: [URL]
    }

    /// Why an event with a time of its own never fires. The text follows `never:`.
    package enum NeverReason: String, Sendable {
        case beyondEnd = "after the end of the ad"
        case unreadableOffset = "its offset is neither a time nor a percentage"
    }

    package struct URL: Hashable, Sendable {
        package var template: String
        /// Level in the chain: 0 is the outermost wrapper.
        package var level: Int
        package var context: MacroExpander.Context
    }

    package var durationMilliseconds: Int64?
    /// When the viewer may skip; nil means never.
    package var skipFromMilliseconds: Int64?
    /// Events by time, then in the order of the standard; those that do not fire by themselves are last.
    package var events: [Event]

    /// Index into ``events`` while the plan is made.
    private var places: [Place: Int] = [:]

    /// What has its URLs together in one event.
    private struct Place: Hashable {
        var name: String
        var time: Int64?
        var offset: String?
    }

    /// The plan of the first linear creative, its companions and icons.
    package init(_ ad: ResolvedAd) {
        let linear = ad.linears.first
        durationMilliseconds = ad.durationMilliseconds
        skipFromMilliseconds = linear?.linear.skipOffsetMilliseconds
        events = []
        add("impression", .time, at: 0, Self.urls(ad.impressions, .impression))
        if let linear { add(linear, duration: durationMilliseconds) }
        for entry in ad.nonLinears { add(entry, isAlone: linear == nil) }
        addViews(of: ad)
        for verification in ad.verifications {
            addTrackings(
                verification.value.tracking.map { Leveled(value: $0, level: verification.level) }, duration: nil)
        }
        add("error", .player, at: nil, Self.urls(ad.errors, .error))
        sort()
        places = [:]
    }

    private mutating func add(_ linear: ResolvedAd.Linear, duration: Int64?) {
        addTrackings(linear.tracking, duration: duration)
        for progress in linear.progress {
            add(
                EventName.progress.rawValue, .time, at: progress.value.point?.milliseconds(ofDuration: duration),
                offset: progress.value.offset, never: progress.value.point == nil ? .unreadableOffset : nil,
                [URL(template: progress.value.url, level: progress.level, context: .tracking)])
        }
        add("clickTracking", .user, at: nil, Self.urls(linear.clickTracking, .click))
        add("customClick", .user, at: nil, Self.urls(linear.customClicks, .click))
        for icon in linear.icons {
            let views = icon.value.viewTracking.map { Leveled(value: $0, level: icon.level) }
            add("iconView", .time, at: icon.value.offsetMilliseconds ?? 0, Self.urls(views, .tracking))
            let clicks = icon.value.clickTracking.map { Leveled(value: $0, level: icon.level) }
            add("iconClickTracking", .user, at: nil, Self.urls(clicks, .click))
        }
    }

    /// An overlay beside a linear creative is not shown while that plays, so its events are others than those of the same name.
    private mutating func add(_ overlay: ResolvedAd.NonLinear, isAlone: Bool) {
        guard !isAlone else {
            addTrackings(overlay.tracking, duration: durationMilliseconds)
            return add("clickTracking", .user, at: nil, Self.urls(overlay.clickTracking, .click))
        }
        for tracking in overlay.tracking {
            add(
                "nonLinear \(tracking.value.event)", .player, at: nil,
                [URL(template: tracking.value.url, level: tracking.level, context: .tracking)])
        }
        add("nonLinearClickTracking", .user, at: nil, Self.urls(overlay.clickTracking, .click))
    }

    private mutating func addViews(of ad: ResolvedAd) {
        let lists: [(String, (VASTDocument.ViewableImpression) -> [Link])] = [
            ("viewable", \.viewable), ("notViewable", \.notViewable), ("viewUndetermined", \.viewUndetermined),
        ]
        for (name, links) in lists {
            let all = ad.viewableImpressions.flatMap { entry in
                links(entry.value).map { Leveled(value: $0, level: entry.level) }
            }
            add(name, .player, at: nil, Self.urls(all, .tracking))
        }
        for list in Self.companionAds(of: ad) {
            for companion in list.value.companions {
                let views = companion.tracking.filter { $0.event == EventName.creativeView.rawValue }
                add(
                    "companionView", .player, at: nil,
                    views.map { URL(template: $0.url, level: list.level, context: .tracking) })
                let clicks = companion.clickTracking.map { Leveled(value: $0, level: list.level) }
                add("companionClickTracking", .user, at: nil, Self.urls(clicks, .click))
            }
        }
    }

    /// The companions of each level with their own trackers only: the merged ones of the inline ad repeat those of its
    /// wrappers.
    private static func companionAds(of ad: ResolvedAd) -> [Leveled<VASTDocument.CompanionAds>] {
        let inLine = ad.ad.creatives.compactMap(\.companionAds)
        return ad.companionAds.filter { $0.level < ad.chain.count }
            + inLine.map { Leveled(value: $0, level: ad.chain.count) }
    }

    private mutating func addTrackings(_ trackings: [Leveled<Tracking>], duration: Int64?) {
        for tracking in trackings {
            let name = EventName(rawValue: tracking.value.event)
            let context: MacroExpander.Context =
                name == .verificationNotExecuted ? .verificationNotExecuted : .tracking
            let time =
                tracking.value.viewingPoint?.milliseconds(ofDuration: duration)
                ?? name?.percent.flatMap { TimeOffset.percent($0).milliseconds(ofDuration: $0 == 0 ? 0 : duration) }
            let offset = name == .timeSpentViewing ? tracking.value.offset : nil
            let isUnreadable = offset != nil && tracking.value.viewingPoint == nil
            add(
                tracking.value.event, name?.cause ?? .user, at: time, offset: offset,
                never: isUnreadable ? .unreadableOffset : nil,
                [URL(template: tracking.value.url, level: tracking.level, context: context)])
        }
    }

    /// One event with a given name and time has the URLs of all levels, because they are requested together (VAST 4.3
    /// section 2.3.4).
    private mutating func add(
        _ name: String, _ cause: EventName.Cause, at time: Int64?, offset: String? = nil, never: NeverReason? = nil,
        _ urls: [URL]
    ) {
        // `about:blank` means that there is no impression URL (VAST 4.1).
        let urls = urls.filter { !$0.template.isEmpty && $0.template != "about:blank" }
        guard !urls.isEmpty else { return }
        let place = Place(name: name, time: time, offset: offset)
        if let index = places[place] {
            events[index].urls += urls
        } else {
            places[place] = events.count
            let isBeyondEnd = time.map { $0 > durationMilliseconds ?? .max } ?? false
            events.append(
                Event(
                    name: name, cause: cause, atMilliseconds: isBeyondEnd ? nil : time,
                    never: isBeyondEnd ? .beyondEnd : never, offset: offset, urls: urls))
        }
    }

    private mutating func sort() {
        let order = ["impression", "creativeView", "start", "progress", "firstQuartile", "midpoint", "thirdQuartile"]
        let ranked = events.enumerated().map { entry in
            (
                time: entry.element.atMilliseconds ?? .max,
                rank: order.firstIndex(of: entry.element.name) ?? order.count,
                order: entry.offset, event: entry.element
            )
        }
        events = ranked.sorted { ($0.time, $0.rank, $0.order) < ($1.time, $1.rank, $1.order) }.map(\.event)
    }

    private static func urls(_ links: [Leveled<Link>], _ context: MacroExpander.Context) -> [URL] {
        links.map { URL(template: $0.value.url, level: $0.level, context: context) }
    }
}
