package import Ports

/// A segment whose place on the timeline of one viewer is known, so that the timeline of another process continues it (HLS-11): the same
/// media has the same position in both.
package struct TimelineAnchor: Hashable, Sendable {
    /// Media sequence number.
    package var sequence: Int
    package var start: StreamTime
    /// Date of its start; nil in a stream without dates.
    package var date: UnixTime?
    /// The date of position 0 in a stream whose playlists have no dates, where its segments get one all the same; else nil (HLS-15).
    package var dateOfZero: UnixTime?

    package init(sequence: Int, start: StreamTime, date: UnixTime? = nil, dateOfZero: UnixTime? = nil) {
        (self.sequence, self.start, self.date, self.dateOfZero) = (sequence, start, date, dateOfZero)
    }

    /// Position of the first segment of a playlist: by the segment if it is listed, else by its date, else by its number.
    func start(of playlist: MediaPlaylist) -> StreamTime {
        guard let first = playlist.segments.first else { return start }
        if let listed = playlist.segments.first(where: { $0.sequence == sequence }), isDated(as: listed) {
            return start - listed.start
        }
        if let date, let newDate = first.date { return start + (newDate - date) }
        let distance = Int64(max(0, first.sequence.subtractingSaturating(sequence)))
        let target = max(.zero, playlist.targetDuration ?? first.duration).inMicroseconds
        return start + .microseconds(distance.multipliedSaturating(by: target))
    }

    /// The date at `position`, counted on from its own; nil without one.
    func date(at position: StreamTime) -> UnixTime? {
        date.map { $0 + (position - start) }
    }

    /// Whether a listed segment of the number may be the same: a packager that began again gives numbers a second time.
    private func isDated(as listed: MediaSegment) -> Bool {
        guard dateOfZero == nil, listed.date != nil else { return true }
        return Timeline.isContinuous(from: date, to: listed.date)
    }
}

extension Timeline {
    /// Number of segments after which the anchor of a stream with dates changes.
    private static let anchorDistance = 64

    /// The anchor for another process that continues this timeline; before the first segment that of the process which is continued itself,
    /// nil without one. It is stored whenever it changes, so that it is
    /// to change seldom: dates lead from any segment to the listed ones, unless they jump in between, but where lists begin without a date
    /// it has to be listed for a time to come.
    package var anchor: TimelineAnchor? {
        guard let last = segments.last else { return continued }
        let hasDates = last.date != nil && dateOfZero == nil
        let isDatedByList = hasDates && playlist?.segments.first?.dateSource == .explicit
        let every = isDatedByList ? Self.anchorDistance : max(1, listed.count / 2)
        let epoch = segments[epochStart...]
        var index = epoch.lastIndex { $0.sequence.isMultiple(of: every) } ?? epoch.startIndex
        for next in epoch.indices.suffix(from: index).dropFirst()
        where !Self.isContinuous(from: segments[next - 1].endDate, to: segments[next].date) {
            index = next
        }
        return TimelineAnchor(
            sequence: segments[index].sequence, start: segments[index].start,
            date: hasDates ? segments[index].date : nil,
            dateOfZero: dateOfZero)
    }

    /// Continues the timeline of another process: takes effect with the first playlist.
    mutating func continues(_ anchor: TimelineAnchor) {
        (continued, dateOfZero) = (anchor, anchor.dateOfZero)
    }
}
