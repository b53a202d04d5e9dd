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

    @Test func withoutAnAddressThereIsNoChoice() {
        var playlist = MultivariantPlaylist(uri: "https://a.example.com/main.m3u8")
        #expect(VariantChoice(playlist) == nil)
        playlist.variants = [Variant(uri: "ftp://a.example.com/v.m3u8")]
        #expect(VariantChoice(playlist) == nil)
    }
}
