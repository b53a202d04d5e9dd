import HLS
import Ports
import Testing

/// Interstitials across reloads (HLS-21).
@Suite struct InterstitialTrackTests {
    private static func playlist(_ tags: String...) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00.000Z\n"
        for tag in tags { text += tag + "\n" }
        for number in 0..<8 { text += "#EXTINF:6,\nseg\(number).ts\n" }
        let parsed = PlaylistParser.parse(Array(text.utf8), uri: "https://h/media.m3u8")
        return try #require(parsed.media)
    }

    private static let first =
        #"#EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-01T00:00:20.000Z","#
        + #"DURATION=30,X-ASSET-URI="https://h/ad.m3u8",X-RESTRICT="SKIP""#

    /// The first tag has left the playlist; what is listed is its update, with or without CLASS.
    @Test(arguments: [#",CLASS="com.apple.hls.interstitial""#, ""])
    func anUpdateAloneChangesWhatItHas(rangeClass: String) throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        _ = timeline.fold(try Self.playlist(Self.first))
        track.fold(timeline, playhead: .zero)
        let update = #"#EXT-X-DATERANGE:ID="a"\#(rangeClass),X-PLAYOUT-LIMIT=5,X-RESUME-OFFSET=12"#
        _ = timeline.fold(try Self.playlist(update))
        track.fold(timeline, playhead: .zero)
        let definition = try #require(track[id: "a"]).definition
        #expect(definition.playoutLimit == .seconds(5))
        #expect(definition.resumeOffset == .seconds(12))
        #expect(definition.assetURI == "https://h/ad.m3u8")
        #expect(definition.restrict == [.skip])
        #expect(track[id: "a"]?.isListed == true)
    }

    private static func tag(_ id: String, start: Int = 20, list: String = "https://h/list?d=1") -> String {
        #"#EXT-X-DATERANGE:ID="\#(id)",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-01T00:00:\#(start).000Z","#
            + #"DURATION=12,X-ASSET-LIST="\#(list)&_HLS_interstitial_id=\#(id)""#
    }

    /// Two instances of a server name one interstitial in turn: it is requested once, and plays once.
    @Test func anotherIDForTheSameShowingIsTheSameInterstitial() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        var requests: [InterstitialRequest] = []
        for id in ["a", "b", "a", "c", "c", "b"] {
            _ = timeline.fold(try Self.playlist(Self.tag(id)))
            track.fold(timeline, playhead: .zero)
            requests += track.takeRequests(at: .zero + .seconds(10), on: timeline)
            #expect(track.entries.map(\.id) == ["a"] && track.upcoming?.id == "a")
        }
        #expect(requests.map(\.id) == ["a"])
        track.started("a", at: Moment(wall: UnixTime(microseconds: 0), uptime: .zero), offset: .zero)
        _ = timeline.fold(try Self.playlist(Self.tag("d"), #"#EXT-X-DATERANGE:ID="d",X-PLAYOUT-LIMIT=5"#))
        track.fold(timeline, playhead: .zero + .seconds(20))
        #expect(track.upcoming == nil && track[id: "a"]?.definition.playoutLimit == .seconds(5))
    }

    /// What one playlist lists side by side are two, and so is what plays at another time or another asset.
    @Test(arguments: [
        [tag("a"), tag("b")], [tag("b", start: 21)], [tag("b", list: "https://h/list?d=2")],
    ]) func anotherShowingIsAnotherInterstitial(_ tags: [String]) throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        _ = timeline.fold(try Self.playlist(Self.tag("a")))
        track.fold(timeline, playhead: .zero)
        var text = tags
        if text.count == 1 { text.append("") }
        _ = timeline.fold(try Self.playlist(text[0], text[1]))
        track.fold(timeline, playhead: .zero)
        #expect(track.entries.map(\.id) == ["a", "b"])
    }

    /// A playlist that lists more than are kept loses the last ones; all others have their places.
    @Test func moreThanAreKeptLoseTheLast() throws {
        let count = InterstitialTrack.limit + 20
        let tags = (0..<count).map { Self.tag("i\($0)", start: 10 + $0 % 30) }
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tags.joined(separator: "\n")))
        var track = InterstitialTrack()
        for _ in 0..<2 { track.fold(timeline, playhead: nil) }
        #expect(track.entries.map(\.id) == (0..<InterstitialTrack.limit).map { "i\($0)" })
        #expect(
            track.entries.map(\.position)
                == (0..<InterstitialTrack.limit).map { StreamTime.zero + .seconds(10 + $0 % 30) })
    }

    /// A START-DATE must not change; where it does, what was passed at one place is ahead at the other.
    @Test func anInterstitialThatMovesAheadIsDueThere() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        for (start, isAhead) in [(20, true), (10, false), (20, true)] {
            _ = timeline.fold(try Self.playlist(Self.tag("a", start: start)))
            track.fold(timeline, playhead: .zero + .seconds(15))
            #expect((track.upcoming != nil) == isAhead)
        }
    }

    /// Those of one date play one after another: a reload during the second one must not pass the third.
    @Test func thoseOfOneDateAllPlay() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        var playhead = StreamTime.zero + .seconds(20)
        var played: [String] = []
        for _ in 0..<4 {
            let tags = ["a", "b", "c"].map { Self.tag($0, list: "https://h/list?d=\($0)") }
            _ = timeline.fold(try Self.playlist(tags[0], tags[1], tags[2]))
            track.fold(timeline, playhead: playhead)
            guard let next = track.upcoming?.id else { break }
            played.append(next)
            let now = Moment(wall: UnixTime(microseconds: 0), uptime: .seconds(played.count))
            track.started(next, at: now, offset: .zero)
            track.fold(timeline, playhead: playhead)
            playhead = playhead + .seconds(12)
            track.ended(next, at: now, elapsed: .seconds(12), resume: playhead, result: .completed)
        }
        #expect(played == ["a", "b", "c"])
    }

    /// A seek into what an interstitial replaces plays it from its beginning, also where the assets are shorter; who joins there would see
    /// the stream (rfc8216bis-22 appendix D.5).
    @Test(arguments: [(Int64(32), true), (34, false), (24, true)])
    func aSeekIntoWhatIsReplacedPlaysIt(target: Int64, isPlayed: Bool) throws {
        let tag = Self.tag("a", start: 20) + ",X-RESUME-OFFSET=14"
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tag))
        var (joining, seeking) = (InterstitialTrack(), InterstitialTrack())
        joining.fold(timeline, playhead: .zero)
        seeking.fold(timeline, playhead: .zero)
        let position = StreamTime.zero + .seconds(target)
        let detour = seeking.seek(from: .zero + .seconds(38), to: position)
        #expect(detour?.id == (isPlayed ? "a" : nil))
        #expect((joining.join(at: position) != nil) == (target == 24))
    }

    /// The list tells its length only when it is requested: what the tag says that it replaces decides whether it is still on air.
    @Test(arguments: [(Int64(24), true), (33, true), (34, false), (38, false)])
    func aJoinIntoAListOfUnknownLengthPlaysIt(position: Int64, isPlayed: Bool) throws {
        let tag = Self.tag("a", start: 20).replacing("DURATION=12,", with: "") + ",X-RESUME-OFFSET=14"
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tag))
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        #expect(track.join(at: .zero + .seconds(position))?.offset == (isPlayed ? .seconds(position - 20) : nil))
    }

    /// In a recording nothing says whether a viewer would see it there, and its list would be an ad decision. X-PLAYOUT-LIMIT is a length, too.
    @Test(arguments: [("", nil), (",X-PLAYOUT-LIMIT=8", Duration.seconds(4))] as [(String, Duration?)])
    func aJoinBehindAStartThatTellsNoLengthPassesIt(attributes: String, offset: Duration?) throws {
        let tag = Self.tag("a", start: 20).replacing("DURATION=12,", with: "") + attributes
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tag))
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        let position = StreamTime.zero + .seconds(24)
        #expect(track.join(at: position)?.offset == offset)
        #expect(track.upcoming == nil && track.takeRequests(at: position, on: timeline) == [])
    }

    /// A viewer who joins live behind such a start asks for its assets, with the offset; the one that began last counts.
    @Test func aLiveJoinBehindAStartThatTellsNoLengthAsksForIt() throws {
        let tags = [(14, "a"), (20, "b")].map { start, id in
            Self.tag(id, start: start, list: "https://h/\(id)?d=1").replacing("DURATION=12,", with: "")
        }
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tags[0], tags[1]))
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        let position = StreamTime.zero + .seconds(24)
        var late = track
        let joined = track.join(at: position, isLive: true)
        let inside = try #require(joined)
        #expect(inside.id == "b" && inside.offset == .seconds(4))
        track.started("b", at: Moment(wall: UnixTime(microseconds: 0), uptime: .zero), offset: inside.offset)
        let requests = track.takeRequests(at: .zero + .seconds(20), on: timeline)
        #expect(requests.map(\.id) == ["b"] && requests.first?.startOffset == .seconds(4))
        #expect(late.join(at: .zero + .seconds(20) + InterstitialTrack.unknownReach, isLive: true) == nil)
    }

    /// Each of one point begins where the one before resumes: a join is inside one of them, and the rest follow (HLS-20).
    @Test(
        arguments: [(22, "a", 2, "b"), (32, "b", 0, "c"), (37, "b", 5, "c"), (45, "c", 1, nil), (57, nil, 0, nil)]
            as [(Int64, String?, Int64, String?)])
    func aJoinIntoSeveralOfOneDateIsInsideTheOneOnAir(
        position: Int64, id: String?, offset: Int64, next: String?
    ) throws {
        let tags = ["a", "b", "c"].map { Self.tag($0, list: "https://h/\($0)?d=1") }
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tags[0], tags[1], tags[2]))
        var track = InterstitialTrack()
        track.fold(timeline, playhead: nil)
        let inside = track.join(at: .zero + .seconds(position), isLive: true)
        #expect(inside?.id == id && inside?.offset ?? .zero == .seconds(offset))
        if let id { track.started(id, at: Moment(wall: UnixTime(microseconds: 0), uptime: .zero), offset: .zero) }
        #expect(track.upcoming?.id == next)
    }

    /// X-ASSET-URI must be absolute; one that is not is relative to the playlist, as players read it.
    @Test func aRelativeAssetIsThatOfThePlaylist() throws {
        let tag = Self.first.replacing("DURATION=30,", with: "").replacing("https://h/ad.m3u8", with: "ads/1.m3u8")
        var timeline = Timeline()
        _ = timeline.fold(try Self.playlist(tag))
        var track = InterstitialTrack()
        track.fold(timeline, playhead: .zero)
        let requests = track.takeRequests(at: .zero + .seconds(19), on: timeline)
        #expect(requests.map(\.url) == ["https://h/ads/1.m3u8"])
    }

    /// An ID is unique in a playlist only: one that comes again when its showing is over is that of another one, each time.
    @Test func anIDThatComesAgainIsAnotherShowing() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        var played: [UnixTime] = []
        for start in [10, 26, 42] {
            let tag = Self.tag("a", start: start, list: "https://h/list?d=\(start)")
            for tags in [tag, tag, ""] {
                _ = timeline.fold(try Self.playlist(tags))
                track.fold(timeline, playhead: .zero + .seconds(start - 2))
                guard let next = track.upcoming else { continue }
                let now = Moment(wall: UnixTime(microseconds: 0), uptime: .seconds(start))
                played.append(try #require(next.definition.start))
                track.started(next.id, at: now, offset: .zero)
                let resume = StreamTime.zero + .seconds(start + 12)
                track.ended(next.id, at: now, elapsed: .seconds(12), resume: resume, result: .completed)
            }
        }
        #expect(played.count == 3 && Set(played).count == 3)
        #expect(track.entries.first?.id == "a" && Set(track.entries.map(\.id)).count == 3)
    }

    /// Without its first tag there is nothing to play.
    @Test func anUpdateOfAnUnknownInterstitialIsNothing() throws {
        var timeline = Timeline()
        var track = InterstitialTrack()
        _ = timeline.fold(try Self.playlist(#"#EXT-X-DATERANGE:ID="a",X-PLAYOUT-LIMIT=5"#))
        track.fold(timeline, playhead: .zero)
        #expect(track[id: "a"] == nil)
    }
}
