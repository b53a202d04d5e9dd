package import VAST

/// Schedules the ads of a VAST answer in a break: one after the other, each for its own duration (VAST-11).
///
/// An ad that cannot be played is replaced by a stand-alone ad of the same answer, or else by the next ad of the pod.
/// The pod ends at the first ad that would not finish within the break: this ad and all later ones are not played (code
/// 206).
package struct PodLayout: Hashable, Sendable {
    /// Encoded ads are a few frames longer or shorter than their declared duration.
    package static let tolerance: Duration = .milliseconds(500)

    /// An ad that plays, and when.
    package struct Place: Hashable, Sendable {
        package var ad: ResolvedAd
        /// Offset from the start of the break.
        package var offset: Duration
        /// Duration of the creative; shorter when it is cut.
        package var duration: Duration
        package var media: MediaSelection
        /// Counts the ads that play, from 1 (the macro ADCOUNT in tracking URLs).
        package var number: Int

        package var end: Duration { offset + duration }
    }

    /// An ad that does not play, and why.
    package struct Loss: Hashable, Sendable {
        package var ad: ResolvedAd
        package var code: Int
        /// Reason as one clause without a subject.
        package var message: String
    }

    package internal(set) var places: [Place] = []
    package internal(set) var losses: [Loss] = []

    /// A layout without ads.
    package init() {}

    /// - Parameters:
    ///   - length: length of the break; nil while it is unknown, and then every ad fits.
    ///   - age: time from the request of the tag to the start of the first ad.
    package init(_ result: ResolutionResult, length: Duration?, player: PlayerProfile, age: Duration = .zero) {
        var spares = result.standalone
        var waiting = result.pod
        // Without a pod the stand-alone ads are alternatives, and the player plays one, if possible one that fits.
        if waiting.isEmpty, !spares.isEmpty {
            spares = spares.filter { Self.fits($0, in: length) } + spares.filter { !Self.fits($0, in: length) }
            waiting = [spares.removeFirst()]
        }
        var index = 0
        while index < waiting.count {
            let ad = waiting[index]
            index += 1
            if let loss = Self.obstacle(to: ad, player) ?? Self.expiry(of: ad, at: age + end) {
                losses.append(loss)
                if !spares.isEmpty { waiting.insert(spares.removeFirst(), at: index) }
                continue
            }
            place(ad, length: length, player)
        }
    }

    /// Offset from the start of the break to the end of the last ad that plays.
    package var end: Duration { places.last?.end ?? .zero }

    /// Error code of an ad that is not played because the break is too short (VAST 4.3 section 2.3.6.3).
    package static let shortenedCode = 206
    /// Error code of an ad that arrived too late to be shown.
    package static let lateCode = 304

    private var isCut: Bool { losses.contains { $0.code == Self.shortenedCode } }

    private mutating func place(_ ad: ResolvedAd, length: Duration?, _ player: PlayerProfile) {
        let duration = Self.duration(of: ad)
        if let length, isCut || end + duration > length + Self.tolerance {
            return losses.append(
                Loss(ad: ad, code: Self.shortenedCode, message: "does not fit in the break"))
        }
        let files = ad.linears.first?.linear.mediaFiles ?? []
        places.append(
            Place(
                ad: ad, offset: end, duration: duration,
                media: MediaSelection(of: files, for: player.playing(ad.ad)),
                number: places.count + 1))
    }

    private static func duration(of ad: ResolvedAd) -> Duration { .milliseconds(ad.durationMilliseconds ?? 0) }

    private static func fits(_ ad: ResolvedAd, in length: Duration?) -> Bool {
        length.map { duration(of: ad) <= $0 + tolerance } ?? true
    }

    /// An ad must not start later than this many seconds after its request (VAST 4.3 section 3.4.10); the strictest
    /// level of the wrapper chain counts.
    private static func expiry(of ad: ResolvedAd, at age: Duration) -> Loss? {
        let limits = ad.chain.map(\.ad.expiresSeconds) + [ad.ad.expiresSeconds]
        guard let limit = limits.compactMap({ $0 }).min(), age > .seconds(max(0, limit)) else { return nil }
        return Loss(ad: ad, code: lateCode, message: "expires \(limit) s after its request, before it would start")
    }

    private static func obstacle(to ad: ResolvedAd, _ player: PlayerProfile) -> Loss? {
        guard let linear = ad.linears.first?.linear else {
            return Loss(ad: ad, code: 201, message: "has no linear creative; only linear ads play in a break")
        }
        if let defect = linear.defect { return Loss(ad: ad, code: ResolutionFailure.defectCode, message: defect) }
        guard MediaSelection(of: linear.mediaFiles, for: player.playing(ad.ad)).chosen != nil else {
            return Loss(
                ad: ad, code: MediaSelection.nothingPlayableCode, message: "has no media file that the player supports")
        }
        return nil
    }
}

extension PodLayout {
    /// Drops the ads that start before `offset`: they can no longer be shown from their beginning.
    package mutating func lose(startingBefore offset: Duration) {
        losses += places.filter { $0.offset < offset }.map { place in
            Loss(ad: place.ad, code: Self.lateCode, message: "arrived after its start time")
        }
        places.removeAll { $0.offset < offset }
    }

    /// Ends the ad at `index` after `duration` because the viewer skipped it: none of its later events happen.
    package mutating func cutPlace(_ index: Int, to duration: Duration) {
        guard places.indices.contains(index) else { return }
        places[index].duration = max(.zero, min(duration, places[index].duration))
    }

    /// The break is not played: that is no failure of its ads.
    package mutating func withdraw() {
        places = []
    }

    /// Ends the break at `length`, earlier than planned: the ad on air is cut and later ads are not played.
    package mutating func cut(at length: Duration) {
        losses += places.filter { $0.offset >= length }.map { place in
            Loss(ad: place.ad, code: Self.shortenedCode, message: "starts after the end of the break")
        }
        places.removeAll { $0.offset >= length }
        if let last = places.indices.last, places[last].end > length + Self.tolerance {
            places[last].duration = length - places[last].offset
        }
    }
}
