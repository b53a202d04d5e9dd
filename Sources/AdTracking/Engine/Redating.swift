import Ports

/// Corrections of dates: a packager dates segments that were listed before again, and the service the ads in them (TRK-33).
///
/// Both do so at the same time, but playlist and metadata arrive one after the other. Until both are known, ads keep their place in the
/// media.
struct Redating: Sendable {
    /// The playlist has other dates for known media, and metadata has not.
    struct Pending: Sendable {
        /// New date of the media minus date in metadata.
        var shift: Duration
        /// What was played of the stream, in the dates of the newest playlist.
        private(set) var track: TrackPlay

        init(_ track: TrackPlay) { (shift, self.track) = (.zero, track) }

        mutating func redate(by shift: Duration) {
            self.shift += shift
            track.redate(by: shift)
        }

        /// `stretch`, in dates of the playlist, was played.
        mutating func play(_ stretch: PlayedStretch, _ policy: TrackingPolicy, in mode: ReportingMode) {
            track.position = stretch.through
            track.isAtEnd = false
            guard policy.rates.contains(stretch.rate) else {
                track.openEnd = nil
                track.scrub(stretch)
                track.clock.scrub(stretch)
                return
            }
            if let end = track.openEnd, policy.isContinuous(end, stretch.from) {
                track.proceed(with: stretch, from: end, in: mode)
            } else {
                track.showElsewhere(stretch)
                track.begin(with: stretch, in: mode)
            }
            track.clock.follow(stretch)
        }

        mutating func clean(keep: Duration) { track.clean(keep: keep) }

        mutating func jump(to position: UnixTime?) {
            track.openEnd = nil
            track.jump(to: position)
        }
    }

    var pending: Pending?
    /// When the newest document arrived.
    private var documentAt: Duration?
    /// Whether the newest document has other dates for all breaks that the one before it listed, too.
    private(set) var hasDocumentMoved = false

    /// A document arrived after `former`.
    mutating func take(_ document: DecodedMetadata, after former: DecodedMetadata?, slack: Duration, at now: Moment) {
        hasDocumentMoved = shift(from: former, to: document, slack: slack, at: now) != nil
        documentAt = now.uptime
    }

    /// How far all breaks moved that both documents list by name, if the data range moved so, too, beside the time that passed; else nil.
    func shift(
        from former: DecodedMetadata?, to document: DecodedMetadata, slack: Duration, at now: Moment
    ) -> Duration? {
        guard let former, let old = former.dataRange, let new = document.dataRange, let documentAt else { return nil }
        let known = Dictionary(grouping: former.breaks, by: \.name)
        let shifts = document.breaks.compactMap { adBreak -> Duration? in
            guard adBreak.name != nil, let same = known[adBreak.name], same.count == 1 else { return nil }
            return adBreak.start - same[0].start
        }
        guard let shift = shifts.first, shift.magnitude > slack,
            shifts.allSatisfy({ ($0 - shift).magnitude <= slack })
        else { return nil }
        let passed = now.uptime - documentAt
        let moved = [new.start - old.start, new.end - old.end].map { $0 - passed }
        return moved.allSatisfy { ($0 - shift).magnitude < $0.magnitude } ? shift : nil
    }
}
