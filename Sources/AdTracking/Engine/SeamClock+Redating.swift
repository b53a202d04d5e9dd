import Ports

extension SeamClock {
    /// The same media, and the ads with it, have other dates from now on. The steps ahead are looked for again with each playlist.
    mutating func redate(by shift: Duration) {
        hold?.redate(by: shift)
        for index in seams.indices { seams[index].redate(by: shift) }
        undecided.redate(by: shift)
        mediaEnd = mediaEnd.map { $0 + shift }
        podEnd = podEnd.map { $0 + shift }
    }

    /// `stretch` was played, without a look at ads.
    mutating func follow(_ stretch: PlayedStretch) {
        if let end = mediaEnd, stretch.isSeamless, let last = seams.indices.last,
            seams[last].through >= min(end, stretch.from)
        {
            seams[last].through = max(seams[last].through, stretch.through)
        }
        mediaEnd = stretch.through
        show(through: stretch.through)
    }
}

extension SeamClock.Hold {
    fileprivate mutating func redate(by shift: Duration) {
        run.adStart += shift
        run.start += shift
        run.end += shift
        seam += shift
    }
}

extension SeamClock.Seam {
    fileprivate mutating func redate(by shift: Duration) {
        end += shift
        next += shift
        through += shift
        listed += shift
        begins = begins.map { $0 + shift }
        later = later.map { $0 + shift }
        until += shift
        shown += shift
    }
}
