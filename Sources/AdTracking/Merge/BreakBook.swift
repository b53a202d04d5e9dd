package import Ports

/// All breaks a session knows, with identities that survive refreshes, reordering and absence.
package struct BreakBook: Sendable {
    /// Breaks, ads and events kept at most; what goes beyond is not taken.
    package static let nodeLimit = 200_000

    /// By start; tombstones included.
    package internal(set) var breaks: [KnownBreak] = []
    /// Breaks, ads and events, tombstones included.
    package internal(set) var nodeCount = 0

    let session: String
    private var lastBreak = 0
    private var lastAd = 0
    private var lastEvent = 0

    /// - Parameter session: the session id, part of every event's identity.
    package init(session: String) {
        self.session = session
    }

    package subscript(id: BreakID) -> KnownBreak? { breaks.first { $0.id == id } }

    /// What metadata lists now or did before its window moved on, as the reference library's list shows it.
    package var presentBreaks: [KnownBreak] { breaks.filter { $0.presence != .vanished } }

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
    /// The ad a viewer at `playhead` of `track` sees, with its break.
    ///
    /// An ad that touches the end of the data range is still being stitched and lasts as long as planned; after the
    /// last ad's end there is a slack, as in all reference libraries (TRK-8, TRK-10). Of two, one that has
    /// something to report counts.
    package func adOnAir(
        at playhead: UnixTime, on track: AdTrack = .primary, dataRange: DataRange?, slack: Duration
    ) -> (adBreak: KnownBreak, ad: KnownAd)? {
        var ended: (KnownBreak, KnownAd)?
        var silent: (KnownBreak, KnownAd)?
        for adBreak in breaks
        where adBreak.start <= playhead && adBreak.track == track && adBreak.presence != .vanished {
            let dataRange = adBreak.source == .metadata ? dataRange : nil
            for ad in adBreak.ads where ad.start <= playhead && ad.presence != .vanished {
                if playhead < ad.expectedEnd(dataRange) {
                    guard ad.events.isEmpty else { return (adBreak, ad) }
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
    /// The planned end while the ad is still being stitched, else the stitched end.
    package func expectedEnd(_ dataRange: DataRange?) -> UnixTime {
        guard let dataRange, end >= dataRange.end else { return end }
        return plannedEnd
    }
}
