package import Ports

/// Selects the variant of a multivariant playlist to follow, and its replacement when it fails (HLS-14, HLS-31).
///
/// The choice is what a person wants, by default the highest BANDWIDTH with video: media is not loaded, so nothing favours
/// a low one. Redundant variants are those of equal BANDWIDTH and the closest one of each further pathway. The first in
/// order is preferred; after a failure it is not used for `restSpan`, then it is tried again. When the server definitely
/// refuses all of them, or none of them brings new media for long, the choice steps down to another bandwidth.
package struct VariantChoice: Equatable, Sendable {
    /// Consecutive failed loads after which another variant is tried.
    package static let failureLimit = 2
    /// How long a failed variant is not used; also the draft's penalty for a pathway (section 7).
    package static let restSpan: Duration = .seconds(120)
    /// How often the rest of a refused variant doubles, so that one that is gone is asked for less and less.
    package static let restDoublings = 4
    /// Most redundant variants kept, and most variants tried in a row when one is refused.
    package static let optionLimit = 32

    /// The redundant variants in order of preference; never empty.
    package private(set) var options: [VariantOption]
    /// The variant being followed.
    package private(set) var current: VariantOption
    /// Pathways in order of preference: those of the steering server, or the one that the playlist starts with.
    package private(set) var priority: [String]
    /// What a person wants.
    package private(set) var wish: VariantWish
    /// All variants with a valid HTTP address, as written, and those of cloned pathways.
    package private(set) var usable: [VariantOption]
    private var failures = 0
    private var restUntil: [WebURL: Duration] = [:]
    /// Variants that were left because the stream was stuck: when they are tried again, they get less time.
    private var stuck: Set<WebURL> = []
    /// How often each variant was refused without a good answer since.
    private var refusals: [WebURL: Int] = [:]
    /// Whether variants are being tried because one was refused, and none of them answered yet.
    package private(set) var isSearching = false
    /// Refusals in a row of the variant that is followed.
    package private(set) var refusalsInRow = 0
    /// Whether a multivariant playlist was read since a variant was refused, or was left whose address may be cut.
    private var isReviewed = false

    /// Nil when no variant has a valid HTTP address. Throws when there are some, and none is the one that is wanted.
    package init?(_ multivariant: MultivariantPlaylist, wish: VariantWish) throws(VariantProblem) {
        let usable = multivariant.variants.enumerated().compactMap { index, variant in
            // The parser reported invalid addresses.
            (try? WebURL(written: variant.uri)).map { VariantOption(number: index + 1, variant: variant, url: $0) }
        }
        guard !usable.isEmpty else { return nil }
        let priority = multivariant.contentSteering?.pathwayID.map { [$0] } ?? []
        let ranked = try Self.ranked(usable, priority: priority, wish: wish)
        guard let first = ranked.first else { return nil }
        (self.usable, self.priority, self.wish) = (usable, priority, wish)
        (options, current) = (ranked, first)
    }

    /// The best variant. Nil when no variant has a valid HTTP address.
    package init?(_ multivariant: MultivariantPlaylist) {
        guard let choice = try? Self(multivariant, wish: .best) else { return nil }
        self = choice
    }

    /// Whether the variant followed is not the preferred one.
    package var isFallback: Bool { current != options[0] }

    /// Whether another variant has the same media.
    package var hasRedundant: Bool { options.count > 1 }

    /// Whether a variant of another bandwidth is followed, because those that were preferred are refused.
    package var hasSteppedDown: Bool { !options.contains(current) }

    /// Whether a variant was refused and others remain to be tried, so that it is too early for a verdict on the stream.
    package var isJudging: Bool { isSearching || (1..<Self.failureLimit).contains(refusalsInRow) && usable.count > 1 }

    /// Whether the server has just refused an address that may be cut. Before that counts, the multivariant playlist is read
    /// again, once.
    package var doubtsAddress: Bool {
        current.variant.mayBeCut && refusalsInRow == 1 && refusals[current.url] == nil
    }

    /// Whether the variant that is followed was refused before, and is tried again.
    package var triesRefused: Bool { !isSearching && refusals[current.url] != nil }

    /// Whether the multivariant playlist is to be read before the preferred variant is tried again, because that one was
    /// refused, or the stream was stuck with an address that may be cut: its address may have been damaged on the way or have changed, or it
    /// is listed no longer.
    package func wantsReview(at moment: Moment) -> Bool {
        let preferred = options[0]
        let isDoubted = refusals[preferred.url] != nil || preferred.variant.mayBeCut && stuck.contains(preferred.url)
        guard !isReviewed, isDoubted, let due = returnUptime else { return false }
        return due <= moment.uptime
    }

    /// Records that the multivariant playlist was not to be had: the preferred variant rests as if it was refused again.
    package mutating func reviewFailed(at moment: Moment) {
        rest(options[0], at: moment)
    }

    /// Records that the playlist was loaded.
    package mutating func succeeded() {
        failures = 0
        (isSearching, refusalsInRow) = (false, 0)
        refusals[current.url] = nil
    }

    /// Whether there is a variant to try besides the one that is followed.
    package var hasOthers: Bool { usable.count > 1 }

    /// Records a failed load that may pass. Returns the variant to follow now if it changes.
    /// - Parameter isStuck: whether there was no new media for so long that another bandwidth is better than none.
    package mutating func failed(at moment: Moment, isStuck: Bool = false) -> VariantOption? {
        failures += 1
        refusalsInRow = 0
        guard failures >= Self.failureLimit else { return nil }
        return leave(at: moment, evenForRested: false, isStuck: isStuck)
    }

    /// Records that the server definitely refuses the variant. Returns the variant to follow now if it changes: a redundant
    /// one, else the next lower, else the next higher one, each tried once. Nil when all of them are refused.
    package mutating func refused(at moment: Moment) -> VariantOption? {
        failures += 1
        refusalsInRow += 1
        isReviewed = false
        let isKnown = isSearching || refusals[current.url] != nil
        guard refusalsInRow >= Self.failureLimit || isKnown else { return nil }
        rest(current, at: moment)
        let next = (options + ladder).first { $0.url != current.url && !isResting($0, at: moment) }
        isSearching = next != nil
        follow(next ?? options[0])
        return next
    }

    /// Records that the playlist was loaded but is stale. Returns the variant to follow now; nil when every other
    /// variant failed recently, because then the stream itself has stopped.
    /// - Parameter isStuck: as for ``failed(at:isStuck:)``.
    package mutating func wentStale(at moment: Moment, isStuck: Bool = false) -> VariantOption? {
        leave(at: moment, evenForRested: true, isStuck: isStuck)
    }

    /// Uptime at which the preferred variant is tried again; nil while it is being followed.
    package var returnUptime: Duration? {
        isFallback ? restUntil[options[0].url] ?? .zero : nil
    }

    /// Switches back to the preferred variant if another is followed and its rest is over. Returns the preferred
    /// variant in that case.
    package mutating func returned(at moment: Moment) -> VariantOption? {
        guard let due = returnUptime, due <= moment.uptime else { return nil }
        follow(options[0])
        return current
    }

    /// A person wants another variant, and it is followed, whether or not it failed before.
    package mutating func choose(_ wish: VariantWish) throws(VariantProblem) {
        options = try Self.ranked(usable, priority: priority, wish: wish)
        self.wish = wish
        for option in options { restUntil[option.url] = nil }
        stuck = []
        (refusals, isSearching) = ([:], false)
        follow(options[0])
    }

    /// Applies a newer multivariant playlist; the current variant is kept if it is still listed.
    package mutating func replaced(by newer: VariantChoice) {
        let older = self
        self = newer
        (restUntil, stuck, failures) = (older.restUntil, older.stuck, older.failures)
        (refusals, isSearching, refusalsInRow) = (older.refusals, older.isSearching, older.refusalsInRow)
        isReviewed = true
        if let known = usable.first(where: { $0.url == older.current.url }) { current = known }
    }

    /// Applies the steering server's order and clones (rfc8216bis-22 section 7). Returns the variant to follow now if
    /// it changes: the best of the first pathway that did not fail recently.
    package mutating func steered(by manifest: SteeringManifest, at moment: Moment) -> VariantOption? {
        usable = manifest.cloning(usable)
        if !manifest.priority.isEmpty { priority = manifest.priority }
        // A clone does not take away what was wanted.
        options = (try? Self.ranked(usable, priority: priority, wish: wish)) ?? options
        guard let best = options.first(where: { !isResting($0, at: moment) }), best.pathway != current.pathway else {
            return nil
        }
        follow(best)
        return current
    }

    private mutating func leave(at moment: Moment, evenForRested: Bool, isStuck: Bool) -> VariantOption? {
        let group = hasSteppedDown ? usable.filter { $0.isRedundant(with: current) } : options
        let others = group.filter { $0.url != current.url }
        let rested = others.first { !isResting($0, at: moment) }
        if rested == nil, isStuck || stuck.contains(current.url), let next = stepAside(at: moment) { return next }
        guard !others.isEmpty else { return nil }
        if evenForRested, rested == nil { return nil }
        restUntil[current.url] = moment.uptime + Self.restSpan
        // When all have failed, they are tried in turn, at the pace of the reload schedule.
        let index = group.firstIndex { $0.url == current.url } ?? 0
        follow(rested ?? group[(index + 1) % group.count])
        return current
    }

    /// Follows a variant of another bandwidth, in the order of refusals. When all were tried in vain, the preferred one is followed again, and
    /// none is tried before its rest is over. Nil when that one is followed already.
    private mutating func stepAside(at moment: Moment) -> VariantOption? {
        let next = (options + ladder).first { $0.url != current.url && !isResting($0, at: moment) }
        guard next != nil || hasSteppedDown else { return nil }
        restUntil[current.url] = moment.uptime + Self.restSpan
        stuck.insert(current.url)
        if current.variant.mayBeCut { isReviewed = false }
        follow(next ?? options[0])
        return current
    }

    /// A variant that was refused is not used for a while: each time for twice as long as before.
    private mutating func rest(_ option: VariantOption, at moment: Moment) {
        let times = refusals[option.url, default: 0]
        refusals[option.url] = times + 1
        restUntil[option.url] = moment.uptime + Self.restSpan * (1 << min(times, Self.restDoublings))
    }

    private mutating func follow(_ option: VariantOption) {
        current = option
        (failures, refusalsInRow) = (0, 0)
    }

    private func isResting(_ option: VariantOption, at moment: Moment) -> Bool {
        restUntil[option.url].map { $0 > moment.uptime } ?? false
    }
}

