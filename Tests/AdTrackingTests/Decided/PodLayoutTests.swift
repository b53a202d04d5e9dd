import AdTracking
import Testing
import VAST

@Suite struct PodLayoutTests {
    static let pod = Answer.vast(
        Answer.ad("b", seconds: 20, sequence: 2), Answer.ad("a", seconds: 10, sequence: 1),
        Answer.ad("c", seconds: 30, sequence: 3), Answer.ad("d", seconds: 5, sequence: 4))

    struct Row: Sendable {
        var length: Duration?
        var places: [String]
        var losses: [String]
    }

    @Test(arguments: [
        Row(length: nil, places: ["a 0.0 10.0", "b 10.0 20.0", "c 30.0 30.0", "d 60.0 5.0"], losses: []),
        Row(length: .seconds(65), places: ["a 0.0 10.0", "b 10.0 20.0", "c 30.0 30.0", "d 60.0 5.0"], losses: []),
        // An excess of half a second counts as the same length.
        Row(
            length: .milliseconds(64_500), places: ["a 0.0 10.0", "b 10.0 20.0", "c 30.0 30.0", "d 60.0 5.0"],
            losses: []),
        // The ad that does not fit is cut, and so are all ads behind it.
        Row(length: .seconds(45), places: ["a 0.0 10.0", "b 10.0 20.0"], losses: ["c 206", "d 206"]),
        Row(length: .seconds(5), places: [], losses: ["a 206", "b 206", "c 206", "d 206"]),
    ])
    func aPodLiesInOrderAndIsCutAtTheEnd(_ row: Row) {
        let layout = Answer.layout(Self.pod, length: row.length)
        #expect(layout.placesText == row.places)
        #expect(layout.lossesText == row.losses)
        #expect(layout.places.map(\.number) == Array([1, 2, 3, 4].prefix(row.places.count)))
    }

    @Test func oneOfSeveralStandAloneAdsPlays() {
        let text = Answer.vast(Answer.ad("a", seconds: 10), Answer.ad("b", seconds: 10))
        let layout = Answer.layout(text, length: .seconds(60))
        #expect(layout.placesText == ["a 0.0 10.0"])
        #expect(layout.losses.isEmpty)
    }

    @Test(
        arguments: [(20, ["b 0.0 15.0"], []), (30, ["a 0.0 30.0"], []), (10, [], ["a 206"])]
            as [(Int, [String], [String])])
    func theStandAloneAdThatFitsPlays(length: Int, places: [String], losses: [String]) {
        let text = Answer.vast(Answer.ad("a", seconds: 30), Answer.ad("b", seconds: 15))
        let layout = Answer.layout(text, length: .seconds(length))
        #expect(layout.placesText == places)
        #expect(layout.lossesText == losses)
    }

    /// Only what the ad itself declares lets a sound without a picture play.
    @Test(
        arguments: [("audio", []), ("Audio", []), ("hybrid", []), ("video", ["a 403"]), ("", ["a 403"])]
            as [(String, [String])])
    func anAudioAdNeedsNoVideo(type: String, losses: [String]) {
        let ad = Answer.ad("a", seconds: 10, type: "audio/mpeg").replacing("<Ad ", with: "<Ad adType=\"\(type)\" ")
        let layout = Answer.layout(Answer.vast(ad), length: nil)
        #expect(layout.lossesText == losses)
        #expect(layout.places.compactMap(\.media.chosen) == (losses.isEmpty ? [0] : []))
    }

    @Test func anUnplayableAdIsReplacedByAStandAloneAd() {
        let text = Answer.vast(
            Answer.ad("a", seconds: 10, sequence: 1, type: "application/x-shockwave-flash"),
            Answer.ad("b", seconds: 20, sequence: 2), Answer.ad("spare", seconds: 15))
        let layout = Answer.layout(text, length: .seconds(60))
        #expect(layout.placesText == ["spare 0.0 15.0", "b 15.0 20.0"])
        #expect(layout.lossesText == ["a 403"])
    }

    /// An ad without a mandatory element is lost when the tag is resolved, and by the same rule here.
    @Test func withoutASpareTheNextOfThePodComes() throws {
        let text = Answer.vast(
            Answer.ad("a", seconds: 0, sequence: 1), Answer.ad("b", seconds: 20, sequence: 2))
        let result = Answer.resolved(text)
        #expect(result.pixels.map(\.url) == ["https://t.example/a/error?c=101"])
        let layout = PodLayout(result, length: .seconds(60), player: .television)
        #expect(layout.placesText == ["b 0.0 20.0"] && layout.losses.isEmpty)

        var broken = Answer.resolved(Self.pod)
        try #require(broken.pod.count == 4)
        broken.pod[0].linears[0].linear.durationMilliseconds = 0
        broken.pod[2].linears[0].linear.mediaFiles = []
        let left = PodLayout(broken, length: nil, player: .television)
        #expect(left.placesText == ["b 0.0 20.0", "d 20.0 5.0"] && left.lossesText == ["a 101", "c 101"])
    }

    /// VAST 4.3 section 3.4.10: seconds from the request to the start, the last of them included.
    @Test(arguments: [
        (10, ["a 0.0 10.0", "b 10.0 20.0"], []), (11, ["a 0.0 10.0", "spare 10.0 15.0"], ["b 304"]),
    ])
    func anAdThatExpiresBeforeItsTurnIsReplaced(age: Int, places: [String], losses: [String]) {
        let text = Answer.vast(
            Answer.ad("a", seconds: 10, sequence: 1), Answer.ad("b", seconds: 20, sequence: 2, expires: 20),
            Answer.ad("spare", seconds: 15))
        let layout = Answer.layout(text, length: .seconds(60), age: .seconds(age))
        #expect(layout.placesText == places)
        #expect(layout.lossesText == losses)
    }

    @Test func nonLinearAdsHaveNoPlaceInABreak() {
        let text = """
            <VAST version="3.0"><Ad id="n"><InLine><AdSystem>s</AdSystem><AdTitle>n</AdTitle><Impression/><Creatives>
            <Creative><NonLinearAds><NonLinear width="1" height="1"><StaticResource creativeType="image/png">
            https://m.example/x.png</StaticResource></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>
            """
        #expect(Answer.layout(text, length: nil).lossesText == ["n 201"])
    }

    @Test func adsThatStartBeforeTheAnswerAreLost() {
        var layout = Answer.layout(Self.pod, length: nil)
        layout.lose(startingBefore: .seconds(11))
        #expect(layout.placesText == ["c 30.0 30.0", "d 60.0 5.0"])
        #expect(layout.lossesText == ["a 304", "b 304"])
    }

    @Test func aBreakThatEndsEarlyCutsTheAdOnAir() {
        var layout = Answer.layout(Self.pod, length: nil)
        layout.cut(at: .seconds(22))
        #expect(layout.placesText == ["a 0.0 10.0", "b 10.0 12.0"])
        #expect(layout.lossesText == ["c 206", "d 206"])
        // An excess of a few frames is not cut.
        layout = Answer.layout(Self.pod, length: nil)
        layout.cut(at: .milliseconds(64_700))
        #expect(layout.placesText.last == "d 60.0 5.0")
    }
}
