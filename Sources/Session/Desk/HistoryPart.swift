import AdTracking
import Ports

/// Notes for the journal's history, kept until the journal is open.
struct HistoryPart {
    /// Maximum number of notes kept while the journal is not open; the oldest are dropped.
    static let waiting = 1_000

    var notes: [JournalNote] = []
    /// The session as last recorded.
    var session: JournalNote.Session?
}

/// Collection of the journal's history. It affects no decision, so nothing else reads it.
extension Desk {
    mutating func keep(_ content: JournalNote.Content, at now: Moment) {
        guard configuration.writesHistory else { return }
        if history.notes.count >= HistoryPart.waiting, journal.state != .open {
            history.notes.removeFirst(HistoryPart.waiting / 2)
        }
        history.notes.append(JournalNote(at: now.wall, content))
    }

    /// Passes the notes of one input to the journal.
    mutating func writeHistory() {
        guard !history.notes.isEmpty else { return }
        effects.append(.writeNotes(history.notes))
        history.notes = []
    }

    /// Records the session if it differs from the last record.
    mutating func keep(_ session: JournalNote.Session, at now: Moment) {
        guard session != history.session else { return }
        history.session = session
        keep(.session(session), at: now)
    }

    mutating func keepPoll(
        _ feed: JournalNote.Poll.Feed, _ exchange: HTTPExchange, changes: MergeReport? = nil, problem: String? = nil,
        at now: Moment
    ) {
        guard configuration.writesHistory else { return }
        keep(
            .poll(
                JournalNote.Poll(
                    feed: feed, status: exchange.status, bytes: exchange.bodyBytes,
                    took: .microseconds(exchange.timings.total), changes: changes?.words, problem: problem)),
            at: now)
    }

    /// Records the breaks and ads that a merge changed.
    mutating func keep(_ merge: MergeReport, in book: BreakBook, at now: Moment) {
        guard configuration.writesHistory, !merge.touched.isEmpty else { return }
        for id in merge.touched.sorted() {
            guard let adBreak = book[id] else { continue }
            keep(.adBreak(JournalNote.Break(adBreak)), at: now)
        }
        var ads = AdFinder(book)
        for place in merge.ads {
            guard let (adBreak, ad) = ads.find(place.adID, in: place.breakID) else { continue }
            keep(.ad(JournalNote.Ad(ad, of: adBreak)), at: now)
        }
    }

    /// Records a beacon that was due and not sent.
    mutating func keep(_ beacon: UnsentBeacon, at now: Moment) {
        keep(.unsent(JournalNote.Unsent(beacon)), at: now)
    }
}

extension JournalNote.Break {
    fileprivate init(_ adBreak: KnownBreak) {
        self.init(
            name: JournalBeacon.text(of: adBreak.name), start: adBreak.start, duration: adBreak.duration,
            source: adBreak.source.rawValue, hasVanished: adBreak.presence == .vanished)
    }
}

extension JournalNote.Ad {
    fileprivate init(_ ad: KnownAd, of adBreak: KnownBreak) {
        self.init(
            breakName: JournalBeacon.text(of: adBreak.name), name: JournalBeacon.text(of: ad.name),
            firstStart: ad.firstStart, start: ad.start, duration: ad.ad.duration,
            hasVanished: ad.presence == .vanished,
            events: ad.events.map {
                JournalNote.Event(type: $0.key.type, start: $0.key.start, urlCount: $0.event.urls.count)
            })
    }
}

extension JournalNote.Unsent {
    fileprivate init(_ beacon: UnsentBeacon) {
        self.init(
            beacon: JournalBeacon(beacon.key), state: beacon.state.rawValue, reason: beacon.reason?.rawValue,
            late: beacon.late)
    }
}

extension MergeReport {
    /// A summary such as `+1 break, +2 ads, 1 moved`; nil when no change is worth recording.
    fileprivate var words: String? {
        var added: [String: Int] = [:]
        var others: [String: Int] = [:]
        for change in changes {
            switch change.kind {
            case .added: added[change.node.noun, default: 0] += 1
            case .moved: others["moved", default: 0] += 1
            case .placed: others["at another place", default: 0] += 1
            case .durationChanged: others["longer or shorter", default: 0] += 1
            case .vanished: others["vanished", default: 0] += 1
            case .returned: others["returned", default: 0] += 1
            case .expired: others["expired", default: 0] += 1
            case .urlAdded, .urlReplaced, .urlRemoved: others["with other URLs", default: 0] += 1
            case .detailsChanged: others["with other details", default: 0] += 1
            }
        }
        let new = ["break", "ad", "event"].compactMap { noun in added[noun].map { "+\($0.counted(noun))" } }
        let rest = others.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let more = changesDropped > 0 ? ["and \(changesDropped) more"] : []
        let words = new + rest + more
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension MergeChange.Node {
    fileprivate var noun: String {
        switch self {
        case .adBreak: "break"
        case .ad: "ad"
        case .event: "event"
        }
    }
}
