import Ports

/// Breaks that no metadata document lists: their owner places and withdraws each one.
extension BreakBook {
    /// Places breaks of one source. Names are unique within a source: a break with a known name is refreshed however
    /// far it moved. Breaks without a name are matched as in documents.
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

    /// Moves breaks to other clocks, where their events are due from now on.
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

    /// Withdraws breaks of one source: they stay as tombstones, like breaks that vanish from documents.
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

/// Matching by name alone: all breaks with a name compare as if they started at the same time.
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
