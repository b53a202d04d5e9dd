package import Ports

/// All interstitials of a session in schedule order, and which of them starts next (HLS-20 and HLS-21).
package struct InterstitialTrack: Equatable, Sendable {
    /// Most interstitials kept; the oldest that are neither listed nor playing are dropped first.
    package static let limit = 1_000
    /// How long after its start an interstitial of unknown length may still be on air for a viewer who joins live (HLS-21).
    package static let unknownReach: Duration = .seconds(300)

    /// The interstitials in the order of their tags.
    package private(set) var entries: [TrackedInterstitial] = []
    /// Index of the next interstitial to start by itself; nil when there is none.
    private(set) var next: Int?
    private var indices: [String: Int] = [:]
    private var nextOrder = 0

    package init() {}

    package subscript(id id: String) -> TrackedInterstitial? {
        indices[id].map { entries[$0] }
    }

    /// The interstitials that have a place on the timeline, in the order in which they play.
    package var scheduled: [TrackedInterstitial] {
        entries.indices.filter { entries[$0].position != nil }.sorted { precedes($0, $1) }.map { entries[$0] }
    }

    /// The next interstitial that starts by itself.
    package var upcoming: TrackedInterstitial? { next.map { entries[$0] } }

    /// Merges the tags of the newest playlist. `playhead` is the viewer's position, nil before playback began; an
    /// interstitial that first appears behind it counts as passed.
    package mutating func fold(_ timeline: Timeline, playhead: StreamTime?) {
        guard let playlist = timeline.playlist else { return }
        let renamed = RenamedInterstitials(playlist.interstitials, among: entries)
        for index in entries.indices { entries[index].isListed = false }
        for var interstitial in playlist.interstitials {
            interstitial.id = renamed[interstitial.id]
            if interstitial.hasAsset || indices[interstitial.id] != nil { take(interstitial) }
        }
        takeUpdatesWithoutClass(playlist, renamed)
        // Only what is kept needs a place.
        drop()
        let dates = DatePlaces(timeline)
        for index in entries.indices where !entries[index].isPlaying {
            place(index, timeline, dates, playhead: playhead)
        }
        findNext()
    }

    /// Merges tags with the same ID: later tags add attributes, and attributes of a tag that slid out of the window are
    /// kept.
    private mutating func take(_ new: Interstitial) {
        guard let index = indices[new.id] else {
            indices[new.id] = entries.count
            entries.append(TrackedInterstitial(definition: new, order: nextOrder))
            nextOrder += 1
            return
        }
        let old = entries[index].definition
        // The first tag may have left the playlist: an update alone changes only what it has.
        var merged = new.hasAsset ? new : old
        merged.start = new.start ?? old.start
        merged.expectedDuration = new.expectedDuration ?? old.expectedDuration
        merged.resumeOffset = new.resumeOffset ?? old.resumeOffset
        merged.playoutLimit = new.playoutLimit ?? old.playoutLimit
        merged.skipControl = new.skipControl ?? old.skipControl
        merged.creativeSignaling = new.creativeSignaling ?? old.creativeSignaling
        entries[index].definition = merged
        entries[index].isListed = true
    }

    /// An update may omit CLASS (rfc8216bis-22 section 4.4.5.1); once its first tag has left the playlist, the range is
    /// recognised by its ID.
    private mutating func takeUpdatesWithoutClass(_ playlist: MediaPlaylist, _ renamed: RenamedInterstitials) {
        guard !indices.isEmpty else { return }
        for range in playlist.dateRanges where range.rangeClass == nil && indices[renamed[range.id]] != nil {
            var update = Interstitial(update: range)
            update.id = renamed[range.id]
            take(update)
        }
    }

    private mutating func place(_ index: Int, _ timeline: Timeline, _ dates: DatePlaces, playhead: StreamTime?) {
        let entry = entries[index]
        if entry.isPreroll {
            // Before playback there is no join point yet; after it, a preroll is too late.
            if entry.position == nil, playhead != nil { entries[index].isHandled = true }
            return
        }
        if entry.isPostroll {
            entries[index].position = timeline.hasEnded ? timeline.window?.end : nil
            return
        }
        // An interstitial that has been played keeps the position where it played.
        guard entry.isListed, entry.play == nil, let start = entry.definition.start,
            let date = dates.position(of: start)
        else { return }
        let snapped = entry.definition.snap.contains(.out) ? timeline.nearestBoundary(to: date) ?? date : date
        entries[index].position = snapped
        // Dates move by rounding. One that is at its place may be behind the playhead: others of the same point play before it.
        let hasMoved = entry.position.map { (snapped - $0).magnitude > Timeline.dateTolerance } ?? true
        guard let playhead, hasMoved else { return }
        // A START-DATE must not change; where it does, the interstitial plays at the newest place that is ahead.
        entries[index].isHandled = snapped < playhead - Timeline.dateTolerance
    }

    private mutating func drop() {
        guard entries.count > Self.limit else { return }
        let excess = entries.count - Self.limit
        let gone = Set(entries.lazy.filter { !$0.isListed && !$0.isPlaying }.prefix(excess).map(\.id))
        // A playlist that lists more interstitials than the limit loses the last ones.
        let kept = entries.filter { !gone.contains($0.id) }
        entries =
            kept.count > Self.limit ? kept.enumerated().filter { $0 < Self.limit || $1.isPlaying }.map(\.element) : kept
        indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
    }

    /// Drops interstitials that ended before `limit` and are no longer listed, with their assets.
    package mutating func forget(endedBefore limit: StreamTime) {
        func isOver(_ entry: TrackedInterstitial) -> Bool {
            guard !entry.isListed, !entry.isPlaying else { return false }
            return entry.position.map { $0 + (entry.end ?? .zero) < limit } ?? true
        }
        guard entries.contains(where: isOver) else { return }
        entries.removeAll(where: isOver)
        indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
        findNext()
    }

    private mutating func findNext() {
        // An interstitial whose tag disappears before its start was withdrawn.
        next = entries.indices.filter { isAhead($0) }.min { precedes($0, $1) }
    }

    func isAhead(_ index: Int) -> Bool {
        !entries[index].isHandled && entries[index].isListed && entries[index].position != nil
    }

    /// Prerolls first, postrolls last, the others by position; ties in the order of the tags (HLS-20).
    func precedes(_ left: Int, _ right: Int) -> Bool {
        func key(_ index: Int) -> (Int, StreamTime, Int) {
            let entry = entries[index]
            return (entry.isPreroll ? 0 : entry.isPostroll ? 2 : 1, entry.position ?? .zero, entry.order)
        }
        return key(left) < key(right)
    }

    // MARK: Playback

    /// Playback begins at `position`: prerolls play there, and earlier interstitials count as passed. Returns the
    /// interstitial that is on air there, if any, and the offset into it (HLS-21). `isLive` is whether more of the stream follows.
    package mutating func join(at position: StreamTime, isLive: Bool = false) -> (id: String, offset: Duration)? {
        for index in entries.indices where entries[index].isPreroll && entries[index].play == nil {
            entries[index].position = position
            entries[index].isHandled = false
        }
        return pass(to: position, isLive: isLive)
    }

    /// Playback jumps to the live target at `position`: earlier interstitials count as passed. Returns the interstitial
    /// that is on air there, if any, and the offset into it, as for a join.
    package mutating func pass(to position: StreamTime, isLive: Bool = false) -> (id: String, offset: Duration)? {
        for index in entries.indices where !entries[index].isPreroll {
            guard let start = entries[index].position, start < position else { continue }
            entries[index].isHandled = true
        }
        let inside = inside(position) ?? (isLive ? ofUnknownLength(before: position) : nil)
        if let inside { expectRest(behind: inside.id, again: false) }
        findNext()
        return inside
    }

    /// Indices of the interstitials that begin before `position` by their dates, in the order in which they play.
    private func begun(before position: StreamTime) -> [Int] {
        entries.indices.filter { index in
            let entry = entries[index]
            return !entry.isPreroll && !entry.isPostroll && entry.position.map { $0 < position } ?? false
        }.sorted { precedes($0, $1) }
    }

    /// The last interstitial whose stretch of the primary stream contains `position`; of those at one point, each begins where the one
    /// before resumes (HLS-20). A seek anywhere into what an interstitial replaces plays it (rfc8216bis-22 appendix D.5); a join only
    /// where it would still be on air.
    private func inside(_ position: StreamTime, bySeek: Bool = false) -> (id: String, offset: Duration)? {
        var found: (id: String, offset: Duration)?
        var group: (start: StreamTime, length: Duration)?
        for index in begun(before: position) where !entries[index].isSpent && !entries[index].hasFailed {
            let entry = entries[index]
            guard let start = entry.position else { continue }
            let before = group.map { $0.start == start ? $0.length : .zero } ?? .zero
            let resume = entry.definition.resumeOffset ?? entry.end
            // Where no length is known, the tag may say how much of the stream is replaced.
            let reach = bySeek ? resume : [entry.end, resume].compactMap { $0 }.min()
            let offset = position - (start + before)
            if let reach, offset >= .zero, offset < reach { found = (entry.id, offset) }
            group = (start, before + (resume ?? .zero))
        }
        return found
    }

    /// The interstitial that began last, if only its assets tell whether it is still on air.
    private func ofUnknownLength(before position: StreamTime) -> (id: String, offset: Duration)? {
        guard let last = begun(before: position).last else { return nil }
        let entry = entries[last]
        let tellsNoLength = entry.end == nil && entry.definition.resumeOffset == nil
        guard tellsNoLength, entry.isListed, entry.play == nil, !entry.hasFailed, let start = entry.position,
            position - start < Self.unknownReach
        else { return nil }
        return (entry.id, position - start)
    }

    /// Those behind an interstitial at its point play after it; those that were played only `again`.
    private mutating func expectRest(behind id: String, again: Bool) {
        guard let index = indices[id] else { return }
        for other in entries.indices where entries[other].position == entries[index].position {
            guard !entries[other].isPostroll, precedes(index, other) else { continue }
            entries[other].isHandled = again ? entries[other].isSpent : entries[other].play != nil
        }
    }

    /// The interstitial that a seek must play first.
    package struct Detour: Hashable, Sendable {
        package var id: String
        /// Offset of the seek target into the interstitial; nil when the target lies beyond it.
        package var offset: Duration?
    }

    /// The viewer seeks from `origin` to `target`: interstitials after `target` can play again. Returns the
    /// interstitial to play first: the one that contains `target`, or else the last with X-RESTRICT JUMP between the
    /// two (HLS-21).
    package mutating func seek(from origin: StreamTime, to target: StreamTime) -> Detour? {
        var jumped: Int?
        for index in entries.indices {
            let entry = entries[index]
            guard let start = entry.position, !entry.isPreroll, !entry.isPostroll else { continue }
            entries[index].isHandled = entry.isSpent || start < target
            guard !entry.isSpent, entry.definition.restrict.contains(.jump), origin <= start, start < target else {
                continue
            }
            jumped = [jumped, index].compactMap { $0 }.max { precedes($0, $1) }
        }
        let inside = inside(target, bySeek: true)
        if let inside { expectRest(behind: inside.id, again: true) }
        findNext()
        if let inside { return Detour(id: inside.id, offset: inside.offset) }
        return jumped.map { Detour(id: entries[$0].id, offset: nil) }
    }

    package mutating func started(_ id: String, at moment: Moment, offset: Duration) {
        update(id) { entry in
            entry.isHandled = true
            entry.play = TrackedInterstitial.Play(out: moment, joinedOffset: offset)
        }
    }

    package mutating func ended(
        _ id: String, at moment: Moment, elapsed: Duration, resume: StreamTime, result: TrackedInterstitial.Result
    ) {
        update(id) { entry in
            guard var play = entry.play else { return }
            guard !entry.wasOverAtJoin else {
                entry.play = nil
                return
            }
            play.back = moment
            play.resume = resume
            play.played = elapsed - play.joinedOffset
            play.result = result
            entry.play = play
        }
    }

    mutating func update(_ id: String, _ change: (inout TrackedInterstitial) -> Void) {
        guard let index = indices[id] else { return }
        change(&entries[index])
        findNext()
    }
}
