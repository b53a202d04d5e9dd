import AdTracking
import Ports
import Testing

/// A PROGRAM-DATE-TIME step inside a pod moves no event, and loses none (TRK-30).
@Suite struct SeamClockTests {
    /// Two ads, 10 to 40 s and 40 to 55 s.
    static let pod = [
        AdBreak.test("b", 10_000, 45_000, [.full("1", 10_000, 30_000), .full("2", 40_000, 15_000)])
    ]
    static let six = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    static let all = six.map { "1/" + $0 } + six.map { "2/" + $0 }

    static func sent(_ viewer: AdViewer) -> [String] {
        viewer.requests.map { String($0.dropFirst("https://t.example/".count)) }
    }

    /// Plays to 70 s of media in steps of `tick`, with dates that step by `by` at media time `at`.
    /// - Returns: for each beacon the media time at which it was sent.
    private static func play(
        _ viewer: inout AdViewer, at step: Int64, by: Int64, tick: Int64 = 500, from start: Int64 = 0,
        through end: Int64 = 90_000, each: (inout AdViewer, Int64) -> Void = { _, _ in }
    ) -> [String: Int64] {
        var times: [String: Int64] = [:]
        var media = start
        func date(_ media: Int64) -> Int64 { media < step ? media : media + by }
        while media < end {
            let next = min(media + tick, media < step ? step : end)
            viewer.playOn(date(media), next == step ? step : date(next))
            media = next
            for beacon in sent(viewer) where times[beacon] == nil { times[beacon] = media }
            each(&viewer, media)
        }
        return times
    }

    @Test(
        arguments: [Int64(5_000), 8_000, 20_000, 34_000, 3_600_000, -4_000, -8_000, -3_600_000],
        [Int64(12_000), 20_000, 39_500, 43_000])
    func everyEventComesWhenItsMediaIsPlayed(by: Int64, at: Int64) {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        let times = Self.play(&viewer, at: at, by: by)
        #expect(Self.sent(viewer).sorted() == Self.all.sorted())
        for (name, offset) in [("1/firstQuartile", 17_500), ("1/midpoint", 25_000), ("1/thirdQuartile", 32_500)] {
            #expect(times[name] == Int64(offset), "\(name)")
        }
        #expect(times["1/complete"] == 40_000)
        #expect(times["2/start"] == 40_000)
        #expect(times["2/complete"] == 55_000)
    }

    /// A second step brings the dates back.
    @Test func twoStepsInOnePod() {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        viewer.playOn(0, 20_000)
        viewer.playOn(28_000, 36_000)
        viewer.playOn(28_000, 60_000)
        #expect(Self.sent(viewer) == Self.all)
    }

    /// The server dates the second ad as the playlist does: it begins with the step.
    @Test(arguments: [Int64(8_000), 3_000, -5_000]) func adsThatFollowTheDatesAreDueByDate(by: Int64) {
        var viewer = AdViewer()
        viewer.metadata([
            .test("b", 10_000, 45_000 + by, [.full("1", 10_000, 30_000), .full("2", 40_000 + by, 15_000)])
        ])
        let times = Self.play(&viewer, at: 40_000, by: by)
        #expect(Self.sent(viewer).sorted() == Self.all.sorted())
        #expect(times["2/midpoint"] == 47_500)
        #expect(times["2/complete"] == 55_000)
    }

    /// What the dates pass over outside of ads was not shown: a break whose dates never came.
    @Test func aStepOutsideOfAdsShowsNothing() {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        _ = Self.play(&viewer, at: 5_000, by: 60_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.reason(.start, of: "1") == .seekedOver)
    }

    /// A seek is no step: what it passes over was not shown.
    @Test func aSeekShowsNothing() {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        viewer.playOn(0, 20_000)
        viewer.seek(28_000)
        viewer.playOn(28_000, 60_000)
        #expect(!Self.sent(viewer).contains("1/midpoint"))
        #expect(viewer.reason(.midpoint, of: "1") == .seekedOver)
    }

    /// Metadata that comes after the step, while the pod plays or when it is over.
    @Test(arguments: [Int64(8_000), -8_000], [Int64(22_000), 30_000, 42_000, 70_000])
    func lateMetadataFindsWhatWasPlayed(by: Int64, arrival: Int64) {
        var viewer = AdViewer()
        _ = Self.play(&viewer, at: 20_000, by: by) { viewer, media in
            if media == arrival { viewer.metadata(Self.pod) }
        }
        #expect(Self.sent(viewer).sorted() == Self.all.sorted())
    }

