import HLS
import Ports
import Testing

/// Which variant is followed, and which replaces it (HLS-14).
@Suite struct VariantChoiceTests {
    private static func choice(_ lines: String...) throws -> VariantChoice {
        let text = "#EXTM3U\n" + lines.map { $0 + "\n" }.joined()
        let playlist = try #require(
            PlaylistParser.parse(Array(text.utf8), uri: "https://a.example.com/main.m3u8").multivariant)
        return try #require(VariantChoice(playlist))
    }

    private static func variant(_ bandwidth: Int, _ uri: String, _ more: String = "") -> String {
        "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)\(more)\n\(uri)"
    }

    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    private static func redundant() throws -> VariantChoice {
        try choice(
            variant(1_000, "low.m3u8"), variant(5_000, "high.m3u8"),
            variant(1_000, "https://b.example.com/low.m3u8"), variant(5_000, "https://b.example.com/high.m3u8"))
    }

    private static func urls(_ options: [VariantOption]) -> [String] { options.map(\.url.text) }

    @Test func theHighestBandwidthWithPicturesIsFollowed() throws {
        let choice = try Self.choice(
            Self.variant(900, "audio.m3u8", ",CODECS=\"mp4a.40.2\""), Self.variant(500, "a.m3u8"),
            Self.variant(700, "b.m3u8"))
        #expect(choice.current.url.text == "https://a.example.com/b.m3u8")
        #expect(choice.current.number == 3)
        #expect(choice.options.count == 1 && !choice.isFallback)
        let audio = try Self.choice(Self.variant(900, "audio.m3u8", ",CODECS=\"mp4a.40.2\""))
        #expect(audio.current.number == 1, "better than nothing")
    }

    @Test func variantsOfEqualBandwidthAreRedundant() throws {
        let choice = try Self.redundant()
        #expect(
            Self.urls(choice.options) == ["https://a.example.com/high.m3u8", "https://b.example.com/high.m3u8"])
    }

    @Test func twoFailuresInARowAndTheNextTakesOver() throws {
        var choice = try Self.redundant()
        #expect(choice.failed(at: moment(0)) == nil)
        choice.succeeded()
        #expect(choice.failed(at: moment(4)) == nil, "a success in between")
        #expect(choice.failed(at: moment(5))?.number == 4)
        #expect(choice.isFallback && choice.current.number == 4)
        #expect(choice.returnUptime == .seconds(125))
        #expect(choice.returned(at: moment(124)) == nil)
        #expect(choice.returned(at: moment(125))?.number == 2)
        #expect(!choice.isFallback && choice.returnUptime == nil)
    }

    @Test func whenAllFailTheyTakeTurns() throws {
        var choice = try Self.redundant()
        let followed = (0..<6).compactMap { choice.failed(at: moment(Double($0)))?.number }
        #expect(followed == [4, 2, 4])
    }

    @Test func aStaleVariantIsLeftOnlyForAFreshOne() throws {
        var choice = try Self.redundant()
        #expect(choice.wentStale(at: moment(0))?.number == 4)
        #expect(choice.wentStale(at: moment(9)) == nil, "the other is stale too: the stream stands still")
        #expect(choice.current.number == 4)
    }

    @Test func aLoneVariantIsNeverLeft() throws {
        var choice = try Self.choice(Self.variant(1_000, "low.m3u8"))
        #expect((0..<5).allSatisfy { choice.failed(at: moment(Double($0))) == nil })
        #expect(choice.wentStale(at: moment(9)) == nil)
    }

    @Test func thePathwayOfTheTagComesFirst() throws {
        let choice = try Self.choice(
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer\",PATHWAY-ID=\"B\"",
            Self.variant(5_000, "a.m3u8", ",PATHWAY-ID=\"A\""), Self.variant(4_000, "b4.m3u8", ",PATHWAY-ID=\"B\""),
            Self.variant(3_000, "b3.m3u8", ",PATHWAY-ID=\"B\""))
        #expect(choice.current.number == 2, "the best of its own pathway")
        #expect(choice.options.map(\.number) == [2, 1], "and the best of the other one behind it")
    }

    @Test func steeringMovesToTheBestPathwayThatHasNotFailed() throws {
        var choice = try Self.choice(
            Self.variant(5_000, "a.m3u8", ",PATHWAY-ID=\"A\""), Self.variant(5_000, "b.m3u8", ",PATHWAY-ID=\"B\""))
        let toB = try SteeringManifest.read(Array(#"{"VERSION":1,"PATHWAY-PRIORITY":["B","A"]}"#.utf8))
        let toA = try SteeringManifest.read(Array(#"{"VERSION":1,"PATHWAY-PRIORITY":["A","B"]}"#.utf8))
        #expect(choice.steered(by: toA, at: moment(0)) == nil, "it is there already")
        #expect(choice.steered(by: toB, at: moment(1))?.number == 2)
        #expect(!choice.isFallback, "what is steered to is the preferred one")
        _ = choice.failed(at: moment(2))
        #expect(choice.failed(at: moment(3))?.number == 1)
        #expect(choice.steered(by: toB, at: moment(100)) == nil, "B failed a short while ago")
        #expect(choice.steered(by: toB, at: moment(123))?.number == 2)
    }

    @Test func aNewerPlaylistKeepsWhatIsFollowed() throws {
        var choice = try Self.redundant()
        _ = choice.wentStale(at: moment(0))
        choice.replaced(by: try Self.redundant())
        #expect(choice.current.number == 4 && choice.isFallback)
        #expect(choice.returnUptime == .seconds(120))
        choice.replaced(by: try Self.choice(Self.variant(1_000, "other.m3u8")))
        #expect(choice.current.url.text == "https://a.example.com/other.m3u8")
    }

    // MARK: Refusals

    private static func ladder() throws -> VariantChoice {
        try choice(
            variant(3_000, "c.m3u8"), variant(9_000, "e.m3u8"), variant(100, "audio.m3u8", ",CODECS=\"mp4a.40.2\""),
            variant(1_000, "a.m3u8"), variant(2_000, "b.m3u8"), variant(5_000, "d.m3u8"))
    }

    @Test func aRefusedVariantStepsDownToTheNextLowerOne() throws {
        var choice = try Self.ladder()
        #expect(choice.refused(at: moment(0)) == nil, "once may pass")
        #expect(choice.refused(at: moment(1))?.bandwidthForTests == 5_000)
        #expect(choice.isFallback && choice.hasSteppedDown)
        choice.succeeded()
        // Two more of that one; then the next lower one again, and not the best, which rests.
        #expect(choice.refused(at: moment(5)) == nil)
        #expect(choice.refused(at: moment(6))?.bandwidthForTests == 3_000)
    }

    /// From the middle: first the lower ones, then the higher ones, and what has no video last. Each is tried once.
    @Test func allAreTriedOnceFromTheNextLowerOn() throws {
        var choice = try Self.ladder()
        try choice.choose(.number(3_000))
        let tried = (0..<9).compactMap { choice.refused(at: moment(Double($0)))?.bandwidthForTests }
        #expect(tried == [2_000, 1_000, 5_000, 9_000, 100])
        #expect(choice.current.bandwidthForTests == 3_000 && !choice.isSearching, "all refuse: the wanted one is asked")
    }

    @Test func thePlaylistIsReadBeforeARefusedVariantIsTriedAgain() throws {
        var choice = try Self.ladder()
        _ = choice.refused(at: moment(0))
        _ = choice.refused(at: moment(0))
        choice.succeeded()
        #expect(!choice.wantsReview(at: moment(119)) && choice.wantsReview(at: moment(120)))
        choice.reviewFailed(at: moment(120))
        #expect(!choice.wantsReview(at: moment(359)) && choice.wantsReview(at: moment(360)), "a pause twice as long")
        choice.replaced(by: try Self.ladder())
        #expect(!choice.wantsReview(at: moment(360)) && choice.returned(at: moment(360))?.bandwidthForTests == 9_000)
        #expect(choice.triesRefused)
    }

    @Test func anAddressWithoutALineEndIsDoubtedOnce() throws {
        let text = "#EXTM3U\n" + Self.variant(1_000, "a.m3u8") + "\n" + Self.variant(2_000, "b.m3u8")
        func read() throws -> VariantChoice {
            let playlist = PlaylistParser.parse(Array(text.utf8), uri: "https://a.example.com/main.m3u8").multivariant
            let multivariant = try #require(playlist)
            return try #require(VariantChoice(multivariant))
        }
        var choice = try read()
        #expect(!choice.doubtsAddress)
        #expect(choice.refused(at: moment(0)) == nil && choice.doubtsAddress)
        choice.replaced(by: try read())
        #expect(choice.refused(at: moment(1))?.bandwidthForTests == 1_000)
        #expect(!choice.doubtsAddress)
        // Left because it failed, and not because it was rejected: it is looked up again before it is tried again.
        choice = try read()
        choice.replaced(by: try read())
        _ = choice.failed(at: moment(21), isStuck: true)
        #expect(choice.failed(at: moment(22), isStuck: true)?.bandwidthForTests == 1_000)
        #expect(!choice.wantsReview(at: moment(141)) && choice.wantsReview(at: moment(142)))
        choice.replaced(by: try read())
        #expect(!choice.wantsReview(at: moment(142)) && choice.returned(at: moment(142))?.bandwidthForTests == 2_000)
    }

    @Test func whatMayPassIsNoRefusal() throws {
        var choice = try Self.ladder()
        #expect((0..<20).allSatisfy { choice.failed(at: moment(Double($0))) == nil })
        #expect(!choice.isFallback)
        // Neither does it lead back to a refused one.
        _ = choice.refused(at: moment(30))
        _ = choice.refused(at: moment(31))
        choice.succeeded()
        #expect((0..<9).allSatisfy { choice.failed(at: moment(40 + Double($0))) == nil })
        #expect(choice.current.bandwidthForTests == 5_000)
    }

    /// Each gets two failures; when all were tried in vain the best one is followed again, and none is tried before its rest is over.
    @Test func aStuckStreamIsLookedForAtOtherBandwidths() throws {
        var choice = try Self.ladder()
        let tried = (0..<20).compactMap { choice.failed(at: moment(Double($0)), isStuck: true)?.bandwidthForTests }
        #expect(tried == [5_000, 3_000, 2_000, 1_000, 100, 9_000])
        #expect(!choice.isFallback)
        // The first of them was left at second 3.
        #expect(choice.failed(at: moment(122), isStuck: true) == nil)
        #expect(choice.failed(at: moment(123), isStuck: true)?.bandwidthForTests == 5_000)
    }

    @Test func aVariantThatWasStuckIsLeftWhenItIsStale() throws {
        var choice = try Self.ladder()
        #expect(choice.wentStale(at: moment(0)) == nil)
        #expect(choice.wentStale(at: moment(1), isStuck: true)?.bandwidthForTests == 5_000)
        #expect(choice.wentStale(at: moment(2)) == nil)
        #expect(choice.returned(at: moment(120)) == nil)
        #expect(choice.returned(at: moment(121))?.bandwidthForTests == 9_000)
        #expect(choice.wentStale(at: moment(130))?.bandwidthForTests == 5_000)
        #expect(choice.returnUptime == .seconds(250))
    }

    @Test func aStuckStreamPrefersARedundantVariant() throws {
        var choice = try Self.redundant()
        #expect(choice.wentStale(at: moment(0), isStuck: true)?.number == 4)
        #expect(choice.wentStale(at: moment(9), isStuck: true)?.number == 1)
    }

    @Test func aRefusedVariantIsTriedAgainAfterGrowingPauses() throws {
        var choice = try Self.ladder()
        var now = 0.0
        var pauses: [Double] = []
        _ = choice.refused(at: moment(now))
        for _ in 0..<7 {
            #expect(
                choice.refused(at: moment(now))?.bandwidthForTests == 5_000, "one refusal is enough when it is known")
            choice.succeeded()
            let due = try #require(choice.returnUptime)
            pauses.append(due.inSeconds - now)
            now = due.inSeconds
            #expect(choice.returned(at: moment(now))?.bandwidthForTests == 9_000)
        }
        #expect(pauses == [120, 240, 480, 960, 1_920, 1_920, 1_920])
        choice.succeeded()
        #expect(choice.refused(at: moment(now)) == nil, "it had worked: once may pass")
    }

    @Test func redundantVariantsComeBeforeOtherBandwidths() throws {
        var choice = try Self.redundant()
        _ = choice.refused(at: moment(0))
        #expect(choice.refused(at: moment(1))?.number == 4 && !choice.hasSteppedDown)
        #expect(choice.refused(at: moment(2))?.number == 1 && choice.hasSteppedDown)
        // A failure that may pass moves to what is redundant with it.
        choice.succeeded()
        _ = choice.failed(at: moment(3))
        #expect(choice.failed(at: moment(4))?.number == 3)
    }

    @Test func aNewerPlaylistForgetsNoRefusal() throws {
        var choice = try Self.ladder()
        _ = choice.refused(at: moment(0))
        _ = choice.refused(at: moment(1))
        choice.replaced(by: try Self.ladder())
        #expect(choice.current.bandwidthForTests == 5_000 && choice.isSearching)
        #expect(choice.refused(at: moment(2))?.bandwidthForTests == 3_000)
    }

    @Test func thousandsOfVariantsAreTriedUpToTheLimit() throws {
        var choice = try Self.choice((1...5_000).map { Self.variant($0, "\($0).m3u8") }.joined(separator: "\n"))
        let tried = (0..<100).prefix { choice.refused(at: moment(Double($0))) != nil || $0 == 0 }
        #expect(tried.count == VariantChoice.optionLimit + 1)
    }

    @Test func withoutAnAddressThereIsNoChoice() {
        var playlist = MultivariantPlaylist(uri: "https://a.example.com/main.m3u8")
        #expect(VariantChoice(playlist) == nil)
        playlist.variants = [Variant(uri: "ftp://a.example.com/v.m3u8")]
        #expect(VariantChoice(playlist) == nil)
    }
}

extension VariantOption {
    fileprivate var bandwidthForTests: Int? { variant.bandwidth }
}
