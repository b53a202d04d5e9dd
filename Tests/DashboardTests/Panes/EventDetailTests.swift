import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct EventDetailTests {
    @Test(
        "of several URLs the one that decides the state is shown and copied, as it was requested",
        arguments: [
            (DeliveryState.acknowledged, DeliveryState.unknown, ReportingState.unknown),
            (.acknowledged, .sent, .connecting), (.acknowledged, .failed, .partial), (.skipped, .acknowledged, .done),
            (.observed, .rejected, .failed),
        ])
    func decisive(_ first: DeliveryState, _ second: DeliveryState, _ state: ReportingState) throws {
        var snapshot = SnapshotSamples.midBreak
        var event = snapshot.breaks[1].ads[1].events[2]
        event.state = state
        (event.urls[0].state, event.urls[1].state) = (first, second)
        event.urls[1].attempts = [AttemptView(at: SnapshotSamples.now.advanced(by: .seconds(-2)), exchange: nil)]
        event.urls[1].requested = "https://t.example/second?t=17"
        snapshot.breaks[1].ads[1].events[2] = event
        #expect(EventDetail.shownURL(of: event) == event.urls[1])
        #expect(EventOutcome.lastAttempt(of: event) == event.urls[1].attempts[0])
        var sample = selected(snapshot, 80, 24)
        #expect(TextWriter.text(of: sample.frame.grid).contains("https://t.example/second?t=17"))
        try sample.press("y")
        #expect(sample.effects == [.copy("https://t.example/second?t=17", .url)])
    }

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
        return selected(snapshot, 200, 60)
    }

    /// The first quartile of B2/A2 selected.
    private func selected(_ snapshot: Snapshot, _ columns: Int, _ rows: Int) -> DashboardSample {
        var sample = DashboardSample(snapshot, columns, rows)
        let path = NodePath(breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")
        sample.state.views.breaks.tree.follows = false
        sample.state.views.breaks.tree.expanded.insert(.viewerActions(ofAd: "brandx-summer-id", in: "break-B2"))
        sample.state.views.breaks.tree.selection = path
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        return sample
    }

    @Test(
        "a retry is offered beside what was lost, and only there", arguments: ReportingState.allCases,
        [(80, 24), (120, 40)])
    func retryHint(_ state: ReportingState, _ size: (Int, Int)) throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads[1].events[2].state = state
        let text = TextWriter.text(of: selected(snapshot, size.0, size.1).frame.grid)
        let isLost = [.failed, .partial, .unknown].contains(state)
        #expect(text.contains("y copy url") && text.contains("r retry") == isLost)
    }

    @Test("the date of the stream and the viewer's clock are apart, each by its name")
    func clocks() throws {
        let text = TextWriter.text(of: selected(SnapshotSamples.midBreak, 200, 60).frame.grid)
        // The stream is played 6.2 s behind the clock.
        #expect(text.contains("due       12:40:53.7 media   12:40:59.9Z clock"), "\(text)")
        #expect(text.contains("sent      12:41:00.1Z clock   0.2s after it was due"), "\(text)")
        let event = SnapshotSamples.midBreak.breaks[1].ads[1].events[2]
        #expect(EventDetail.clockDue(event) == SnapshotSamples.at(12, 41, 0.1) - .milliseconds(200))
        #expect(EventDetail.clockDue(SnapshotSamples.midBreak.breaks[2].ads[0].events[0]) == nil, "not sent yet")
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
        // The event is one that playback makes due.
        let words = ReasonWord(reason, isBeforeJoin: false, isWithdrawn: false, isUserTriggered: false)
        #expect(text.contains(words.short))
        #expect(text.contains(String(words.sentence.prefix(30))))
    }
}
