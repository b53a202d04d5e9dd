package import Ports

/// An interstitial over all reloads: what its tags say, where it stands on the timeline, its assets, and how it was
/// played.
package struct TrackedInterstitial: Hashable, Sendable, Identifiable {
    /// What is known of its assets.
    package enum Assets: Hashable, Sendable {
        /// Nothing was asked yet.
        case unknown
        case requested
        case known([AssetList.Asset])
        /// Asked in vain; the reason is one clause.
        case failed(String)
    }

    /// How it ended.
    package enum Result: String, Hashable, Sendable {
        /// Played to the end of its assets.
        case completed
        /// Cut off by X-PLAYOUT-LIMIT.
        case limited
        /// The viewer left it.
        case skipped
        /// Its assets could not be had.
        case cancelled
        /// Its asset list was empty: nothing was played.
        case empty
    }

    /// One time that it was played.
    package struct Play: Hashable, Sendable {
        /// When the primary stream was left.
        package var out: Moment
        /// Where in the interstitial playback began: not zero when joined in the middle.
        package var joinedOffset: Duration
        /// When the primary stream went on; nil while it plays.
        package var back: Moment?
        package var resume: StreamTime?
        package var played: Duration = .zero
        package var result: Result?
    }

    /// Newest tags merged with older ones of the same ID.
    package internal(set) var definition: Interstitial
    /// Order of the tags: the tie-break of equal starts.
    package internal(set) var order: Int
    /// Where it starts, snapped; nil while its date has no place on the timeline.
    package internal(set) var position: StreamTime?
    package internal(set) var assets = Assets.unknown
    package internal(set) var skipControl: SkipControl?
    /// `_HLS_start_offset` of the request: playback begins so far into it (rfc8216bis-22 appendix D.4).
    package internal(set) var startOffset: Duration?
    /// The newest time it was played.
    package internal(set) var play: Play?
    /// It is over, passed, or being played: not to start by itself.
    var isHandled = false
    /// The newest playlist has its tag.
    package internal(set) var isListed = true

    package var id: String { definition.id }
    package var isPreroll: Bool { definition.cue.contains(.pre) }
    package var isPostroll: Bool { definition.cue.contains(.post) }
    /// CUE ONCE, and played: not to be played again.
    package var isSpent: Bool { definition.cue.contains(.once) && play != nil }
    /// Its place is behind the viewer, or it was played.
    package var isPassed: Bool { isHandled && !isPlaying }
    package var isPlaying: Bool { play.map { $0.back == nil } ?? false }

    /// Sum of the assets as far as known, at least the stated duration while some of them are unknown (hls-timeline
    /// 3.4). Nil when nothing says how long it is.
    package var total: Duration? {
        guard case .known(let known) = assets else { return definition.expectedDuration }
        let sum = known.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        guard known.contains(where: { $0.duration == nil }) else { return sum }
        return max(sum, definition.expectedDuration ?? .zero)
    }

    /// When it ends, from its start: `total`, cut by X-PLAYOUT-LIMIT.
    package var end: Duration? {
        guard let total else { return definition.playoutLimit }
        return min(total, definition.playoutLimit ?? total)
    }

    /// Its assets are still to be asked for: a list, or the length of a single asset that no attribute states.
    package var needsRequest: Bool {
        guard assets == .unknown else { return false }
        return definition.assetList != nil || (definition.assetURI != nil && definition.expectedDuration == nil)
    }

    /// Playback of it can begin: its assets are known, or it has the one asset of its tag.
    package var isReady: Bool {
        switch assets {
        case .known, .failed: true
        case .unknown, .requested: definition.assetList == nil && definition.expectedDuration != nil
        }
    }

    /// `point`, or the segment boundary nearest to it with X-SNAP IN; outside the window nothing is known to snap to.
    package func resumePoint(_ point: StreamTime, on timeline: Timeline) -> StreamTime {
        guard definition.snap.contains(.in) else { return point }
        return timeline.nearestBoundary(to: point) ?? point
    }

    /// The assets, empty while they are not known.
    package var knownAssets: [AssetList.Asset] {
        if case .known(let known) = assets { return known }
        return definition.assetURI.map { [AssetList.Asset(uri: $0, duration: definition.expectedDuration)] } ?? []
    }

    /// The length of one asset; of the last one, where it is not stated, what remains of the whole.
    package func duration(ofAsset index: Int) -> Duration? {
        let known = knownAssets
        guard known.indices.contains(index) else { return nil }
        if let duration = known[index].duration { return duration }
        guard index == known.count - 1, let total else { return nil }
        return max(.zero, total - known.dropLast().reduce(Duration.zero) { $0 + ($1.duration ?? .zero) })
    }

    /// The asset playing at `elapsed` since the start of the interstitial, and how far into it.
    package func asset(at elapsed: Duration) -> (index: Int, offset: Duration)? {
        let known = knownAssets
        var start = Duration.zero
        for index in known.indices {
            guard let duration = duration(ofAsset: index), index < known.count - 1, elapsed >= start + duration else {
                return (index, elapsed - start)
            }
            start += duration
        }
        return nil
    }
}
