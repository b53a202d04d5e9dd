import AdTracking
import Ports
import Testing

/// Known media and its ads have other dates (TRK-33).
@Suite struct RedatedBreaksTests {
    private static let shifts: [Int64] = [-3_600_000, -70_000, -5_000, 5_000, 70_000, 3_600_000]

    /// An ad of 15 s, 10 s behind the start of the stream.
    private static func listed(by shift: Int64 = 0) -> [AdBreak] {
        [.test("b", 10_000 + shift, 15_000, [.full("a", 10_000 + shift, 15_000)])]
    }

    /// A viewer in the middle of the ad: the first three of its six beacons are sent.
    private static func viewer(_ list: (inout AdViewer) -> Void) -> AdViewer {
        var viewer = AdViewer()
        list(&viewer)
        viewer.play(0, 16_000)
        #expect(viewer.requests.count == 3)
        return viewer
    }

    /// Plays the rest, of which the midpoint is due 1.5 s behind the correction.
    private static func finish(_ viewer: inout AdViewer, by shift: Int64) {
        #expect(viewer.requests.count == 3)
        viewer.playOn(16_000 + shift, 17_000 + shift)
        #expect(viewer.requests.count == 3)
        viewer.playOn(17_000 + shift, 18_000 + shift)
        #expect(viewer.requests.count == 4)
        viewer.playOn(18_000 + shift, 40_000 + shift)
        #expect(viewer.requests.count == 6 && Set(viewer.requests).count == 6)
        #expect(viewer.tracker.book.breaks.count == 1)
    }

    @Test(arguments: shifts) func metadataFollowsThePlaylist(by shift: Int64) {
        var viewer = Self.viewer { $0.metadata(Self.listed(), range: -10_000...30_000) }
        viewer.tracker.redated(by: .milliseconds(shift))
        viewer.metadata(Self.listed(by: shift), range: 6_000 + shift...46_000 + shift)
        Self.finish(&viewer, by: shift)
    }

    /// A step of the dates until then.
    @Test(arguments: shifts) func metadataFollowsLater(by shift: Int64) {
        var viewer = Self.viewer { $0.metadata(Self.listed(), range: -10_000...30_000) }
        viewer.tracker.redated(by: .milliseconds(shift))
        viewer.playOn(16_000 + shift, 16_500 + shift)
        viewer.metadata(Self.listed(), range: -9_500...30_500)
        viewer.playOn(16_500 + shift, 16_800 + shift)
        viewer.metadata(Self.listed(by: shift), range: 6_800 + shift...46_800 + shift)
        viewer.playOn(16_800 + shift, 17_000 + shift)
        #expect(viewer.requests.count == 3)
        viewer.playOn(17_000 + shift, 40_000 + shift)
        #expect(viewer.requests.count == 6 && Set(viewer.requests).count == 6)
        #expect(viewer.tracker.book.breaks.count == 1)
    }

    @Test(arguments: shifts) func dateRangesFollowThePlaylist(by shift: Int64) {
        var viewer = Self.viewer { $0.place(Self.listed(), by: .signaling) }
        viewer.tracker.redated(by: .milliseconds(shift))
        viewer.place(Self.listed(by: shift), by: .signaling)
        Self.finish(&viewer, by: shift)
    }

    /// Only metadata has other dates, and the data range does not have the old ones any more: no beacon is sent twice.
    @Test(arguments: [Int64(-3_600_000), -70_000, 70_000, 3_600_000]) func equalIDsAreTheSame(by shift: Int64) {
        var viewer = Self.viewer { $0.metadata(Self.listed(), range: -10_000...30_000) }
        viewer.metadata(Self.listed(by: shift), range: 6_000 + shift...46_000 + shift)
        viewer.playOn(16_000 + shift, 60_000 + shift)
        #expect(Set(viewer.requests).count == viewer.requests.count)
    }

    /// An ad airs again with ids and URLs that it had, while the data range moves on with the time.
    @Test func anAdThatAirsAgainIsAnother() {
        var viewer = AdViewer()
        viewer.metadata(Self.listed(), range: -10_000...30_000)
        viewer.play(0, 90_000)
        viewer.metadata(Self.listed(by: 70_000), range: 80_000...120_000)
        viewer.play(90_000, 120_000)
        #expect(viewer.requests.count == 12)
    }

    /// Play continues at another date than that at which it was: what lies between is due with the next media, and what is at any other place
    /// shows then.
    @Test(arguments: [
        (Int64(9_500), false), (9_900, false), (10_000, true), (10_200, true), (9_300, false), (60_000, true),
        (0, true),
    ])
    func whatChangedDatesPassOverIsDueWhenPlayContinues(_ place: Int64, _ isDue: Bool) {
        var viewer = AdViewer()
        viewer.metadata(Self.listed())
        #expect(!viewer.tracker.isDue(whenPlayContinuesAt: .ms(place), rate: 1))
        viewer.play(0, 9_500)
        #expect(viewer.tracker.isDue(whenPlayContinuesAt: .ms(place), rate: 1) == isDue)
        #expect(!viewer.tracker.isDue(whenPlayContinuesAt: .ms(place), rate: 8))
        viewer.seek(9_500)
        #expect(!viewer.tracker.isDue(whenPlayContinuesAt: .ms(place), rate: 1))
    }
}
