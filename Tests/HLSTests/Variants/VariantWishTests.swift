import HLS
import Ports
import Testing

/// What a person may want, and which variant it is (HLS-31).
@Suite struct VariantWishTests {
    private static func options(_ lines: [String]) throws -> [VariantOption] {
        let text = "#EXTM3U\n" + lines.map { "#EXT-X-STREAM-INF:\($0)\n" }.joined()
        let playlist = try #require(
            PlaylistParser.parse(Array(text.utf8), uri: "https://a.example.com/live/main.m3u8").multivariant)
        return playlist.variants.enumerated().compactMap { index, variant in
            (try? WebURL(variant.uri)).map { VariantOption(number: index + 1, variant: variant, url: $0) }
        }
    }

    private static let usual = [
        "BANDWIDTH=800000,RESOLUTION=640x360\nlow/v.m3u8?t=1", "BANDWIDTH=2400000,RESOLUTION=1280x720\nmid/v.m3u8?t=2",
        "BANDWIDTH=3000000,RESOLUTION=1280x720\nmid2/v.m3u8?t=3",
        "BANDWIDTH=6000000,RESOLUTION=1920x1080\nhigh/v.m3u8?t=4",
        "BANDWIDTH=96000,CODECS=\"mp4a.40.2\"\naudio/v.m3u8",
    ]

    @Test(arguments: [
        ("best", 4), ("worst", 1), ("720", 3), ("720p", 3), ("360", 1), ("2400000", 2), ("2999999", 2),
        ("9000000000", 4),
        ("96000", 5), ("low/v.m3u8", 1), ("high/v.m3u8?t=4", 4), ("https://a.example.com/live/mid/v.m3u8?t=2", 2),
    ])
    func aWishIsOneVariant(_ text: String, _ number: Int) throws {
        let wish = try #require(VariantWish(text))
        #expect(wish.text == text)
        #expect(try wish.pick(from: Self.options(Self.usual)).number == number)
    }

    @Test(arguments: [
        ("1080000p", "there is none such"), ("95999", "there is none such"), ("v.mp4", "there is none such"),
        ("v.m3u8", "this fits several"),
    ])
    func whatIsNoneOrSeveralListsWhatThereIs(_ text: String, _ reason: String) throws {
        let options = try Self.options(Self.usual)
        let problem = #expect(throws: VariantProblem.self) { try VariantWish(text)?.pick(from: options) }
        #expect(
            problem?.explanation == "variant '\(text)': \(reason); choose one of 640x360 800 kbit/s v.m3u8, "
                + "1280x720 2,400 kbit/s v.m3u8, 1280x720 3,000 kbit/s v.m3u8, 1920x1080 6,000 kbit/s v.m3u8, 96 kbit/s v.m3u8"
        )
    }

    @Test func aLongListIsCut() throws {
        let options = try Self.options((1...40).map { "BANDWIDTH=\($0)000\n\($0).m3u8" })
        let problem = #expect(throws: VariantProblem.self) { try VariantWish.height(720).pick(from: options) }
        #expect(problem?.explanation.hasSuffix("12 kbit/s 12.m3u8 and 28 more") == true)
    }

    /// The same variant on two servers is one answer: the first is followed and the other is its replacement.
    @Test func redundantVariantsAreNotAmbiguous() throws {
        let options = try Self.options(["BANDWIDTH=8\na/v.m3u8", "BANDWIDTH=8\nhttps://b.example.com/a/v.m3u8"])
        #expect(try VariantWish.uri("a/v.m3u8").pick(from: options).number == 1)
    }

    @Test(arguments: [
        "", " ", "a b", "a\tb", "\u{1B}[2J", "0", "0p", "99999999999999999999", String(repeating: "x", count: 9_000),
    ])
    func whatIsNoWish(_ text: String) {
        #expect(VariantWish(text) == nil)
    }

    @Test func withoutVideoTheBestIsTheBestSound() throws {
        let sound = try Self.options([
            "BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\na", "BANDWIDTH=96000,CODECS=\"mp4a.40.2\"\nb",
        ])
        #expect(try VariantWish.best.pick(from: sound).number == 2)
        #expect(try VariantWish.worst.pick(from: sound).number == 1)
        #expect(throws: VariantProblem.self) { try VariantWish.best.pick(from: []) }
    }

    @Test func aChoiceFollowsTheWish() throws {
        let text = "#EXTM3U\n" + Self.usual.map { "#EXT-X-STREAM-INF:\($0)\n" }.joined()
        let playlist = try #require(
            PlaylistParser.parse(Array(text.utf8), uri: "https://a.example.com/main.m3u8").multivariant)
        var choice = try #require(try VariantChoice(playlist, wish: .height(720)))
        #expect(choice.current.number == 3 && !choice.isFallback && choice.wish == .height(720))
        try choice.choose(.worst)
        #expect(choice.current.number == 1 && !choice.isFallback)
        #expect(throws: VariantProblem.self) { try choice.choose(.height(4_320)) }
        #expect(choice.current.number == 1 && choice.wish == .worst, "a bad wish changes nothing")
        #expect(throws: VariantProblem.self) { try VariantChoice(playlist, wish: .height(4_320)) }
    }
}
