/// A value with its level in the chain: 0 is the outermost wrapper, the last level is the inline ad.
package struct Leveled<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var level: Int
}

/// An inline ad merged with everything that its wrappers add (VAST-12).
package struct ResolvedAd: Hashable, Sendable {
    /// A linear creative of the inline ad, with the trackers of all levels.
    package struct Linear: Hashable, Sendable {
        package var creative: VASTDocument.Creative
        package var linear: VASTDocument.Linear
        package var tracking: [Leveled<Tracking>]
        package var progress: [Leveled<ProgressTracking>]
        /// The click-through of the level nearest the inline ad.
        package var clickThrough: Leveled<Link>?
        package var clickTracking: [Leveled<Link>]
        package var customClicks: [Leveled<Link>]
        /// One icon per program, from the level nearest the creative.
        package var icons: [Leveled<VASTDocument.Icon>]
    }

    package struct NonLinear: Hashable, Sendable {
        package var creative: VASTDocument.Creative
        package var ads: VASTDocument.NonLinearAds
        package var tracking: [Leveled<Tracking>]
        package var clickTracking: [Leveled<Link>]
    }

    /// The inline ad.
    package var ad: VASTDocument.Ad
    /// The wrappers, the outermost first.
    package var chain: [ChainLink]
    /// The declared version of the inline document.
    package var version: VASTVersion?
    /// The sequence of the ad, or of the outermost pod wrapper in whose position it plays.
    package var sequence: Int?
    package var impressions: [Leveled<Link>]
    package var errors: [Leveled<Link>]
    package var viewableImpressions: [Leveled<VASTDocument.ViewableImpression>]
    package var verifications: [Leveled<VASTDocument.Verification>]
    package var extensions: [Leveled<VASTDocument.Extension>]
    /// The outermost price, which takes precedence (VAST 4.3 section 3.4.8).
    package var pricing: Leveled<VASTDocument.Pricing>?
    package var linears: [Linear]
    package var nonLinears: [NonLinear]
    /// The companions of all levels, the outermost first; later ones are preferred.
    package var companionAds: [Leveled<VASTDocument.CompanionAds>]

    package init(ad: VASTDocument.Ad, chain: [ChainLink], version: VASTVersion?) {
        let levels = (chain.map(\.ad) + [ad]).enumerated().map { Leveled(value: $0.element, level: $0.offset) }
        self.ad = ad
        self.chain = chain
        self.version = version
        sequence = ad.sequence
        impressions = Self.gather(levels, \.impressions)
        errors = Self.gather(levels, \.errors)
        viewableImpressions = Self.gather(levels, \.viewableImpressions)
        verifications = Self.gather(levels, \.verifications)
        extensions = Self.gather(levels, \.extensions)
        pricing =
            levels.lazy.compactMap { entry in
                entry.value.pricing.map { Leveled(value: $0, level: entry.level) }
            }.first
        companionAds = Self.gather(levels) { $0.creatives.compactMap(\.companionAds) }
        let outer = Array(levels.dropLast())
        linears = ad.creatives.compactMap { creative in
            creative.linear.map { Self.linear($0, of: creative, outer: outer, level: chain.count) }
        }
        nonLinears = ad.creatives.compactMap { creative in
            creative.nonLinear.map { Self.nonLinear($0, of: creative, outer: outer, level: chain.count) }
        }
        shareCompanionTracking()
    }

    /// The companions to show when several levels have some: those of the inline ad, else of the nearest wrapper.
    package var preferredCompanionAds: VASTDocument.CompanionAds? {
        companionAds.last { !$0.value.companions.isEmpty }?.value
    }

    /// Duration of the first linear creative in milliseconds.
    package var durationMilliseconds: Int64? { linears.first?.linear.durationMilliseconds }

    private static func gather<Value>(
        _ levels: [Leveled<VASTDocument.Ad>], _ values: (VASTDocument.Ad) -> [Value]
    ) -> [Leveled<Value>] {
        levels.flatMap { entry in values(entry.value).map { Leveled(value: $0, level: entry.level) } }
    }

    private static func linear(
        _ linear: VASTDocument.Linear, of creative: VASTDocument.Creative, outer: [Leveled<VASTDocument.Ad>], level: Int
    ) -> Linear {
        let levels =
            outer.flatMap { entry in entry.value.linears.map { Leveled(value: $0, level: entry.level) } }
            + [Leveled(value: linear, level: level)]
        func all<Value>(_ values: (VASTDocument.Linear) -> [Value]) -> [Leveled<Value>] {
            levels.flatMap { entry in values(entry.value).map { Leveled(value: $0, level: entry.level) } }
        }
        var programs: Set<String> = []
        var icons: [Leveled<VASTDocument.Icon>] = []
        for entry in levels.reversed() {
            // Icons of one level replace each other only if they have the same program.
            for icon in entry.value.icons where icon.program.map({ programs.insert($0).inserted }) ?? true {
                icons.append(Leveled(value: icon, level: entry.level))
            }
        }
        return Linear(
            creative: creative, linear: linear, tracking: all(\.tracking), progress: all(\.progress),
            clickThrough: levels.reversed().lazy.compactMap { entry in
                entry.value.clickThrough.map { Leveled(value: $0, level: entry.level) }
            }.first, clickTracking: all(\.clickTracking), customClicks: all(\.customClicks), icons: icons)
    }

    private static func nonLinear(
        _ ads: VASTDocument.NonLinearAds, of creative: VASTDocument.Creative, outer: [Leveled<VASTDocument.Ad>],
        level: Int
    ) -> NonLinear {
        let levels =
            outer.flatMap { entry in
                entry.value.creatives.compactMap(\.nonLinear).map { Leveled(value: $0, level: entry.level) }
            } + [Leveled(value: ads, level: level)]
        return NonLinear(
            creative: creative, ads: ads,
            tracking: levels.flatMap { entry in
                (entry.value.tracking + entry.value.nonLinears.flatMap(\.tracking)).map {
                    Leveled(value: $0, level: entry.level)
                }
            },
            clickTracking: levels.flatMap { entry in
                entry.value.nonLinears.flatMap(\.clickTracking).map { Leveled(value: $0, level: entry.level) }
            })
    }

    /// A wrapper's companion without resources only contributes click trackers: to the companion with its id, else to
    /// those of its size, else to all (VAST 3.0 section 2.4.1.6 does not specify it; VAST-12).
    private mutating func shareCompanionTracking() {
        let trackers = companionAds.flatMap { entry in
            entry.level < chain.count ? entry.value.companions.filter { $0.resources.isEmpty } : []
        }
        guard !trackers.isEmpty else { return }
        for index in companionAds.indices where companionAds[index].level == chain.count {
            for tracker in trackers { Self.share(tracker, with: &companionAds[index].value.companions) }
        }
    }

    private static func share(_ tracker: VASTDocument.Companion, with list: inout [VASTDocument.Companion]) {
        let byID = list.indices.filter { tracker.id != nil && list[$0].id == tracker.id }
        let bySize = list.indices.filter { list[$0].width == tracker.width && list[$0].height == tracker.height }
        for index in byID.isEmpty ? (bySize.isEmpty ? Array(list.indices) : bySize) : byID {
            list[index].clickTracking += tracker.clickTracking
            list[index].tracking += tracker.tracking
        }
    }
}