    private static let day: Int64 = 86_400_000

    /// What was played in observe mode before arming is not sent when it is listed later (TRK-11), on whichever side of the step it was played.
    @Test func whatWasPlayedBeforeArmingIsObserved() {
        var viewer = AdViewer(mode: .observe)
        viewer.playOn(0, 20_000)
        viewer.playOn(12_000, 33_000)
        viewer.changeMode(to: .fire)
        viewer.playOn(33_000, 37_000)
        viewer.metadata(Self.pod)
        #expect(Self.sent(viewer) == ["2/firstQuartile"])
        viewer.playOn(37_000, 60_000)
        #expect(Self.sent(viewer) == ["2/firstQuartile", "2/midpoint", "2/thirdQuartile", "2/complete"])
        #expect(viewer.state(.thirdQuartile, of: "1") == .observed && viewer.state(.start, of: "2") == .observed)
    }

    /// The clock of the encoder was a day behind, and is right again: what was shown then was shown just now, whatever its dates (TRK-11).
    @Test func metadataBehindADayBackIsAsLateAsItsMedia() {
        var viewer = AdViewer()
        viewer.playOn(2 * Self.day, 2 * Self.day + 20_000)
        viewer.playOn(Self.day + 20_000, Self.day + 60_000)
        viewer.playOn(2 * Self.day + 60_000, 2 * Self.day + 65_000)
        viewer.metadata([])
        viewer.playOn(2 * Self.day + 65_000, 2 * Self.day + 70_000)
        viewer.metadata([.test("b", Self.day + 25_000, 30_000, [.full("1", Self.day + 25_000, 30_000)])])
        #expect(Self.sent(viewer) == Self.six.map { "1/" + $0 })
        #expect(viewer.claimed.map(\.late).max() == .seconds(45))
    }

    /// A viewer who saw these dates a day ago: an ad that is listed there now is not late, it is yet to come.
    @Test func datesOfADayAgoAreShownAgain() {
        var viewer = AdViewer()
        viewer.playOn(Self.day - 3_600_000, 2 * Self.day)
        let ads = [AdBreak.test("b", Self.day + 30_000, 30_000, [.full("1", Self.day + 30_000, 30_000)])]
        viewer.metadata(ads)
        viewer.playOn(Self.day, Self.day + 10_000)
        viewer.metadata(ads + [.test("c", Self.day + 80_000, 8_000, [.full("2", Self.day + 80_000, 8_000)])])
        #expect(viewer.requests.isEmpty)
        #expect(viewer.reason(.start, of: "1") == .notReached)
        viewer.playOn(Self.day + 10_000, Self.day + 40_000)
        #expect(Self.sent(viewer) == Self.six.prefix(3).map { "1/" + $0 })
        viewer.playOn(Self.day + 40_000, Self.day + 90_000)
        #expect(Self.sent(viewer).sorted() == Self.all.sorted())
    }

    /// A jump is no step: behind it lateness is the distance of dates.
    @Test func behindAJumpDatesCount() {
        var viewer = AdViewer()
        viewer.playOn(0, 60_000)
        viewer.seek(Self.day)
        viewer.playOn(Self.day, Self.day + 10_000)
        viewer.metadata(Self.pod)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.state(.start, of: "1") == .skipped)
    }

    /// The next document dates the ads as the playlist does now: nothing is sent twice, nothing is lost.
    @Test(arguments: [Int64(8_000), -8_000]) func adsThatAreDatedAnewDuringTheStep(by: Int64) {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        _ = Self.play(&viewer, at: 20_000, by: by) { viewer, media in
            guard media == 24_000 else { return }
            viewer.metadata([
                .test(
                    "b", 10_000 + by, 45_000,
                    [.full("1", 10_000 + by, 30_000), .full("2", 40_000 + by, 15_000)])
            ])
        }
        #expect(Self.sent(viewer).sorted() == Self.all.sorted())
    }

    /// Playback in one stretch, in ticks of any size and cut at the step gives the same beacons.
    @Test(arguments: [Int64(100), 333, 1_000, 7_000, 90_000]) func ticksDoNotMatter(tick: Int64) {
        var viewer = AdViewer()
        viewer.metadata(Self.pod)
        _ = Self.play(&viewer, at: 20_000, by: 8_000, tick: tick)
        #expect(Self.sent(viewer) == Self.all)
    }
}
