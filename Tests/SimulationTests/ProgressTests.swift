import AdTracking
import HLS
import Ports
import Session
import Testing

@testable import Simulation

@Suite struct ProgressTests {
    private static func marks(_ change: (inout StateMarks) -> Void) -> StateMarks {
        var marks = StateMarks(phase: .running, playlist: .good, metadata: .good, playhead: .playing)
        marks.counters.beaconsSent = 5
        marks.counters.beaconsAcknowledged = 4
        marks.counters.beaconsFailed = 3
        marks.counters.metadataPolls = 2
        marks.counters.playlistReloads = 7
        marks.counters.late = 1
        marks.stream = StreamTime(microseconds: 10_000_000)
        change(&marks)
        return marks
    }

    @Test func whatGrowsOrStaysIsFine() {
        var progress = Progress()
        #expect(progress.observe(Self.marks { _ in }) == [])
        #expect(progress.observe(Self.marks { _ in }) == [])
        #expect(progress.observe(Self.marks { $0.counters.beaconsSent = 6 }) == [])
        #expect(
            progress.observe(
                Self.marks {
                    $0.counters.beaconsSent = 6
                    $0.stream = StreamTime(microseconds: 10_000_001)
                }) == [])
    }

    @Test func eachTotalThatFallsIsNamed() {
        let totals: [(WritableKeyPath<Counters, Int>, String)] = [
            (\.beaconsSent, "the total of sent fell from 5 to 4"),
            (\.beaconsAcknowledged, "the total of acknowledged fell from 4 to 3"),
            (\.beaconsFailed, "the total of failed fell from 3 to 2"),
            (\.metadataPolls, "the total of polls fell from 2 to 1"),
            (\.playlistReloads, "the total of reloads fell from 7 to 6"),
            (\.late, "the total of late fell from 1 to 0"),
        ]
        for (path, message) in totals {
            var progress = Progress()
            _ = progress.observe(Self.marks { _ in })
            #expect(progress.observe(Self.marks { $0.counters[keyPath: path] -= 1 }) == [message])
        }
    }

    /// Another session has stream times of its own; the viewer's media date goes on.
    @Test func theNextSessionContinuesByDate() {
        var progress = Progress()
        _ = progress.observe(Self.marks { $0.date = UnixTime(milliseconds: 60_000) })
        let joining = Self.marks { ($0.renewals, $0.stream) = (1, nil) }
        #expect(progress.observe(joining) == [])
        func next(_ date: Int64, _ stream: Int64) -> StateMarks {
            Self.marks {
                ($0.renewals, $0.date) = (1, UnixTime(milliseconds: date))
                $0.stream = StreamTime(microseconds: stream)
            }
        }
        var copy = progress
        #expect(copy.observe(next(58_000, 1_000_000)) == ["playback went back by 2000 ms in the next session"])
        var early = next(58_000, 1_000_000)
        early.edge = UnixTime(milliseconds: 59_000)
        var damaged = progress
        #expect(damaged.observe(early) == [])
        early.edge = UnixTime(milliseconds: 60_000)
        copy = progress
        #expect(copy.observe(early) == ["playback went back by 2000 ms in the next session"])
        #expect(progress.observe(next(60_000, 2_000_000)) == [])
        #expect(progress.observe(next(61_000, 1_000_000)) == ["playback went back by 1000 ms"])
    }

    @Test func playbackThatGoesBackIsNamedUnlessAnInterstitialPlays() {
        var progress = Progress()
        _ = progress.observe(Self.marks { _ in })
        let back = Self.marks { $0.stream = StreamTime(microseconds: 9_000_000) }
        var copy = progress
        #expect(copy.observe(back) == ["playback went back by 1000 ms"])
        var interstitial = back
        interstitial.playhead = .interstitial
        #expect(progress.observe(interstitial) == [])
    }
}
