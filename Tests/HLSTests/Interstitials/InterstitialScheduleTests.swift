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

    private func schedule(_ interstitials: [Interstitial]) -> InterstitialSchedule {
        InterstitialSchedule(
            folded(
                steady(0) {
                    $0.hasEndList = true
                    $0.interstitials = interstitials
                }))
    }

    /// `id: from-to` in seconds of one clock; `-` for the primary stream itself, `?` for what is unknown.
    private func times(
        _ schedule: InterstitialSchedule, _ clock: (InterstitialSchedule.Item) -> InterstitialSchedule.Span
    ) -> [String] {
        func seconds(_ time: StreamTime?) -> String { time.map { "\(($0 - .zero).inSeconds)" } ?? "?" }
        return schedule.items.map { item in
            "\(item.id ?? "-"): \(seconds(clock(item).start))-\(seconds(clock(item).end))"
        }
    }

    private func primary(_ interstitials: [Interstitial]) -> [String] { times(schedule(interstitials), \.primary) }

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

    /// An asset list that was not read has the length of its tag (HLS-19); where that states none it is unknown, and so is all that follows
    /// from it.
    @Test func anUnknownLengthIsNotZero() throws {
        let unknown = interstitial("a", at: 12, 0) {
            ($0.assetURI, $0.assetList, $0.expectedDuration) = (nil, "https://ads.example.com/a.json", nil)
        }
        let made = schedule([unknown, interstitial("b", at: 24, 5)])
        #expect(times(made, \.primary) == ["-: 0.0-12.0", "a: 12.0-?", "-: ?-24.0", "b: 24.0-29.0", "-: 29.0-36.0"])
        #expect(times(made, \.playout) == ["-: 0.0-12.0", "a: 12.0-?", "-: ?-?", "b: ?-?", "-: ?-?"])
        let json = made.json(playlistURI: "https://a.example/v.m3u8")
        #expect(json["durations"] == ["primary": 36_000, "playout": nil, "integrated": nil])
        #expect(json["items"]?.arrayValue?[1]["playout"] == ["start": 12_000, "end": nil])
        #expect(json["items"]?.arrayValue?[1]["integrated"] == ["start": 12_000, "end": 12_000])
    }

    @Test func whatTheTagStatesIsTheLengthOfAList() throws {
        func list(_ edit: (inout Interstitial) -> Void) -> Interstitial {
            interstitial("a", at: 12, 0) {
                ($0.assetURI, $0.assetList, $0.expectedDuration) = (nil, "https://ads.example.com/a.json", nil)
                edit(&$0)
            }
        }
        #expect(primary([list { $0.expectedDuration = .seconds(10) }])[1] == "a: 12.0-22.0")
        #expect(primary([list { $0.playoutLimit = .seconds(5) }])[1] == "a: 12.0-17.0")
        // Where the stream resumes is known, how long the interstitial is not.
        let resumed = schedule([list { $0.resumeOffset = .seconds(6) }])
        #expect(times(resumed, \.primary) == ["-: 0.0-12.0", "a: 12.0-18.0", "-: 18.0-36.0"])
        #expect(times(resumed, \.playout) == ["-: 0.0-12.0", "a: 12.0-?", "-: ?-?"])
        // Those at one point begin where the ones before have resumed.
        let group = schedule([list { _ in }, interstitial("b", at: 12, 5)])
        #expect(times(group, \.primary) == ["-: 0.0-12.0", "a: 12.0-?", "b: ?-?", "-: ?-36.0"])
    }

    @Test func whatHasNoAssetIsNotScheduled() {
        #expect(primary([interstitial("a", at: 12, 5) { $0.assetURI = nil }]) == ["-: 0.0-36.0"])
    }
}