// MARK: Order

extension VariantChoice {
    /// The variant of the wish, those redundant with it, and the closest one of each further pathway.
    private static func ranked(
        _ usable: [VariantOption], priority: [String], wish: VariantWish
    ) throws(VariantProblem) -> [VariantOption] {
        let ordered = inOrder(usable, priority: priority)
        let chosen = try wish.pick(from: ordered)
        let home = ordered.first { $0.variant.hasVideo == chosen.variant.hasVideo }?.pathway ?? chosen.pathway
        // In the first pathway there may be a variant that fits less well, and no person asked for its pathway.
        let pick = (try? wish.pick(from: ordered.filter { $0.pathway == home })) ?? chosen
        let alike = ordered.filter { $0.variant.hasVideo == pick.variant.hasVideo }
        var options = alike.filter { $0.isRedundant(with: pick) }
        var served = Set(options.map(\.pathway))
        let rivals = Dictionary(grouping: alike, by: \.pathway)
        for option in alike where served.insert(option.pathway).inserted {
            let others = rivals[option.pathway] ?? []
            options.append((try? wish.pick(from: others)) ?? closest(to: pick, in: others) ?? option)
        }
        let rest = inOrder(options, priority: priority).filter { $0.url != pick.url }
        return Array(([pick] + rest).prefix(optionLimit))
    }

