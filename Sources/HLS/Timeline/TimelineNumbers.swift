import Ports

/// Playlists whose numbers cannot be believed: a packager that restarts under the same names, and one whose list moves
/// while EXT-X-MEDIA-SEQUENCE does not (HLS-28).
extension Timeline {
    /// Media by which earlier copies of an undated playlist must have grown in a row, in target durations, before they
    /// count as a restarted packager. A cache that lags grows as well, but is up to date before long.
    static let restartFactor = 3
    /// Comparisons that a search for the place of a list makes, and further ones for each segment: media of one name, without dates,
    /// could cost the product of both lists.
    private static let comparisons = 1 << 18
    private static let comparisonsPerSegment = 16
    /// How many windows a copy may be older than the first known segment.
    private static let oldestCopy: Int64 = 2

    /// What earlier copies of the held playlist showed since it last grew.
    struct OldCopies: Equatable, Sendable {
        /// The last number from which they grow: that of the first one, or the highest one before a copy went back.
        var first: Int
        /// The highest last number.
        var newest: Int
    }

    /// Whether `playlist` is an earlier state of the held one, and not the beginning of a new one.
    mutating func isOldCopy(_ playlist: MediaPlaylist) -> Bool {
        guard ignoresOldCopies, resembles(playlist) else {
            oldCopies = nil
            return false
        }
        // With dates, an equal list is an old one: a packager that restarts has other dates.
        guard playlist.segments.allSatisfy({ $0.date == nil }), let newest = playlist.segments.last?.sequence else {
            return true
        }
        var copies = oldCopies ?? OldCopies(first: newest, newest: newest)
        // Caches that lag by different amounts go back again and again; one packager does not.
        if newest < copies.newest { copies.first = copies.newest }
        copies.newest = max(copies.newest, newest)
        let grown = Int64(newest.subtractingSaturating(copies.first))
            .multipliedSaturating(by: (targetDuration ?? .zero).inMicroseconds)
        oldCopies = copies
        return grown < ((targetDuration ?? .zero) * Self.restartFactor).inMicroseconds || grown <= 0
    }

    /// Whether `playlist` lists only known segments with the same resources and dates, and ends before the held one.
    private func resembles(_ playlist: MediaPlaylist) -> Bool {
        guard let held = self.playlist, !held.segments.isEmpty, isBehind(playlist, held), !playlist.isComplete,
            let first = playlist.segments.first
        else { return false }
        guard let start = index(ofSequence: first.sequence) else { return precedes(playlist) }
        return start + playlist.segments.count <= segments.count && isKnown(playlist.segments[...], from: start)
    }

    private func isKnown(_ listed: ArraySlice<MediaSegment>, from start: Int) -> Bool {
        zip(segments[start...], listed).allSatisfy { known, listed in
            known.sequence == listed.sequence && known.isSameMedia(as: listed)
                && (listed.date == nil || known.dateSource != nil)
        }
    }

    /// Whether `playlist` begins before what is known: its dates and numbers lead to the first known segment, as those of a copy do that
    /// is older than the window. A packager that restarts has later dates.
    private func precedes(_ playlist: MediaPlaylist) -> Bool {
        guard let known = segments[epochStart...].first, let date = known.date else { return false }
        let earlier = playlist.segments.prefix { $0.sequence < known.sequence }
        guard let last = earlier.last, let lastDate = last.date, earlier.allSatisfy({ $0.date != nil }) else {
            return false
        }
        let gap = date - (lastDate + last.duration)
        let missing = Int64(known.sequence.subtractingSaturating(last.sequence)) - 1
        // A channel that begins its loop again has its old dates, too.
        guard missing <= Int64(playlist.segments.count) * Self.oldestCopy else { return false }
        let room = Duration.microseconds(
            missing.multipliedSaturating(by: max(.zero, targetDuration ?? .zero).inMicroseconds))
        return gap >= .zero - Self.dateTolerance && gap <= room + Self.dateTolerance
            && isKnown(playlist.segments[earlier.endIndex...], from: epochStart)
    }

    /// Whether a list that begins before the window is known from there on and reaches as far: one instance of a server may keep more
    /// segments than another.
    func continuesKnown(_ playlist: MediaPlaylist) -> Bool {
        guard ignoresOldCopies, let first = playlist.segments.first, let last = playlist.segments.last,
            let known = segments.last, last.sequence >= known.sequence, let start = index(ofSequence: first.sequence)
        else { return false }
        return isKnown(playlist.segments[...], from: start)
    }

