import HLS
import Ports
import Testing

/// A timeline that another process continues: the same media has the same position (HLS-11).
@Suite struct TimelineAnchorTests {
    /// Lengths of the segments by number: of different lengths, so that a count of segments is not enough.
    private static func lengths(from first: Int, count: Int = 8) -> [Double] {
        (first..<first + count).map { $0.isMultiple(of: 3) ? 2.5 : 6 }
    }

    private static func start(of number: Int) -> Double { lengths(from: 0, count: number).reduce(0, +) }

    private static func playlist(_ first: Int, isDated: Bool, edit: (inout MediaPlaylist) -> Void = { _ in })
        -> MediaPlaylist
    {
        listing(first, lengths(from: first), date: isDated ? start(of: first) : nil, edit: edit)
    }

    private static func follower(of playlists: [MediaPlaylist], continuing anchor: TimelineAnchor? = nil)
        -> PlaylistFollower
    {
        var follower = PlaylistFollower()
        if let anchor { follower.continues(anchor) }
        for (index, playlist) in playlists.enumerated() {
            let moment = Moment(wall: .second(Double(index)), uptime: .seconds(index))
            _ = follower.noteParsed(
                ParsedPlaylist(uri: "u", kind: .media(playlist), findings: []), ReloadExchange(requested: moment))
        }
        return follower
    }

    /// With dates any number of segments may have been missed in between; without, the anchor must still be listed.
    @Test(arguments: [true, false], [20, 21, 23, 24]) func positionsContinue(isDated: Bool, first: Int) throws {
        let earlier = Self.follower(of: (10...20).map { Self.playlist($0, isDated: isDated) })
        let anchor = try #require(earlier.timeline.anchor)
        let later = Self.follower(
            of: [Self.playlist(first, isDated: isDated), Self.playlist(first + 1, isDated: isDated)], continuing: anchor
        )
        for number in first..<first + 9 {
            let start = try #require(later.timeline.segment(sequence: number)?.start)
            #expect(start == .second(Self.start(of: number) - Self.start(of: 10)), "segment \(number)")
        }
    }

    /// A process may have to hand it on again before it has read a playlist.
    @Test(arguments: [true, false]) func itIsHandedOnUnread(isDated: Bool) throws {
        let anchor = try #require(Self.follower(of: [Self.playlist(10, isDated: isDated)]).timeline.anchor)
        #expect(Self.follower(of: [], continuing: anchor).timeline.anchor == anchor)
        #expect(Self.follower(of: []).timeline.anchor == nil)
    }

    @Test func aMissedStretchIsBridgedByDates() throws {
        let earlier = Self.follower(of: [Self.playlist(10, isDated: true)])
        let anchor = try #require(earlier.timeline.anchor)
        let later = Self.follower(of: [Self.playlist(400, isDated: true)], continuing: anchor)
        #expect(later.timeline.window?.start == .second(Self.start(of: 400) - Self.start(of: 10)))
    }

    /// Without dates, segments that nobody saw count as one target duration each, as within one process.
    @Test func aMissedStretchWithoutDatesIsCounted() throws {
        let earlier = Self.follower(of: [Self.playlist(10, isDated: false)])
        let anchor = try #require(earlier.timeline.anchor)
        let later = Self.follower(of: [Self.playlist(40, isDated: false)], continuing: anchor)
        #expect(later.timeline.window?.start == anchor.start + .seconds(6 * (40 - anchor.sequence)))
    }

    /// A packager that began again has the same numbers for other media: its dates decide.
    @Test func numbersThatBeganAgainAreNotTaken() throws {
        let earlier = Self.follower(of: [Self.playlist(10, isDated: true)])
        let anchor = try #require(earlier.timeline.anchor)
        let again = listing(anchor.sequence, Self.lengths(from: 0), date: 5_000)
        let later = Self.follower(of: [again], continuing: anchor)
        #expect(later.timeline.window?.start == .second(5_000 - Self.start(of: 10)))
    }

    /// Dates that a stream without any was given count from position 0.
    @Test func datesOfAStreamWithoutAnyContinue() throws {
        var earlier = PlaylistFollower()
        earlier.date(zero: .second(100))
        let moment = Moment(wall: .second(0), uptime: .zero)
        _ = earlier.noteParsed(
            ParsedPlaylist(uri: "u", kind: .media(Self.playlist(10, isDated: false)), findings: []),
            ReloadExchange(requested: moment))
        let anchor = try #require(earlier.timeline.anchor)
        let later = Self.follower(of: [Self.playlist(12, isDated: false)], continuing: anchor)
        #expect(later.timeline.window?.startDate == .second(100 + Self.start(of: 12) - Self.start(of: 10)))
    }

    /// Where lists have no date any more, those of the media before continue, too.
    @Test func datesOfEarlierListsContinue() throws {
        let earlier = Self.follower(of: (10...14).map { Self.playlist($0, isDated: $0 == 10) })
        let anchor = try #require(earlier.timeline.anchor)
        #expect(anchor.sequence == 20)
        let later = Self.follower(of: (14...15).map { Self.playlist($0, isDated: false) }, continuing: anchor)
        #expect(later.timeline.window?.start == .second(Self.start(of: 15) - Self.start(of: 10)))
        #expect(later.timeline.window?.startDate == .second(Self.start(of: 15)))
        #expect(later.timeline.window?.endDate == .second(Self.start(of: 23)))
    }

    /// It is stored whenever it changes. One without a date has to be listed for a time to come.
    @Test(arguments: [true, false]) func theAnchorChangesSeldom(isDated: Bool) throws {
        var follower = PlaylistFollower()
        var anchors: [TimelineAnchor] = []
        for first in 10..<210 {
            let moment = Moment(wall: .second(Double(first)), uptime: .seconds(first))
            _ = follower.noteParsed(
                ParsedPlaylist(uri: "u", kind: .media(Self.playlist(first, isDated: isDated)), findings: []),
                ReloadExchange(requested: moment))
            let anchor = try #require(follower.timeline.anchor)
            #expect(isDated || anchor.sequence >= first + 4)
            if anchors.last != anchor { anchors.append(anchor) }
        }
        #expect(anchors.count <= (isDated ? 5 : 51))
        #expect(Timeline().anchor == nil)
    }

    /// Dates that jump do not lead from a segment before the jump to one after it.
    @Test func theAnchorIsBehindTheLastJump() throws {
        let jumping = (10...20).map { first in
            Self.playlist(first, isDated: true) {
                if first <= 15, 15 < first + 8 { $0.jumpDates(from: 15 - first, by: 300) }
            }
        }
        let earlier = Self.follower(of: Array(jumping.prefix(6)))
        let anchor = try #require(earlier.timeline.anchor)
        #expect(anchor.sequence == 15)
        let missed = listing(60, Self.lengths(from: 60), date: Self.start(of: 60) + 300)
        let later = Self.follower(of: [missed], continuing: anchor)
        #expect(later.timeline.window?.start == .second(Self.start(of: 60) - Self.start(of: 10)))
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max]) func extremesDoNotTrap(number: Int64) {
        let anchor = TimelineAnchor(
            sequence: Int(number), start: StreamTime(microseconds: number), date: UnixTime(microseconds: number))
        for isDated in [true, false] {
            let later = Self.follower(of: [Self.playlist(10, isDated: isDated)], continuing: anchor)
            #expect(later.timeline.listed.count == 8)
        }
    }
}