    private static func closest(to pick: VariantOption, in others: [VariantOption]) -> VariantOption? {
        others.min {
            $0.bandwidth.subtractingSaturating(pick.bandwidth).magnitude
                < $1.bandwidth.subtractingSaturating(pick.bandwidth).magnitude
        }
    }

    /// The other variants in the order in which they replace refused ones: lower bandwidths from the highest on, then
    /// higher ones from the lowest on; those without video last.
    private var ladder: [VariantOption] {
        let pick = options[0]
        let known = Set(options.map(\.url))
        func rank(_ option: VariantOption, _ offset: Int) -> (Int, UInt, Int) {
            let distance = option.bandwidth.subtractingSaturating(pick.bandwidth)
            let isAudio = pick.variant.hasVideo && !option.variant.hasVideo
            return ((isAudio ? 2 : 0) + (distance > 0 ? 1 : 0), distance.magnitude, offset)
        }
        let others = Self.inOrder(usable.filter { !known.contains($0.url) }, priority: priority)
        let ranked = others.enumerated().sorted { rank($0.element, $0.offset) < rank($1.element, $1.offset) }
        return Array(ranked.map(\.element).prefix(Self.optionLimit))
    }

    /// Sorted by pathway, with pathways that the priority does not name last; within a pathway as written.
    private static func inOrder(_ options: [VariantOption], priority: [String]) -> [VariantOption] {
        func rank(_ option: VariantOption) -> Int { priority.firstIndex(of: option.pathway) ?? priority.count }
        return options.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}

extension VariantOption {
    /// Whether `other` offers the same at another address.
    fileprivate func isRedundant(with other: VariantOption) -> Bool {
        bandwidth == other.bandwidth && variant.hasVideo == other.variant.hasVideo
    }
}
