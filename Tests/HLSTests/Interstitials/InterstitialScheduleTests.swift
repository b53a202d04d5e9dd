import HLS
import Ports
import Testing

/// The order in which a complete playlist plays (HLS-20).
@Suite struct InterstitialScheduleTests {
    /// An interstitial with one asset of `length` seconds that starts `start` seconds after `epochDate`.
    private func interstitial(
        _ id: String, at start: Double, _ length: Double, edit: (inout Interstitial) -> Void = { _ in }
    ) -> Interstitial {
        var made = Interstitial(id: id)
        made.start = .second(start)
        made.assetURI = "https://ads.example.com/\(id).m3u8"
        made.expectedDuration = .seconds(length)
        edit(&made)
        return made
    }

    /// `id: from-to` in primary seconds; `-` for the primary stream itself.
    private func primary(_ interstitials: [Interstitial]) -> [String] {
        let timeline = folded(
            steady(0) {
                $0.hasEndList = true
                $0.interstitials = interstitials
            })
        return InterstitialSchedule(timeline).items.map { item in
            "\(item.id ?? "-"): \((item.primary.start - .zero).inSeconds)-\((item.primary.end - .zero).inSeconds)"
        }
    }

    @Test func withoutInterstitialsThereIsTheStream() {
        #expect(primary([]) == ["-: 0.0-36.0"])
    }

    @Test func snapsBothEnds() {
        let snapped = interstitial("a", at: 13, 10) { $0.snap = [.out, .in] }
        #expect(primary([snapped]) == ["-: 0.0-12.0", "a: 12.0-24.0", "-: 24.0-36.0"])
    }

    @Test func aLimitCutsTheLength() {
        let limited = interstitial("a", at: 12, 20) { $0.playoutLimit = .seconds(5) }
        #expect(primary([limited]) == ["-: 0.0-12.0", "a: 12.0-17.0", "-: 17.0-36.0"])
    }

    @Test func overlapLeavesNoStreamBetween() {
        #expect(
            primary([interstitial("a", at: 6, 12), interstitial("b", at: 12, 12)]) == [
                "-: 0.0-6.0", "a: 6.0-18.0", "b: 12.0-24.0", "-: 24.0-36.0",
            ])
    }

    @Test func whatTheStreamDoesNotReachIsNotScheduled() {
        #expect(primary([interstitial("a", at: -5, 3), interstitial("b", at: 46, 3)]) == ["-: 0.0-36.0"])
        #expect(primary([interstitial("a", at: 36, 3)]) == ["-: 0.0-36.0", "a: 36.0-39.0"])
    }

    @Test func aNegativeOffsetPlaysTheStreamAgain() {
        let back = interstitial("a", at: 12, 5) { $0.resumeOffset = .seconds(-6) }
        #expect(primary([back]) == ["-: 0.0-12.0", "a: 12.0-6.0", "-: 6.0-36.0"])
    }

    @Test func whatHasNoAssetIsNotScheduled() {
        #expect(primary([interstitial("a", at: 12, 5) { $0.assetURI = nil }]) == ["-: 0.0-36.0"])
    }
}
