import Testing

@testable import VAST

/// The shared vectors contain whole timelines; these tests cover cases that they omit.
@Suite struct AdPlaybackTests {
    private func playback(skipFrom: Int64? = nil, progress: [TimeOffset] = []) -> AdPlayback {
        AdPlayback(duration: 20_000, skipFrom: skipFrom, progress: progress)
    }

    @Test func thresholdsBetweenTwoTicksAllHappenOnce() {
        var ad = playback(progress: [.milliseconds(6_000), .percent(50)])
        #expect(ad.started() == [.impression, .named(.creativeView), .named(.start)])
        #expect(
            ad.played(to: 10_000) == [
                .named(.firstQuartile), .progress(.milliseconds(6_000)), .progress(.percent(50)), .named(.midpoint),
            ])
        #expect(ad.played(to: 10_000) == [])
        #expect(ad.played(to: 9_000) == [])
    }

    /// At least a quarter is played, not almost a quarter.
    @Test func aShareIsReachedWhenItIsPlayedWhole() {
        var ad = AdPlayback(duration: 15_005, skipFrom: nil, progress: [.percent(10)])
        _ = ad.started()
        #expect(ad.played(to: 1_500) == [] && ad.played(to: 1_501) == [.progress(.percent(10))])
        #expect(ad.played(to: 3_751) == [] && ad.played(to: 3_752) == [.named(.firstQuartile)])
    }

    @Test func theEndCardIsClosedOnce() {
        var ad = playback()
        #expect(ad.closed() == [])
        _ = ad.started()
        _ = ad.ended()
        #expect(ad.closed() == [.named(.closeLinear)] && ad.closed() == [])
    }

    @Test func loadingAndSoundAreReportedAsTheyChange() {
        var ad = playback()
        #expect(ad.loaded() == [.named(.loaded)] && ad.loaded() == [] && ad.muted(true) == [])
        _ = ad.started()
        #expect(ad.loaded() == [] && ad.muted(true) == [] && ad.muted(false) == [.named(.unmute)])
    }

    @Test func nothingHappensAfterTheEnd() {
        var ad = playback()
        _ = ad.started()
        #expect(ad.ended().last == .named(.complete))
        #expect(ad.isOver)
        #expect(ad.played(to: 30_000) == [] && ad.muted(true) == [] && ad.skipped() == [] && ad.ended() == [])
    }

    @Test func aJumpEarnsNothing() {
        var ad = playback()
        _ = ad.started()
        _ = ad.seeked(to: 19_000)
        #expect(!ad.played(to: 19_500).contains(.named(.thirdQuartile)))
        #expect(!ad.ended().contains(.named(.complete)))
    }

    /// Once the viewer has gone back and seen it all, the ad was played to its end.
    @Test func aJumpThatIsMadeGoodEarnsComplete() {
        var ad = playback()
        _ = ad.started()
        _ = ad.played(to: 1_000)
        _ = ad.seeked(to: 16_000)
        _ = ad.played(to: 17_000)
        _ = ad.seeked(to: 500)
        #expect(ad.played(to: 16_000) == [.named(.firstQuartile), .named(.midpoint), .named(.thirdQuartile)])
        #expect(ad.ended() == [.named(.complete)])
    }

    @Test func skipWaitsForItsOffset() {
        var ad = playback(skipFrom: 5_000)
        _ = ad.started()
        _ = ad.played(to: 4_999)
        #expect(ad.skipped() == [])
        _ = ad.played(to: 5_000)
        #expect(ad.skipped().contains(.named(.skip)))
        #expect(ad.isOver)
    }
}
