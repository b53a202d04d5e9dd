import AdTracking
import Ports
import Screen
import Session

/// One block of a track: a break of the metadata, a cue, or an ad.
struct TimelineBlock: Equatable {
    /// What became of it: glyph and colour of the part that was played.
    enum Outcome: Equatable {
        /// All its beacons are out, or as many as there will be.
        case sent
        /// One or more failed.
        case failed
        /// None failed, and of one or more it is not known whether they arrived.
        case unknown
        /// They were due in observe mode.
        case observed
        /// None was sent: it was not seen, or nothing may be sent.
        case notSent
        /// It has no beacons: a cue, or a break known from markers alone.
        case silent
    }

    /// The index of its break in the snapshot.
    var index: Int
    var label: String
    var start: UnixTime
    var end: UnixTime
    var outcome: Outcome
    var isOnAir = false
    /// Whether its sources contradict each other.
    var isDisputed = false
    /// The most severe finding about it, above notes.
    var finding: Severity?

    /// The role of its label, and of the part that was played.
    var role: Role {
        if outcome == .failed { return .timelineError }
        if outcome == .unknown { return .stateUnknown }
        if isOnAir { return .timelineBreak }
        switch outcome {
        case .sent: return .timelinePast
        case .failed: return .timelineError
        case .unknown: return .stateUnknown
        case .observed: return .stateObserved
        case .notSent: return .stateOff
        case .silent: return .textMuted
        }
    }

    /// Its name.
    var name: SafeText { SafeText(outside: label, columns: 8) }

    /// The sign behind its name where something is wrong with it.
    func sign(_ glyphs: Glyphs) -> SafeText {
        finding != nil || isDisputed ? SafeText(glyphs.warning) : .empty
    }

    /// The glyph of the part that was played.
    func glyph(_ glyphs: Glyphs) -> Glyph {
        switch outcome {
        case .failed: glyphs.lost
        case .unknown: glyphs.cell(.unknown)
        case .observed: glyphs.seen
        case .notSent: isOnAir ? glyphs.past : glyphs.unsent
        case .sent: glyphs.past
        case .silent: glyphs.silent
        }
    }
}

extension TimelineBlock.Outcome {
    /// What is worst decides, then what was sent. While nothing was due yet, nothing is missing.
    init(_ outcome: BreakOutcome) {
        if outcome.lost.failed > 0 {
            self = .failed
        } else if outcome.lost.unknown > 0 {
            self = .unknown
        } else if outcome.done > 0 {
            self = .sent
        } else if outcome.observed > 0 {
            self = .observed
        } else if outcome.total == 0 {
            self = .silent
        } else {
            self = outcome.unsent > 0 ? .notSent : .sent
        }
    }
}

extension TimelineBlock {
    /// The breaks on the strip with their outcomes, in the order of their starts; those known from markers alone only if
    /// `withCues`.
    /// - Parameter findings: the most severe finding about each break, by its index.
    static func breaks(
        of snapshot: Snapshot, _ scale: TimelineScale, withCues: Bool, findings: [Int: Severity] = [:]
    ) -> [TimelineBlock] {
        snapshot.breaks.enumerated().compactMap { index, view in
            // The outcomes of hundreds of breaks are not added up for nothing.
            guard withCues || !view.isCuesOnly, scale.shows(view) else { return nil }
            return TimelineBlock(
                index: index, label: view.label, start: view.start,
                end: max(view.plannedEnd, view.start + view.duration), outcome: Outcome(BreakOutcome(view)),
                isOnAir: view.isOnAir, isDisputed: !view.differences.isEmpty, finding: findings[index])
        }
    }

    /// The cues of the playlist, each with the label of its break.
    /// - Parameter findings: as for ``breaks(of:_:withCues:findings:)``; they are shown here where no other track has the break.
    static func cues(of snapshot: Snapshot, findings: [Int: Severity] = [:]) -> [TimelineBlock] {
        let cue = AdBreak.Source.marker.rawValue
        var blocks: [TimelineBlock] = []
        for (index, view) in snapshot.breaks.enumerated() {
            let finding = view.isCuesOnly ? findings[index] : nil
            for source in view.evidence where source.source == cue {
                let end = source.start + (source.duration ?? .zero)
                blocks.append(
                    TimelineBlock(
                        index: index, label: view.label, start: source.start, end: end, outcome: .silent,
                        finding: finding))
            }
            if view.isCuesOnly, !view.evidence.contains(where: { $0.source == cue }) {
                let end = view.start + view.duration
                blocks.append(
                    TimelineBlock(
                        index: index, label: view.label, start: view.start, end: end, outcome: .silent,
                        finding: finding))
            }
        }
        return blocks
    }

    /// The ads of the breaks on the strip.
    static func ads(of snapshot: Snapshot, _ scale: TimelineScale) -> [TimelineBlock] {
        snapshot.breaks.enumerated().filter { scale.shows($0.element) }.flatMap { index, view in
            view.ads.map { ad in
                TimelineBlock(
                    index: index, label: ad.label, start: ad.start, end: ad.start + ad.duration,
                    outcome: Outcome(BreakOutcome(ad)), isOnAir: ad.isOnAir)
            }
        }
    }
}

extension TimelineScale {
    /// Whether a break, or its label, is on the strip.
    fileprivate func shows(_ view: BreakView) -> Bool {
        let label = 12
        return column(of: max(view.plannedEnd, view.start + view.duration)) + label >= 0
            && column(of: view.start) - label <= width
    }
}
