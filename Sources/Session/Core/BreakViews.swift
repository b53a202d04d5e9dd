import AdTracking
import HLS
import Ports

/// The views of breaks in snapshots. Only changed views are built again: most of ten thousand events do not change in a
/// given second.
struct BreakViews {
    private struct Cached {
        var view: BreakView
        var track: AdTrack
        var counts: [ReportingState: Int]
        /// The earliest time of the break and its ads and events: nothing of it depends on a playhead before that.
        var earliest: UnixTime
        /// Position of the playhead from which on an event that is idle may have another state; nil if none is.
        var changesAt: UnixTime?
    }

    /// The state apart from the tracker that views depend on.
    struct Context {
        var tracker: AdTracker?
        var air: AirPart
        /// Date of the stream at the playhead; held while an interstitial plays.
        var date: UnixTime?
        /// Tracks of interstitials that ended or were passed.
        var over: Set<AdTrack>
        /// Why the assets of interstitials could not be loaded, by their tracks.
        var failures: [AdTrack: String] = [:]
        var isPaused: Bool
        var join: JoinPart
        /// Creatives of ads that the session requested.
        var creatives: [AdID: CreativeView] = [:]
        var growth = GrowthPart()
    }

    private var cached: [BreakID: Cached] = [:]
    private var dirty: Set<BreakID> = []
    private var order: [BreakID] = []
    private var markers: [BreakView] = []
    private var needsOrder = true
    private var needsMarkers = true
    /// The views as they were returned last. They change in place, so that snapshots share them while nothing does.
    private var listed: [BreakView] = []
    /// For each listed view, what decides whether it is on air or over.
    private var places: [BreakPlace] = []
    private var positions: [BreakID: Int] = [:]
    private var needsList = true
    /// The break on air when views were built last.
    private var lastOnAir: BreakID?
    /// Where playback had begun when views were built last: what lies before it is older than the join.
    private var firstPlayed: UnixTime?
    private(set) var counts: [ReportingState: Int] = [:]
    private var needsPlayhead = false
    /// The earliest of the positions from which on an event that is idle may have another state.
    private var changesAt: UnixTime?
    /// How long events stay under observation whose document may still change what they are.
    private static let settling: Duration = .seconds(60)
    private static let recheck: Duration = .seconds(1)
    /// How far the stream had been played, and whether the player was paused, when views were built last.
    private var lastPlayback: (position: UnixTime?, isPaused: Bool) = (nil, false)

    mutating func touch(_ breaks: some Sequence<BreakID>) {
        dirty.formUnion(breaks)
    }

    /// A document arrived: breaks may be new, gone or in another order.
    mutating func metadataChanged() {
        needsOrder = true
        needsMarkers = true
    }

    mutating func markersChanged() {
        needsMarkers = true
    }

    /// Playback changed other than by time passing: what was reached may be another part, and idle events may have other
    /// reasons.
    mutating func playheadChanged() { needsPlayhead = true }

    /// Marks what a change of playback may have changed: of a player that is not paused only what one of the two playheads has
    /// reached. Interstitials have clocks of their own.
    private mutating func touchPlayed(_ context: Context) {
        let playback = (position: context.tracker?.position, isPaused: context.isPaused)
        defer { lastPlayback = playback }
        guard needsPlayhead else { return }
        needsPlayhead = false
        guard playback.isPaused == lastPlayback.isPaused else { return dirty.formUnion(cached.keys) }
        let reached = [playback.position, lastPlayback.position].compactMap { $0 }.max()
        let touched = cached.lazy.filter { entry in
            entry.value.track != .primary || reached.map { entry.value.earliest <= $0 } == true
        }
        dirty.formUnion(touched.map(\.key))
    }

    /// Marks what the playhead has passed, whether it was on the air or had left the metadata before.
    private mutating func touchPassed(_ position: UnixTime?) {
        guard let position, let first = changesAt, first <= position else { return }
        changesAt = nil
        for (id, entry) in cached {
            guard let next = entry.changesAt else { continue }
            if next <= position { dirty.insert(id) } else { changesAt = min(changesAt ?? next, next) }
        }
    }

