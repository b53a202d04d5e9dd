import Ports

extension BreakBook {
    /// The media of the stream has other dates, and its ads with it: moves all breaks that documents and date ranges date, so that the next
    /// document finds them where it lists them.
    /// - Returns: the events that moved.
    mutating func redate(by shift: Duration, _ report: inout MergeReport) -> [EventID] {
        var events: [EventID] = []
        for index in breaks.indices where breaks[index].track == .primary && breaks[index].source.givesDates {
            let known = breaks[index]
            breaks[index].redate(by: shift)
            let moved = breaks[index]
            if known.presence == .present {
                report.note(
                    .start(from: known.start, to: moved.start, byPlaylist: true), .adBreak, of: known.id, known.subject)
            }
            report.touched.insert(known.id)
            report.ads += known.ads.map { MergeReport.AdPlace(breakID: known.id, adID: $0.id) }
            events += known.ads.flatMap(\.eventIDs)
        }
        newest = nil
        sort(adding: [])
        return events
    }
}

extension AdBreak.Source {
    /// Whether it dates its breaks itself; others are placed where the media is.
    fileprivate var givesDates: Bool { self == .metadata || self == .signaling }
}

extension KnownBreak {
    fileprivate mutating func redate(by shift: Duration) {
        start += shift
        for ad in ads.indices { ads[ad].redate(by: shift) }
    }
}

extension KnownAd {
    fileprivate mutating func redate(by shift: Duration) {
        ad.move(by: shift)
        ad.signaled?.start += shift
        for event in events.indices { events[event].event.start += shift }
    }
}
