package import Ports

/// All known breaks of a session, with identities that survive refreshes, reordering and absence.
package struct BreakBook: Sendable {
    /// Maximum number of breaks, ads and events; further ones are dropped. A busy channel has 3,000 in two hours,
    /// 36,000 in a day.
    package static let nodeLimit = 50_000

    /// Ordered by start; tombstones included.
    package internal(set) var breaks: [KnownBreak] = []
    /// Number of breaks, ads and events, tombstones included.
    package internal(set) var nodeCount = 0

    /// Index into ``breaks`` by identity.
    private var places: [BreakID: Int] = [:]

    /// The document that was merged last, unless some of it was refused: until something else changes the book, it changes
    /// nothing.
    var newest: DecodedMetadata?

    let session: String
    private var lastBreak = 0
    private var lastAd = 0
    private var lastEvent = 0

    /// - Parameter session: session id, part of every event's identity.
    package init(session: String) {
        self.session = session
    }

    /// Continues the numbers of an earlier session's book: what a screen, a dump or a log names stays the only one of its name.
    mutating func follow(_ former: BreakBook) {
        (lastBreak, lastAd, lastEvent) = (former.lastBreak, former.lastAd, former.lastEvent)
    }

    package subscript(id: BreakID) -> KnownBreak? { index(of: id).map { breaks[$0] } }

    func index(of id: BreakID) -> Int? { places[id] }

    /// The breaks that metadata lists, or listed before its window moved on, as in the reference library's list.
    package var presentBreaks: [KnownBreak] { breaks.filter { $0.presence != .vanished } }

    /// Packs the events of the ad at that place among those of its break.
    mutating func packAd(at number: Int, of id: BreakID) {
        guard let index = index(of: id) else { return }
        breaks[index].ads[number].pack()
    }

    /// Call after breaks were added, removed or put in another order.
    mutating func findPlaces() {
        places = Dictionary(uniqueKeysWithValues: breaks.lazy.map(\.id).enumerated().map { ($1, $0) })
    }

    mutating func nextBreakID() -> BreakID {
        lastBreak += 1
        return BreakID(lastBreak)
    }

    mutating func nextAdID() -> AdID {
        lastAd += 1
        return AdID(lastAd)
    }

    mutating func nextEventID() -> EventID {
        lastEvent += 1
        return EventID(lastEvent)
    }
}

extension BreakBook {
    /// The ad that a viewer at `playhead` of `track` sees, with its break.
    ///
    /// An ad that touches the end of the data range is still being stitched and counts with its planned length; the
    /// last ad may end a little later, as in all reference libraries (TRK-8, TRK-10). Of two ads, the one with events
    /// is returned.
    /// - Parameter isOther: whether an ad that starts at a date is not shown there.
    package func adOnAir(
        at playhead: UnixTime, on track: AdTrack = .primary, dataRange: DataRange?, slack: Duration,
        without isOther: (UnixTime) -> Bool = { _ in false }
    ) -> (adBreak: KnownBreak, ad: KnownAd)? {
        var ended: (KnownBreak, KnownAd)?
        var silent: (KnownBreak, KnownAd)?
        for adBreak in breaks
        where adBreak.start <= playhead && adBreak.track == track && adBreak.presence != .vanished {
            let dataRange = adBreak.source == .metadata ? dataRange : nil
            for ad in adBreak.ads where ad.start <= playhead && ad.presence != .vanished && !isOther(ad.start) {
                if playhead < ad.expectedEnd(dataRange) {
                    guard ad.eventCount == 0 else { return (adBreak, ad) }
                    silent = silent ?? (adBreak, ad)
                    continue
                }
                if playhead <= ad.end + slack { ended = (adBreak, ad) }
            }
        }
        return silent ?? ended
    }
}

extension KnownAd {
    /// The planned end while the ad is still being stitched; else the stitched end.
    package func expectedEnd(_ dataRange: DataRange?) -> UnixTime {
        guard let dataRange, dataRange.isReached(by: end) else { return end }
        return plannedEnd
    }
}
