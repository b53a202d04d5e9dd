package import Ports

/// Which variant of a multivariant playlist is followed, and which one takes over when it fails (hls-timeline 2.6).
///
/// The choice is the highest BANDWIDTH with video: no media is loaded, so nothing speaks for a low one. Redundant are
/// the variants of equal BANDWIDTH, and the best one of each further pathway. The first in order is preferred: one that
/// failed rests for `restSpan`, then the preferred one is tried again.
package struct VariantChoice: Equatable, Sendable {
    /// Failed loads in a row after which another variant is tried.
    package static let failureLimit = 2
    /// How long a variant that failed is left alone; also the draft's penalty for a pathway (section 7).
    package static let restSpan: Duration = .seconds(120)
    /// Redundant variants kept.
    package static let optionLimit = 32

    /// In order of preference; never empty.
    package private(set) var options: [VariantOption]
    /// The one followed.
    package private(set) var current: VariantOption
    /// Pathways in order of preference: the steering server's, or the one the playlist starts with.
    package private(set) var priority: [String]
    private var usable: [VariantOption]
    private var failures = 0
    private var restUntil: [WebURL: Duration] = [:]

    /// Nil when no variant has an address that can be requested.
    package init?(_ multivariant: MultivariantPlaylist) {
        usable = multivariant.variants.enumerated().compactMap { index, variant in
            // What is no http address was reported by the parser.
            (try? WebURL(variant.uri)).map { VariantOption(number: index + 1, variant: variant, url: $0) }
        }
        priority = multivariant.contentSteering?.pathwayID.map { [$0] } ?? []
        options = Self.ranked(usable, priority: priority)
        guard let first = options.first else { return nil }
        current = first
    }

    /// Another one than the preferred is followed.
    package var isFallback: Bool { current != options[0] }

    /// The playlist came.
    package mutating func succeeded() {
        failures = 0
    }

    /// A load failed. Returns the variant to follow from now on, when it is another one.
    package mutating func failed(at moment: Moment) -> VariantOption? {
        failures += 1
        guard failures >= Self.failureLimit else { return nil }
        return leave(at: moment, evenForRested: false)
    }

    /// The playlist came and has nothing new for too long. Returns the variant to follow from now on; nil when every
    /// other one failed not long ago, because then the stream itself stands still.
    package mutating func wentStale(at moment: Moment) -> VariantOption? {
        leave(at: moment, evenForRested: true)
    }

    /// Uptime at which the preferred variant is tried again; nil while it is followed.
    package var returnUptime: Duration? {
        isFallback ? restUntil[options[0].url] ?? .zero : nil
    }

    /// The preferred variant, where it is not the one followed and has rested. It is followed from now on.
    package mutating func returned(at moment: Moment) -> VariantOption? {
        guard let due = returnUptime, due <= moment.uptime else { return nil }
        follow(options[0])
        return current
    }

    /// A newer multivariant playlist: the variant followed stays where it is still listed.
    package mutating func replaced(by newer: VariantChoice) {
        let followed = current.url
        let rests = restUntil
        let failures = failures
        self = newer
        restUntil = rests
        self.failures = failures
        if let known = options.first(where: { $0.url == followed }) { current = known }
    }

    /// The steering server's order and clones (rfc8216bis-22 section 7). Returns the variant to follow from now on,
    /// when it is another one: the best of the first pathway that has not just failed.
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
        // All failed: in turn, at the pace of the reload schedule.
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
        for option in ordered where served.insert(option.pathway).inserted {
            let rivals = ordered.filter { $0.pathway == option.pathway }
            options.append(rivals.max { $0.bandwidth < $1.bandwidth } ?? option)
        }
        return Array(inOrder(options, priority: priority).prefix(optionLimit))
    }

    /// By pathway, those that the priority does not name last; within one as written.
    private static func inOrder(_ options: [VariantOption], priority: [String]) -> [VariantOption] {
        func rank(_ option: VariantOption) -> Int { priority.firstIndex(of: option.pathway) ?? priority.count }
        return options.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}

extension VariantOption {
    fileprivate var bandwidth: Int { variant.bandwidth ?? 0 }
}
