import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct EventDetailTests {
    /// The first quartile of B2/A2 selected, skipped for a reason before any URL was due.
    private func skipped(_ reason: SkipReason) throws -> DashboardSample {
        var snapshot = SnapshotSamples.midBreak
        snapshot.counters.events = [.skipped: 1]
        snapshot.deliveries.note(.skipped, host: "t.example")
        snapshot.breaks[1].ads[1].events[2].state = .skipped
        snapshot.breaks[1].ads[1].events[2].reason = reason
        for url in snapshot.breaks[1].ads[1].events[2].urls.indices {
            snapshot.breaks[1].ads[1].events[2].urls[url].state = .planned
            snapshot.breaks[1].ads[1].events[2].urls[url].attempts = []
        }
        var sample = DashboardSample(snapshot, 120, 40)
        let path = NodePath(breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")
        sample.state.views.breaks.tree.follows = false
        sample.state.views.breaks.tree.expanded.insert(.viewerActions(ofAd: "brandx-summer-id", in: "break-B2"))
        sample.state.views.breaks.tree.selection = path
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        return sample
    }

    @Test("an event that is not sent has one word in header, detail and URLs")
    func notSent() throws {
        let sample = try skipped(.seekedOver)
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("59 of 60 sent"))
        #expect(text.ranges(of: "state     ⊘ not sent").count == 3, "the event and its two URLs")
        #expect(!text.contains("skipped") && !text.contains("planned"))
    }

    @Test("every reason has a short form for rows and a sentence for the detail", arguments: SkipReason.allCases)
    func reasons(_ reason: SkipReason) throws {
        let text = TextWriter.text(of: try skipped(reason).frame.grid)
        #expect(text.contains(reason.words.short))
        #expect(text.contains(String(reason.words.sentence.prefix(30))))
    }
}
