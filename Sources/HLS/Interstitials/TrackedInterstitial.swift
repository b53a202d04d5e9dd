package import Ports

/// An interstitial across all reloads: its merged tags, its place on the timeline, its assets, and how it was played.
package struct TrackedInterstitial: Hashable, Sendable, Identifiable {
    /// The state of its assets.
    package enum Assets: Hashable, Sendable {
        /// Nothing was requested yet.
        case unknown
        case requested
        case known([AssetList.Asset])
        /// The request failed; the reason is one clause.
        case failed(String)
    }

    /// How playback of the interstitial ended.
    package enum Result: String, Hashable, Sendable {
        /// Played to the end of its assets.
        case completed
        /// Cut off by X-PLAYOUT-LIMIT.
        case limited
        /// The viewer skipped the rest.
        case skipped
        /// Its assets could not be loaded.
        case cancelled
        /// Its asset list was empty, or over where the viewer joined, so nothing was played.
        case empty
    }

    /// One playback of the interstitial.
    package struct Play: Hashable, Sendable {
        /// When playback left the primary stream.
        package var out: Moment
        /// Offset into the interstitial at which playback began; zero unless the viewer joined in the middle.
        package var joinedOffset: Duration
        /// When the primary stream resumed; nil while the interstitial plays.
        package var back: Moment?
        package var resume: StreamTime?
        package var played: Duration = .zero
        package var result: Result?
    }

    /// The newest tags, merged with older ones of the same ID.
    package internal(set) var definition: Interstitial
    /// Order of the first tag: the tie-break of equal starts.
    package internal(set) var order: Int
    /// Start on the timeline, after X-SNAP; nil while its date cannot be mapped to the timeline.
    package internal(set) var position: StreamTime?
    package internal(set) var assets = Assets.unknown
    /// Indices of the listed assets whose length only their playlists have (HLS-19), without those that are known by now.
    package internal(set) var unmeasured: [Int] = []
    /// Whether the playlist of the first of these was requested.
    var isMeasuring = false
    package internal(set) var skipControl: SkipControl?
    /// `_HLS_start_offset` of the request: playback begins this far into the interstitial (rfc8216bis-22 appendix D.4).
    package internal(set) var startOffset: Duration?
    /// The most recent playback.
    package internal(set) var play: Play?
    /// True when the interstitial has ended, was passed, or is playing, so that it must not start by itself.
    var isHandled = false
    /// Whether the newest playlist lists its tag.
    package internal(set) var isListed = true

    package var id: String { definition.id }
    package var isPreroll: Bool { definition.cue.contains(.pre) }
    package var isPostroll: Bool { definition.cue.contains(.post) }
    /// Whether it has CUE ONCE and was played, so that it must not play again.
    package var isSpent: Bool { definition.cue.contains(.once) && play != nil }
    /// Whether its place is behind the viewer or it was played.
    package var isPassed: Bool { isHandled && !isPlaying }
    package var isPlaying: Bool { play.map { $0.back == nil } ?? false }
    /// Whether its assets could not be loaded: it does not play.
    var hasFailed: Bool { if case .failed = assets { true } else { false } }

    /// Whether by the lengths of its assets it was over where the viewer joined, so that it did not play.
    package var wasOverAtJoin: Bool {
        guard case .known(let known) = assets, !known.isEmpty, let play, play.joinedOffset > .zero, let end else {
            return false
        }
        return end <= play.joinedOffset
    }

    /// Sum of the known asset durations, and at least the stated duration while some are unknown (HLS-19). Nil when no
    /// duration is known.
    package var total: Duration? {
        guard case .known(let known) = assets else { return definition.expectedDuration }
        let sum = known.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        guard known.contains(where: { $0.duration == nil }) else { return sum }
        return max(sum, definition.expectedDuration ?? .zero)
    }

    /// Offset from its start at which it ends: `total`, capped by X-PLAYOUT-LIMIT.
    package var end: Duration? {
        guard let total else { return definition.playoutLimit }
        return min(total, definition.playoutLimit ?? total)
    }

    /// Whether its assets must still be requested: a list, or the length of an asset that neither an attribute nor the list states.
    package var needsRequest: Bool {
        guard assets == .unknown else { return !unmeasured.isEmpty && !isMeasuring }
        return definition.assetList != nil || (definition.assetURI != nil && definition.expectedDuration == nil)
    }

    /// Whether it can be played: its assets and their lengths are known, or its tag names a single asset.
    package var isReady: Bool {
        switch assets {
        case .known: unmeasured.isEmpty
        case .failed: true
        case .unknown, .requested: definition.assetList == nil && definition.expectedDuration != nil
        }
    }

    /// `point`, or with X-SNAP IN the segment boundary nearest to it. Outside the window there is no boundary to snap
    /// to.
    package func resumePoint(_ point: StreamTime, on timeline: Timeline) -> StreamTime {
        guard definition.snap.contains(.in) else { return point }
        return timeline.nearestBoundary(to: point) ?? point
    }

    /// The assets; empty while they are not known.
    package var knownAssets: [AssetList.Asset] {
        if case .known(let known) = assets { return known }
        return definition.assetURI.map { [AssetList.Asset(uri: $0, duration: definition.expectedDuration)] } ?? []
    }

    /// Duration of one asset. For a last asset without a stated duration, it is the rest of the total, if there is any.
    package func duration(ofAsset index: Int) -> Duration? {
        let known = knownAssets
        guard known.indices.contains(index) else { return nil }
        if let duration = known[index].duration { return duration }
        guard index == known.count - 1, var rest = total else { return nil }
        for asset in known.dropLast() {
            guard let duration = asset.duration else { return nil }
            rest -= duration
        }
        return rest > .zero ? rest : nil
    }

    /// The playlist of an asset of the list arrived, or nil if it could not be loaded: such an asset counts nothing (HLS-19).
    mutating func measured(_ index: Int, as duration: Duration?) {
        guard case .known(var known) = assets, known.indices.contains(index) else { return }
        known[index].duration = max(.zero, duration ?? .zero)
        known[index].isMissing = duration == nil
        assets = .known(known)
        unmeasured.removeAll { $0 == index }
        isMeasuring = false
    }

    /// The asset that plays `elapsed` after the start of the interstitial, and the offset into it.
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
