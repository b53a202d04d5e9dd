package import Ports

/// The finding L62 (an event was played and not sent), reported once nothing can change it.
///
/// An event whose ad metadata does not list at the end of its break may still be sent when a later document has it
/// (TRK-11). Such a break waits until documents can list it no more, or until its beacons are due longer ago than they
/// may be sent.
package struct BreakVerdicts: Sendable {
    /// Maximum number of breaks that wait; with more the oldest are judged by what is known.
    package static let limit = 256

    private var waiting: [BreakID] = []

    package init() {}

    /// The viewer left a break: the findings of reasons that are final.
    package mutating func ended(_ id: BreakID, in tracker: AdTracker) -> [Finding] {
        guard !waiting.contains(id) else { return [] }
        let faults = tracker.playedAndUnsent(in: id)
        var findings = faults.filter { $0.reason != .noMetadataInTime }.map(\.finding)
        guard faults.contains(where: { $0.reason == .noMetadataInTime }) else { return findings }
        waiting.append(id)
        if waiting.count > Self.limit { findings += late(waiting.removeFirst(), in: tracker) }
        return findings
    }

    /// A document was merged: the findings of breaks that it can no longer change.
    package mutating func documentArrived(in tracker: AdTracker) -> [Finding] {
        guard !waiting.isEmpty else { return [] }
        let over = waiting.filter(tracker.isOver)
        waiting.removeAll { over.contains($0) || !tracker.awaitsMetadata($0) }
        return over.flatMap { late($0, in: tracker) }
    }

    /// The session ends: nothing is sent any more.
    package mutating func sessionEnded(in tracker: AdTracker) -> [Finding] {
        defer { waiting = [] }
        return waiting.flatMap { late($0, in: tracker) }
    }

    private func late(_ id: BreakID, in tracker: AdTracker) -> [Finding] {
        tracker.playedAndUnsent(in: id).filter { [.noMetadataInTime, .expired].contains($0.reason) }.map(\.finding)
    }
}

extension AdTracker {
    fileprivate struct Unsent {
        var reason: SkipReason
        var finding: Finding
    }

    /// The timed events of a break that were played and not sent. Events that the viewer seeked over are no fault.
    fileprivate func playedAndUnsent(in id: BreakID) -> [Unsent] {
        let faults: Set<SkipReason> = [
            .rateGate, .noMetadataInTime, .expired, .queueFull, .badURL, .macroUnresolved, .hostNotAllowed,
        ]
        var ads = AdFinder(book)
        let events = (book[id]?.ads ?? []).flatMap(\.events)
        return events.filter { $0.event.eventClass == .time }.compactMap { event in
            guard let status = status(of: event.id), let reason = status.reason, faults.contains(reason),
                let words = status.reasonWords(isUserTriggered: false)
            else { return nil }
            let text = "\(label(of: event.id, &ads)) was not sent: \(words.short)"
            return Unsent(reason: reason, finding: LintRule.neverSent.finding(text).at(place(of: event.id, &ads)))
        }
    }

    fileprivate func awaitsMetadata(_ id: BreakID) -> Bool {
        playedAndUnsent(in: id).contains { $0.reason == .noMetadataInTime }
    }

    /// Whether no document can list the break any more, or its beacons are too late.
    fileprivate func isOver(_ id: BreakID) -> Bool {
        guard let adBreak = book[id] else { return false }
        if let range = dataRange(of: adBreak.source), range.start > adBreak.plannedEnd { return true }
        return position.map { $0 - adBreak.plannedEnd > settings.latestLate } ?? false
    }
}
