import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite("what stays in the shell after the dashboard") struct ExitSummaryTests {
    @Test("a session that sent names breaks, beacons, and host and cause of what failed")
    func fired() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "rush"
        snapshot.counters.breaksOnAir = 3
        (snapshot.counters.beaconsSent, snapshot.counters.retries) = (1_056, 2)
        (snapshot.counters.beaconsAcknowledged, snapshot.counters.beaconsFailed) = (1_053, 1)
        snapshot.deliveries = DeliveryTally()
        #expect(
            ExitSummary.line(snapshot)
                == "rush: 3 breaks, 1,054 beacons due, 1,053 done, 1 failed (t.example-dsp.com 503)")
        // The break is forgotten: the host is still known.
        snapshot.breaks = []
        snapshot.activity.hosts = [
            HostView(host: "a.example", sent: 3, failed: 0), HostView(host: "b.example", sent: 3, failed: 1),
        ]
        #expect(ExitSummary.line(snapshot).hasSuffix("1 failed (b.example)"))
    }

    @Test("an observing session says that nothing was sent, and one that never opened why")
    func others() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "ch7"
        snapshot.session.mode = .observe
        snapshot.counters = Counters()
        snapshot.counters.breaksOnAir = 1
        snapshot.deliveries = DeliveryTally()
        #expect(ExitSummary.line(snapshot) == "ch7: 1 break, 0 beacons due")
        for _ in 0..<9 { snapshot.deliveries.note(.observed, host: "t.example") }
        #expect(ExitSummary.line(snapshot) == "ch7: 1 break, 9 beacons due, none sent (observe)")
    }

    @Test("breaks that only cues announce are counted, if they were played")
    func cuesOnly() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "plain"
        snapshot.counters = Counters()
        snapshot.deliveries = DeliveryTally()
        for index in snapshot.breaks.indices {
            snapshot.breaks[index].ads = []
            snapshot.breaks[index].source = "marker"
        }
        // B3 is to come, and the session joined after B1.
        #expect(ExitSummary.line(snapshot) == "plain: 2 breaks (cues only), 0 beacons due")
        snapshot.playedRanges = [SnapshotSamples.at(12, 39, 0)...SnapshotSamples.playhead]
        #expect(ExitSummary.line(snapshot) == "plain: 1 break (cues only), 0 beacons due")
        snapshot.counters.breaksOnAir = 2
        #expect(ExitSummary.line(snapshot) == "plain: 3 breaks (1 cues only), 0 beacons due")
    }

    @Test("beacons that were not sent have their reason, and where they have several each with its number")
    func unsentReason() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "ch7"
        snapshot.counters = Counters()
        (snapshot.counters.beaconsSent, snapshot.counters.beaconsAcknowledged) = (2, 2)
        snapshot.deliveries = DeliveryTally()
        for _ in 0..<9 { snapshot.deliveries.note(.skipped, host: "t.example") }
        for ad in snapshot.breaks[0].ads.indices {
            for event in snapshot.breaks[0].ads[ad].events.indices {
                for url in snapshot.breaks[0].ads[ad].events[event].urls.indices {
                    snapshot.breaks[0].ads[ad].events[event].urls[url].state = .skipped
                    snapshot.breaks[0].ads[ad].events[event].urls[url].reason = .hostNotAllowed
                }
            }
        }
        snapshot.breaks.removeSubrange(1...)
        #expect(
            ExitSummary.line(snapshot)
                == "ch7: 0 breaks, 11 beacons due, 2 done, 9 not sent (host not allowed)")
        let count = snapshot.breaks[0].ads.flatMap(\.events).flatMap(\.urls).count
        // A repetition was not due again.
        snapshot.breaks[0].ads[0].events[0].urls[0].reason = .duplicate
        snapshot.breaks[0].ads[0].events[1].urls[0].state = .observed
        snapshot.breaks[0].ads[0].events[1].urls[0].reason = .observeMode
        #expect(
            ExitSummary.line(snapshot).hasSuffix(
                ", 9 not sent (\(count - 2) host not allowed, 1 observe mode)"), "\(ExitSummary.line(snapshot))")
    }

    @Test("beacons that are in no break are named, so that the numbers add up")
    func othersAreNamed() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "rush"
        snapshot.counters = Counters()
        (snapshot.counters.beaconsSent, snapshot.counters.beaconsAcknowledged) = (34, 34)
        (snapshot.counters.adSpaceBeacons, snapshot.counters.pings) = (8, 1)
        snapshot.deliveries = DeliveryTally()
        #expect(
            ExitSummary.line(snapshot)
                == "rush: 0 breaks, 34 beacons due (8 of ad spaces, 1 ping), 34 done")
    }

    @Test("what an earlier process lost is named where this one sent nothing")
    func earlier() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.name = "ch7"
        snapshot.counters = Counters()
        snapshot.counters.earlierUnknown = 2
        snapshot.deliveries = DeliveryTally()
        #expect(ExitSummary.line(snapshot) == "ch7: 0 breaks, 0 beacons due, 2 unknown")
        snapshot.counters.earlierFailed = 1
        (snapshot.breaks, snapshot.activity.hosts) = ([], [])
        #expect(ExitSummary.line(snapshot) == "ch7: 0 breaks, 0 beacons due, 1 failed, 2 unknown")
    }

    @Test("on a terminal its rows end with whole words, and nothing is lost", arguments: [40, 60, 80])
    func rows(_ columns: Int) {
        let line =
            "rush: 3 breaks, 54 beacons due, 52 done, 2 failed (tracker.example.com 503, other.example timeout, …)"
        let rows = ExitSummary.rows(of: line, columns: columns)
        #expect(rows.count > 1 && rows.allSatisfy { $0.count <= columns }, "\(rows)")
        #expect(rows.joined(separator: " ") == line)
        #expect(ExitSummary.rows(of: line, columns: 0) == [line], "no terminal")
    }

    @Test("breaks before the join are a line and no rows of zeros, however many")
    func beforeJoin() throws {
        var snapshot = SnapshotSamples.midBreak
        for ad in snapshot.breaks[0].ads.indices {
            for event in snapshot.breaks[0].ads[ad].events.indices {
                snapshot.breaks[0].ads[ad].events[event].state = .skipped
                snapshot.breaks[0].ads[ad].events[event].reason = .seekedOver
                snapshot.breaks[0].ads[ad].events[event].isBeforeJoin = true
            }
        }
        let lines = summary(snapshot)
        #expect(lines[1] == "1 before join" && lines[2].hasPrefix("B2 "), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("B1 ") }, "\(lines)")
    }

    @Test("the tables of the summary have a column for unknown outcomes where there are any")
    func unknownColumn() throws {
        var snapshot = SnapshotSamples.midBreak
        #expect(!summary(snapshot).contains { $0.contains("unknown") })
        let event = snapshot.breaks[0].ads[0].events[0].event
        BreakSamples.settle(&snapshot.breaks[0].ads[0].events[0], .unknown)
        snapshot.activity.hosts[0].unknown = 3
        let lines = summary(snapshot)
        #expect(lines.allSatisfy { SafeText(outside: $0).columns <= 38 }, "\(lines)")
        #expect(lines[0].hasSuffix("done busy failed unknown idle"), "\(lines)")
        #expect(lines.contains { $0.contains(/^B1 +\d+ +0 +0 +1 +0$/) }, "\(lines)")
        #expect(lines.contains { $0.contains(/^by event +done  failed unknown$/) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix(event + " ") && $0.hasSuffix(" 1") }, "\(lines)")
        #expect(lines.contains { $0.contains(/^by host +p95  failed unknown$/) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("t.exam") && $0.hasSuffix(" 3") }, "\(lines)")
    }

    @Test(
        "the row of earlier breaks is in its columns, thousands are separated, and what does not fit is marked as cut")
    func earlierBreaks() throws {
        var snapshot = SnapshotSamples.many
        func row() throws -> String {
            let lines = summary(snapshot)
            let row = try #require(lines.first { $0.contains(" ea") })
            #expect(SafeText(outside: row).columns == SafeText(outside: lines[0]).columns, "\(row)")
            return row
        }
        #expect(try row().contains(#/^189 earlier +\d,\d{3} /#))
        BreakSamples.settle(&snapshot.breaks[199].ads[0].events[0], .unknown)
        #expect(try row().contains(#/^189 ea… \d,\d{3} /#))
        snapshot.breaks.removeFirst(186)
        #expect(try row().contains(#/^3 earlier +\d{3} /#))
    }

    @Test("a number that is wider than its column touches no other, and ends where the others do")
    func wideNumbers() throws {
        var snapshot = SnapshotSamples.midBreak
        let event = try #require(snapshot.breaks.last?.ads.first?.events.first { !$0.isUserTriggered })
        var ahead = event
        ahead.state = .idle
        for index in ahead.urls.indices { ahead.urls[index].state = .planned }
        let last = snapshot.breaks.indices.last ?? 0
        snapshot.breaks[last].ads = [snapshot.breaks[last].ads[0]]
        snapshot.breaks[last].ads[0].events = (0..<12_345).map { number in
            var copy = ahead
            copy.id = "e\(number)"
            return copy
        }
        BreakSamples.settle(&snapshot.breaks[0].ads[0].events[0], .unknown)
        let lines = summary(snapshot)
        let row = try #require(lines.first { $0.hasSuffix("12,345") }, "\(lines)")
        #expect(row.hasSuffix(" 0 12,345"), "\(row)")
        #expect(SafeText(outside: row).columns == SafeText(outside: lines[0]).columns)
    }

    private func summary(_ snapshot: Snapshot) -> [String] {
        let sample = DashboardSample(snapshot, 160, 45)
        let context = FrameContext(snapshot, sample.state, now: sample.now).context
        return SummaryPane.lines(context, sample.state.views.breaks.model, height: 45).map(\.string)
    }

    @Test("many sessions have one line: their sums, which failed most, and which were never opened")
    func sessions() {
        let all = SessionTableSamples.some
        #expect(
            ExitSummary.line(all)
                == "10 streams: 371 beacons due, 351 done, 3 failed (ch9-north 3), 2 unknown, 17 not sent")
        var (first, second) = (all[0], all[1])
        (first.counters.beaconsFailed, second.counters.beaconsFailed) = (1, 2)
        var unopened = SessionTableSamples.session("news", 4)
        (unopened.kind, unopened.counters, unopened.phase) = (.unknown, Counters(), .ended)
        unopened.playlist.problem = "answered 404"
        #expect(
            ExitSummary.line([first, second, unopened])
                == "3 streams: 81 beacons due, 81 done, 3 failed (ch8 2, ch7 1), 1 not opened (news)")
        var observing = SessionTableSamples.session("obs", 0, mode: .observe)
        observing.counters = Counters()
        for _ in 0..<2 { observing.deliveries.note(.observed, host: "t.example") }
        #expect(ExitSummary.line([observing]) == "1 stream: 2 beacons due, none sent (observe)")
    }

    private func rows(_ sample: DashboardSample) -> [String] { TextWriter.rows(of: sample.frame.grid) }

    @Test("the line of a first run names keys of the key map, and Esc or a click hides it")
    func tip() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        sample.state.settings.showsTip = true
        let row = rows(sample)[22]
        #expect(row.hasPrefix(" One tracker fails on purpose:  ! show it  Enter details  ?keys"), "\(row)")
        #expect(row.hasSuffix("Esc hides this"), "\(row)")
        var clicked = sample
        try sample.press("2 2 Escape")
        #expect(rows(sample)[22].contains("on purpose") && !sample.state.isZoomed, "first what is open is closed")
        try sample.press("Escape Escape")
        #expect(!rows(sample)[22].contains("on purpose"))
        #expect(sample.state.focus == .tree && sample.effects.isEmpty)
        clicked.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: 3, y: 22)))))
        #expect(!clicked.state.settings.showsTip)
    }
}