    /// The views of all breaks, ordered by start.
    mutating func build(_ context: Context) -> [BreakView] {
        let known = context.tracker?.book.breaks ?? []
        if needsOrder { reorder(known) }
        if let first = context.tracker?.firstPlayed, first != firstPlayed {
            firstPlayed = first
            playheadChanged()
        }
        touchPlayed(context)
        touchPassed(context.tracker?.position)
        // Playback changes the reasons of events in the break on air, without any other change.
        // Events that only the viewer triggers are over with it.
        if let onAir = context.air.current.breakID { dirty.insert(onAir) }
        if let lastOnAir { dirty.insert(lastOnAir) }
        lastOnAir = context.air.current.breakID
        if let tracker = context.tracker {
            for id in dirty {
                guard let adBreak = tracker.book[id] else { continue }
                rebuild(adBreak, tracker, context)
                replace(id, context.join)
            }
            dirty = []
        }
        if needsMarkers { rebuildMarkers(context.join) }
        if needsList { list(context.join) }
        for position in places.indices {
            let (isOnAir, hasEnded) = places[position].air(in: context)
            if listed[position].isOnAir != isOnAir { listed[position].isOnAir = isOnAir }
            if listed[position].hasEnded != hasEnded { listed[position].hasEnded = hasEnded }
            let problem = places[position].problem(in: context)
            if listed[position].problem != problem { listed[position].problem = problem }
        }
        return listed
    }

    /// The start of the next break that is still listed. The date of an interstitial that plays or is over, as that of a
    /// pre-roll, can lie ahead of the playhead.
    func nextStart(after date: UnixTime) -> UnixTime? {
        places.indices.lazy
            .filter { self.places[$0].start > date && !self.places[$0].hasVanished && self.listed[$0].isAhead }
            .map { self.places[$0].start }.min()
    }

    /// Lists the views of all breaks, ordered by start.
    private mutating func list(_ join: JoinPart) {
        needsList = false
        var rows = order.compactMap { id -> (id: BreakID?, view: BreakView, track: AdTrack)? in
            cached[id].map { (id, $0.view, $0.track) }
        }
        if !markers.isEmpty {
            rows += markers.map { (nil, $0, .primary) }
            rows.sort { $0.view.start < $1.view.start }
        }
        places = rows.map { BreakPlace($0.view, on: $0.track) }
        listed = rows.map { row in row.id.map { evident(row.view, $0, join) } ?? row.view }
        positions = [:]
        for (position, row) in rows.enumerated() {
            if let id = row.id { positions[id] = position }
        }
    }

    /// Lists a view that was built again in the place of the former one.
    private mutating func replace(_ id: BreakID, _ join: JoinPart) {
        guard !needsList, let new = cached[id] else { return }
        guard let position = positions[id], places[position].start == new.view.start else {
            needsList = true
            return
        }
        places[position] = BreakPlace(new.view, on: new.track)
        var view = evident(new.view, id, join)
        (view.hasEnded, view.problem) = (listed[position].hasEnded, listed[position].problem)
        // An equal view is not written, so that the storage stays shared.
        if view != listed[position] { listed[position] = view }
    }

    private mutating func reorder(_ known: [KnownBreak]) {
        needsOrder = false
        needsList = true
        order = known.map(\.id)
        let ids = Set(order)
        for id in cached.keys where !ids.contains(id) { forget(id) }
        dirty.formUnion(order.filter { cached[$0] == nil })
    }

    private mutating func forget(_ id: BreakID) {
        guard let old = cached.removeValue(forKey: id) else { return }
        for (state, count) in old.counts { counts[state, default: 0] -= count }
    }

