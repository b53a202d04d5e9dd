package import VAST

/// How the ads of a VAST answer lie over a break: one after the other by their own durations (VAST-11).
///
/// An ad that cannot be played gives its place to a stand-alone ad of the same answer, else to the next of the pod. The
/// pod is cut where its next ad would not end with the break: that ad and all behind it are not played (code 206).
package struct PodLayout: Hashable, Sendable {
    /// Encoded ads are some frames longer or shorter than they say.
    package static let tolerance: Duration = .milliseconds(500)

    /// An ad that plays.
    package struct Place: Hashable, Sendable {
        package var ad: ResolvedAd
        /// From the start of the break.
        package var offset: Duration
        /// Of the creative; shorter when it is cut off.
        package var duration: Duration
        package var media: MediaSelection
        /// Counts the ads that play, from 1 (the macro ADCOUNT in tracking URLs).
        package var number: Int

        package var end: Duration { offset + duration }
    }

    /// An ad that does not.
    package struct Loss: Hashable, Sendable {
        package var ad: ResolvedAd
        package var code: Int
        /// One clause.
        package var message: String
    }

    package internal(set) var places: [Place] = []
    package internal(set) var losses: [Loss] = []

    /// Without an ad.
    package init() {}

    /// - Parameters:
    ///   - length: of the break; nil while nobody knows it, and then everything fits.
    ///   - age: from the request of the tag to the start of the first ad.
    package init(_ result: ResolutionResult, length: Duration?, player: PlayerProfile, age: Duration = .zero) {
        var spares = result.standalone
        var waiting = result.pod
        // Without a pod the stand-alone ads are a buffet, and the player takes one.
        if waiting.isEmpty, !spares.isEmpty { waiting = [spares.removeFirst()] }
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

    /// From the start of the break to the end of the last ad that plays.
    package var end: Duration { places.last?.end ?? .zero }

    /// The code of an ad that is not played because the break is too short (VAST 4.3 section 2.3.6.3).
    package static let shortenedCode = 206
    /// The code of an ad that came too late to be shown.
    package static let lateCode = 304

    private var isCut: Bool { losses.contains { $0.code == Self.shortenedCode } }

    private mutating func place(_ ad: ResolvedAd, length: Duration?, _ player: PlayerProfile) {
        let duration = Duration.milliseconds(ad.durationMilliseconds ?? 0)
        if let length, isCut || end + duration > length + Self.tolerance {
            return losses.append(
                Loss(ad: ad, code: Self.shortenedCode, message: "does not fit into the break"))
        }
        let files = ad.linears.first?.linear.mediaFiles ?? []
        places.append(
            Place(
                ad: ad, offset: end, duration: duration, media: MediaSelection(of: files, for: player),
                number: places.count + 1))
    }

    /// So many seconds after its request an ad must not start (VAST 4.3 section 3.4.10); the strictest level counts.
    private static func expiry(of ad: ResolvedAd, at age: Duration) -> Loss? {
        let limits = ad.chain.map(\.ad.expiresSeconds) + [ad.ad.expiresSeconds]
        guard let limit = limits.compactMap({ $0 }).min(), age > .seconds(max(0, limit)) else { return nil }
        return Loss(ad: ad, code: lateCode, message: "expires \(limit) s after its request, before its turn")
    }

    private static func obstacle(to ad: ResolvedAd, _ player: PlayerProfile) -> Loss? {
        guard let linear = ad.linears.first?.linear else {
            return Loss(ad: ad, code: 201, message: "has no linear creative, and a break takes nothing else")
        }
        guard let duration = linear.durationMilliseconds, duration > 0 else {
            return Loss(ad: ad, code: 101, message: "has no usable Duration")
        }
        guard MediaSelection(of: linear.mediaFiles, for: player).chosen != nil else {
            return Loss(
                ad: ad, code: MediaSelection.nothingPlayableCode, message: "has no media file that the player takes")
        }
        return nil
    }
}

extension PodLayout {
    /// What began before `offset` comes too late: it cannot be shown from its beginning any more.
    package mutating func lose(startingBefore offset: Duration) {
        losses += places.filter { $0.offset < offset }.map { place in
            Loss(ad: place.ad, code: Self.lateCode, message: "came after its moment")
        }
        places.removeAll { $0.offset < offset }
    }

    /// What plays at `index` ends after `duration`, skipped by the viewer: nothing of it happens any more.
    package mutating func cutPlace(_ index: Int, to duration: Duration) {
        guard places.indices.contains(index) else { return }
        places[index].duration = max(.zero, min(duration, places[index].duration))
    }

    /// The break ends at `length`, earlier than planned: what is on air is cut off, what comes after is not played.
    package mutating func cut(at length: Duration) {
        losses += places.filter { $0.offset >= length }.map { place in
            Loss(ad: place.ad, code: Self.shortenedCode, message: "comes after the end of the break")
        }
        places.removeAll { $0.offset >= length }
        if let last = places.indices.last, places[last].end > length + Self.tolerance {
            places[last].duration = length - places[last].offset
        }
    }
}
