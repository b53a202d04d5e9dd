import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// What the program waits for has its seconds on the screen, and its limit where there is one (feature 20).
@Suite struct WaitingTests {
    /// The row and the detail of B2/A2's first quartile after a change of it.
    private func text(_ change: (inout EventView) -> Void, size: (Int, Int) = (120, 40)) throws -> (
        row: String, all: String
    ) {
        var snapshot = SnapshotSamples.midBreak
        change(&snapshot.breaks[1].ads[1].events[2])
        var sample = DashboardSample(snapshot, size.0, size.1)
        sample.state.views.breaks.tree.follows = false
        sample.state.views.breaks.tree.selection = NodePath(
            breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        let all = TextWriter.text(of: sample.frame.grid)
        let row = all.split(separator: "\n").first { $0.contains("firstQuartile") && $0.contains("12:40:53") } ?? ""
        return (String(row), all)
    }

    @Test("a beacon in flight counts its seconds", arguments: [(80, 24), (120, 40), (200, 60)])
    func busy(_ columns: Int, _ rows: Int) throws {
        let text = try text(
            { event in
                event.state = .connecting
                event.urls = [event.urls[0]]
                event.urls[0].state = .sent
                event.urls[0].attempts = [
                    AttemptView(at: SnapshotSamples.now.advanced(by: .milliseconds(-1_300)), exchange: nil)
                ]
            }, size: (columns, rows))
        #expect(text.row.contains("busy 1.3s"))
        #expect(text.all.contains("◌ busy"))
    }

    @Test("a beacon that is sent again counts down to it", arguments: [(80, 24), (120, 40), (200, 60)])
    func retry(_ columns: Int, _ rows: Int) throws {
        let text = try text(
            { event in
                event.state = .connecting
                event.urls = [event.urls[0]]
                event.urls[0].state = .waiting
                event.urls[0].retryAt = SnapshotSamples.now.advanced(by: .milliseconds(9_200))
            }, size: (columns, rows))
        #expect(text.row.contains("503  retry in 9.2s"))
        #expect(text.all.ranges(of: "retry in 9.2s").count >= 2, "the row and the detail")
        #expect(text.all.contains("↻ retry"))
    }

    @Test("a beacon to come counts down to its time", arguments: [(80, 24), (120, 40), (200, 60)])
    func coming(_ columns: Int, _ rows: Int) throws {
        let sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("in 4.0s"))
        #expect(text.contains("complete in 4.0 s"), "on air")
    }

    @Test(
        "a request that opens the stream counts its seconds up to its limit",
        arguments: [(80, 24), (120, 40), (200, 60)])
    func opening(_ columns: Int, _ rows: Int) throws {
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.requests[1].limit = .seconds(10)
        let text = TextWriter.text(of: DashboardSample(snapshot, columns, rows).frame.grid)
        #expect(text.contains("no answer yet, 4s of 10s"))
        #expect(text.contains("try 3, next in 7s"))
    }
}
