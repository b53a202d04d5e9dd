import AdTracking
import Ports

/// What each document changed in each break. Nothing depends on it: it is for people.
struct GrowthPart: Sendable {
    /// Most steps kept of a break: the one that brought it, and the newest.
    static let stepsKept = 16

    private var growths: [BreakID: BreakGrowth] = [:]

    /// What is known of a break.
    func growth(of id: BreakID) -> BreakGrowth { growths[id] ?? BreakGrowth() }

    /// Notes what a document changed.
    /// - Parameters:
    ///   - poll: number of the answer; nil where no poll brought it.
    ///   - ping: number of the ping whose answer it is; nil for any other.
    ///   - date: where the viewer is on the dates of the stream; nil without dates.
    /// - Returns: the breaks that have a new step.
    mutating func noted(
        _ merge: MergeReport, poll: Int?, ping: Int?, viewerAt date: UnixTime?, in book: BreakBook, at now: Moment
    ) -> [BreakID] {
        var steps: [BreakID: GrowthStep] = [:]
        for change in merge.changes {
            if case .adBreak = change.node, change.kind == .expired {
                growths[change.breakID] = nil
                continue
            }
            // Breaks that only date ranges describe come with the playlist, and are not listed by documents.
            guard let adBreak = book[change.breakID], adBreak.source != .signaling else { continue }
            let new = GrowthStep(poll: poll, ping: ping, at: now)
            steps[change.breakID, default: new].take(change, of: adBreak, viewerAt: date)
        }
        let new = steps.filter { !$0.value.isEmpty }
        for (id, step) in new { growths[id, default: BreakGrowth()].append(step, kept: Self.stepsKept) }
        return new.keys.sorted()
    }
}

extension BreakGrowth {
    fileprivate mutating func append(_ step: GrowthStep, kept limit: Int) {
        steps.append(step)
        guard steps.count > limit else { return }
        steps.remove(at: 1)
        omitted += 1
    }
}

extension GrowthStep {
    fileprivate mutating func take(_ change: MergeChange, of adBreak: KnownBreak, viewerAt date: UnixTime?) {
        switch (change.node, change.kind) {
        case (.adBreak, .added): length = Lengths(from: nil, to: adBreak.duration)
        case (.adBreak, .durationChanged(let from, let to)): length = Lengths(from: length?.from ?? from, to: to)
        case (.adBreak, .moved(let from, let to)), (.adBreak, .placed(let from, let to)): moved = to - from
        case (.ad(let id), .added): take(adBreak.ads.first { $0.id == id }, of: adBreak, viewerAt: date)
        case (.event(let adID, let id), .added):
            newEventCount += 1
            let event = adBreak.ads.first { $0.id == adID }?.events.first { $0.id == id }
            if let event, event.event.eventClass == .time {
                note(event.event.start, on: adBreak.track, viewerAt: date)
            }
        case (_, .vanished): vanishedCount += 1
        case (_, .returned): returnedCount += 1
        case (_, .urlAdded), (_, .urlReplaced), (_, .urlRemoved): changedURLCount += 1
        case (_, .added), (_, .moved), (_, .placed), (_, .durationChanged), (_, .expired), (_, .detailsChanged): break
        }
    }

    private mutating func take(_ ad: KnownAd?, of adBreak: KnownBreak, viewerAt date: UnixTime?) {
        guard let ad else { return }
        newAdCount += 1
        if newAds.count < Self.namesKept { newAds.append(ad.name.text) }
        note(ad.start, on: adBreak.track, viewerAt: date)
    }

    /// The dates of an interstitial are not those of the viewer of the stream.
    private mutating func note(_ start: UnixTime, on track: AdTrack, viewerAt date: UnixTime?) {
        guard track == .primary, let date, date > start else { return }
        late = max(late ?? .zero, date - start)
    }
}