    private mutating func rebuild(_ adBreak: KnownBreak, _ tracker: AdTracker, _ context: Context) {
        forget(adBreak.id)
        let view = BreakView.view(of: adBreak, tracker, context)
        var own: [ReportingState: Int] = [:]
        for ad in view.ads { for event in ad.events { own[event.state, default: 0] += 1 } }
        for (state, count) in own { counts[state, default: 0] += count }
        let starts = view.ads.lazy.flatMap { [$0.start] + $0.events.map(\.start) }
        let next = Self.nextChange(of: adBreak, view, after: tracker.position)
        if let next { changesAt = min(changesAt ?? next, next) }
        cached[adBreak.id] = Cached(
            view: view, track: adBreak.track, counts: own, earliest: min(view.start, starts.min() ?? view.start),
            changesAt: next)
    }

    /// The position from which on an event that is idle now may have another state without any document.
    private static func nextChange(of adBreak: KnownBreak, _ view: BreakView, after position: UnixTime?) -> UnixTime? {
        guard adBreak.track == .primary else { return nil }
        var times: [UnixTime] = []
        for (ad, shown) in zip(adBreak.ads, view.ads) {
            for (known, event) in zip(ad.events, shown.events) where event.state == .idle {
                // It is reached; it does not wait for metadata any more; the viewer has no ad to act on.
                let start = known.event.start
                times += [start, start + AdTracker.patience + .milliseconds(1), ad.end]
            }
        }
        guard let position, let last = times.max() else { return times.min() }
        if let next = times.lazy.filter({ $0 > position }).min() { return next }
        return position < last + settling ? position + recheck : nil
    }

    /// Builds the views of breaks known only from markers.
    private mutating func rebuildMarkers(_ join: JoinPart) {
        needsMarkers = false
        needsList = true
        markers = join.result.alone.compactMap { numbers in
            let tracked = numbers.compactMap { join.markers[$0] }
            guard let first = tracked.first, let start = first.start else { return nil }
            let end = tracked.lazy.compactMap(\.expectedEnd).first ?? start
            var view = BreakView(first, start: start, end: max(start, end))
            view.evidence = tracked.compactMap(BreakEvidenceView.init)
            return view
        }
    }

    /// `view` with the markers of its break, if it has any.
    private func evident(_ view: BreakView, _ id: BreakID, _ join: JoinPart) -> BreakView {
        guard let numbers = join.result.markers[id] else { return view }
        var view = view
        if view.evidence.isEmpty {
            let own = BreakEvidenceView(
                source: view.source, name: view.name, start: view.start, duration: view.duration)
            view.evidence = [own]
        }
        view.evidence +=
            numbers.compactMap { join.markers[$0].flatMap(BreakEvidenceView.init) }
        view.differences = join.result.messages[id] ?? []
        view.source += "+\(AdBreak.Source.marker.rawValue)"
        return view
    }
}

/// What a listed view is by the playhead alone: thousands are compared with it at each snapshot, and few change.
private struct BreakPlace {
    let track: AdTrack
    let start: UnixTime
    let end: UnixTime
    let hasVanished: Bool
    /// Whether only markers describe it, so that its times decide whether it is on air.
    let isMarker: Bool
    /// Whether it is an interstitial, and not a break of the metadata that plays with one.
    let isInterstitial: Bool
    /// Whether it is on air as the session has it.
    let isOnAir: Bool

    init(_ view: BreakView, on track: AdTrack) {
        (self.track, start, hasVanished) = (track, view.start, view.hasVanished)
        end = max(view.plannedEnd, view.start + view.duration)
        isMarker = view.source == AdBreak.Source.marker.rawValue
        isInterstitial = view.origin == .interstitial
        isOnAir = view.isOnAir
    }

    /// Why its assets could not be loaded; nil where they could, or are no matter.
    func problem(in context: BreakViews.Context) -> String? { isInterstitial ? context.failures[track] : nil }

    /// Whether it is on air, and over, at the playhead of `context`.
    func air(in context: BreakViews.Context) -> (isOnAir: Bool, hasEnded: Bool) {
        guard track == .primary else { return (isOnAir, !isOnAir && context.over.contains(track)) }
        guard let date = context.date else { return (isOnAir, false) }
        let hasEnded = date >= end
        return (isMarker ? date >= start && !hasEnded : isOnAir, hasEnded)
    }
}