    /// Whether a channel that had ended lists other media under numbers of its past (HLS-32).
    func beginsAgain(_ playlist: MediaPlaylist, after held: MediaPlaylist) -> Bool {
        guard ignoresOldCopies, held.isComplete, !playlist.isComplete, let first = playlist.segments.first else {
            return false
        }
        if isBehind(playlist, held) { return true }
        return index(ofSequence: first.sequence).map { !segments[$0].isSameMedia(as: first) } ?? false
    }

    /// `playlist` with numbers that continue the known ones, if its list moved and EXT-X-MEDIA-SEQUENCE did not, or if another origin
    /// has other numbers for the same media.
    mutating func renumbered(_ playlist: MediaPlaylist) -> (playlist: MediaPlaylist, finding: Finding?) {
        guard ignoresOldCopies, playlist.skip == nil, let first = playlist.segments.first else {
            return (playlist, nil)
        }
        let lagBefore = numberLag
        let known = index(ofSequence: first.sequence.addingSaturating(numberLag))
        let isUnknown = numberLag != 0 || isFarAhead(first) || isBeforeKnown(playlist)
        if known.map({ !segments[$0].isSameMedia(as: first) }) ?? isUnknown {
            if let place = Self.place(of: playlist.segments, in: segments[epochStart...]) {
                numberLag = segments[place].sequence.subtractingSaturating(first.sequence)
            } else if let last = segments.last, last.isFollowed(by: first) {
                numberLag = last.sequence.addingSaturating(1).subtractingSaturating(first.sequence)
            }
        }
        guard numberLag != 0 else { return (playlist, nil) }
        var moved = playlist
        for index in moved.segments.indices {
            moved.segments[index].sequence = moved.segments[index].sequence.addingSaturating(numberLag)
        }
        for index in moved.cuePoints.indices {
            moved.cuePoints[index].sequence = moved.cuePoints[index].sequence.addingSaturating(numberLag)
        }
        for index in moved.trailingParts.indices {
            moved.trailingParts[index].sequence = moved.trailingParts[index].sequence.addingSaturating(numberLag)
        }
        // Numbers that fell are those of another origin.
        let isStuck = numberLag > lagBefore && playlist.mediaSequence >= self.playlist?.mediaSequence ?? .min
        return (moved, isStuck ? SequenceRules.stuckNumbers(playlist, lag: numberLag) : nil)
    }

    private func isFarAhead(_ first: MediaSegment) -> Bool {
        segments.last.map { first.sequence > $0.sequence.addingSaturating(1) } ?? false
    }

    /// Whether the numbers begin before all known ones. Without dates they may be those of a packager that began again under the same
    /// names.
    private func isBeforeKnown(_ playlist: MediaPlaylist) -> Bool {
        guard let first = playlist.segments.first, let known = segments[epochStart...].first else { return false }
        return first.sequence < known.sequence && playlist.segments.allSatisfy { $0.date != nil }
    }

    /// Index of the known segment that a list begins with; all that follow must be known in the same order. Nil as well if too many
    /// places have to be compared: then the numbers are believed.
    static func place(of listed: [MediaSegment], in known: ArraySlice<TimelineSegment>) -> Int? {
        guard !listed.isEmpty else { return nil }
        var left = comparisons + comparisonsPerSegment * (known.count + listed.count)
        for start in known.indices {
            let count = min(known.endIndex - start, listed.count)
            let same = (0..<count).prefix { known[start + $0].isSameMedia(as: listed[$0]) }.count
            if same == count { return start }
            left -= same + 1
            if left < 0 { return nil }
        }
        return nil
    }
}

extension TimelineSegment {
    /// Whether `listed` is the same media: resource, bytes of it, and date. Media without bytes or date of its own cannot
    /// be distinguished from other media under the same name.
    func isSameMedia(as listed: MediaSegment) -> Bool {
        hasSameResource(as: listed) && byteRange == listed.byteRange
            && (dateSource == nil || listed.date == nil || !accepts(listed.dateSource)
                || Timeline.isContinuous(from: date, to: listed.date))
    }

    /// Whether `listed` comes after it in the same resource.
    fileprivate func isFollowed(by listed: MediaSegment) -> Bool {
        guard let end = byteRange?.end, let range = listed.byteRange else { return false }
        return hasSameResource(as: listed) && end <= range.offset
    }
}
