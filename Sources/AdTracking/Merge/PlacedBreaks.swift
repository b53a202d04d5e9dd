import Ports

/// Breaks that no metadata document lists: whoever decides about them says each by itself when it comes and goes.
extension BreakBook {
    /// Takes in breaks of one source. Names are unique within it: a known one is refreshed however far it moved. Those
    /// without a name are found as in documents.
    mutating func place(
        _ new: [AdBreak], by source: AdBreak.Source, playhead: UnixTime?, keep: Duration
    ) -> MergeReport {
        var report = MergeReport()
        let own = breaks.indices.filter { breaks[$0].source == source }
        let pairs = NodeMatch.pairs(known: own.map { breaks[$0].placedCandidate }, new: new.map(\.placedCandidate))
        let added = take(new, as: pairs.map { $0.map { own[$0] } }, range: nil, &report)
        if let playhead { expire(before: playhead - keep, &report) }
        sort(adding: added)
        return report
    }

    /// Breaks are on other clocks than was thought: their events are looked for there from now on.
    mutating func move(_ tracks: [BreakID: AdTrack]) -> MergeReport {
        var report = MergeReport()
        for index in breaks.indices {
            let id = breaks[index].id
            guard let track = tracks[id], track != breaks[index].track else { continue }
            breaks[index].track = track
            report.touched.insert(id)
            report.ads += breaks[index].ads.map { MergeReport.AdPlace(breakID: id, adID: $0.id) }
        }
        return report
    }

    /// Breaks of one source are taken back: they stay as tombstones, as those that vanish from documents.
    mutating func withdraw(_ names: Set<String>, by source: AdBreak.Source) -> MergeReport {
        var report = MergeReport()
        for index in breaks.indices where breaks[index].source == source && breaks[index].presence != .vanished {
            guard let name = breaks[index].name.given, names.contains(name) else { continue }
            breaks[index].presence = .vanished
            let id = breaks[index].id
            report.note(.vanished, .adBreak, of: id, breaks[index].subject)
            report.ads += breaks[index].ads.map { MergeReport.AdPlace(breakID: id, adID: $0.id) }
        }
        return report
    }
}

/// A name alone decides: as if all that have one started at the same time.
extension AdBreak {
    fileprivate var placedCandidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name, start: name == nil ? start : .init(microseconds: 0)) {
            Set(ads.lazy.flatMap(\.events).flatMap(\.urls))
        }
    }
}

extension KnownBreak {
    fileprivate var placedCandidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name.given, start: name.given == nil ? start : .init(microseconds: 0)) {
            Set(ads.lazy.flatMap(\.events).flatMap(\.event.urls))
        }
    }
}
