package import Ports

/// Selects the variant of a multivariant playlist to follow, and its replacement when it fails (HLS-14).
///
/// The choice is the highest BANDWIDTH with video: media is not loaded, so nothing favours a low one. Redundant
/// variants are those of equal BANDWIDTH and the best one of each further pathway. The first in order is preferred;
/// after a failure it is not used for `restSpan`, then it is tried again.
package struct VariantChoice: Equatable, Sendable {
    /// Consecutive failed loads after which another variant is tried.
    package static let failureLimit = 2
    /// How long a failed variant is not used; also the draft's penalty for a pathway (section 7).
    package static let restSpan: Duration = .seconds(120)
    /// Most redundant variants kept.
    package static let optionLimit = 32

    /// The variants in order of preference; never empty.
    package private(set) var options: [VariantOption]
    /// The variant being followed.
    package private(set) var current: VariantOption
    /// Pathways in order of preference: those of the steering server, or the one that the playlist starts with.
    package private(set) var priority: [String]
    private var usable: [VariantOption]
    private var failures = 0
    private var restUntil: [WebURL: Duration] = [:]

    /// Nil when no variant has a valid HTTP address.
    package init?(_ multivariant: MultivariantPlaylist) {
        usable = multivariant.variants.enumerated().compactMap { index, variant in
            // The parser reported invalid addresses.
            (try? WebURL(variant.uri)).map { VariantOption(number: index + 1, variant: variant, url: $0) }
        }
        priority = multivariant.contentSteering?.pathwayID.map { [$0] } ?? []
        options = Self.ranked(usable, priority: priority)
        guard let first = options.first else { return nil }
        current = first
    }

    /// Whether the variant followed is not the preferred one.
    package var isFallback: Bool { current != options[0] }

    /// Records that the playlist was loaded.
    package mutating func succeeded() {
        failures = 0
    }

    /// Records a failed load. Returns the variant to follow now if it changes.
    package mutating func failed(at moment: Moment) -> VariantOption? {
        failures += 1
        guard failures >= Self.failureLimit else { return nil }
        return leave(at: moment, evenForRested: false)
    }

    /// Records that the playlist was loaded but is stale. Returns the variant to follow now; nil when every other
    /// variant failed recently, because then the stream itself has stopped.
    package mutating func wentStale(at moment: Moment) -> VariantOption? {
        leave(at: moment, evenForRested: true)
    }

    /// Uptime at which the preferred variant is tried again; nil while it is being followed.
    package var returnUptime: Duration? {
        isFallback ? restUntil[options[0].url] ?? .zero : nil
    }

    /// Switches back to the preferred variant if another is followed and `restSpan` is over. Returns the preferred
    /// variant in that case.
    package mutating func returned(at moment: Moment) -> VariantOption? {
        guard let due = returnUptime, due <= moment.uptime else { return nil }
        follow(options[0])
        return current
    }

    /// Applies a newer multivariant playlist; the current variant is kept if it is still listed.
    package mutating func replaced(by newer: VariantChoice) {
        let followed = current.url
        let rests = restUntil
        let failures = failures
        self = newer
        restUntil = rests
        self.failures = failures
        if let known = options.first(where: { $0.url == followed }) { current = known }
    }

    /// Applies the steering server's order and clones (rfc8216bis-22 section 7). Returns the variant to follow now if
    /// it changes: the best of the first pathway that did not fail recently.
    package mutating func steered(by manifest: SteeringManifest, at moment: Moment) -> VariantOption? {
        usable = manifest.cloning(usable)
        if !manifest.priority.isEmpty { priority = manifest.priority }
        options = Self.ranked(usable, priority: priority)
        guard let best = options.first(where: { !isResting($0, at: moment) }), best.pathway != current.pathway else {
            return nil
        }
        follow(best)
        return current
    }

    private mutating func leave(at moment: Moment, evenForRested: Bool) -> VariantOption? {
        let others = options.filter { $0.url != current.url }
        guard !others.isEmpty else { return nil }
        let rested = others.first { !isResting($0, at: moment) }
        if evenForRested, rested == nil { return nil }
        restUntil[current.url] = moment.uptime + Self.restSpan
        // When all have failed, they are tried in turn, at the pace of the reload schedule.
        let index = options.firstIndex { $0.url == current.url } ?? 0
        follow(rested ?? options[(index + 1) % options.count])
        return current
    }

    private mutating func follow(_ option: VariantOption) {
        current = option
        failures = 0
    }

    private func isResting(_ option: VariantOption, at moment: Moment) -> Bool {
        restUntil[option.url].map { $0 > moment.uptime } ?? false
    }

    // MARK: Order

    private static func ranked(_ usable: [VariantOption], priority: [String]) -> [VariantOption] {
        let withVideo = usable.filter { $0.variant.hasVideo }
        let ordered = inOrder(withVideo.isEmpty ? usable : withVideo, priority: priority)
        guard let home = ordered.first?.pathway else { return [] }
        let best = ordered.filter { $0.pathway == home }.map(\.bandwidth).max() ?? 0
        var options = ordered.filter { $0.bandwidth == best }
        var served = Set(options.map(\.pathway))
        let rivals = Dictionary(grouping: ordered, by: \.pathway)
        for option in ordered where served.insert(option.pathway).inserted {
            options.append(rivals[option.pathway]?.max { $0.bandwidth < $1.bandwidth } ?? option)
        }
        return Array(inOrder(options, priority: priority).prefix(optionLimit))
    }

    /// Sorted by pathway, with pathways that the priority does not name last; within a pathway as written.
    private static func inOrder(_ options: [VariantOption], priority: [String]) -> [VariantOption] {
        func rank(_ option: VariantOption) -> Int { priority.firstIndex(of: option.pathway) ?? priority.count }
        return options.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}

extension VariantOption {
    fileprivate var bandwidth: Int { variant.bandwidth ?? 0 }
}
