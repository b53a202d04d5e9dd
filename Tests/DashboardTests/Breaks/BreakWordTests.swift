import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The words for breaks, ads and their events, in rows and in the detail.
@Suite struct BreakWordTests {
    private func text(_ snapshot: Snapshot, _ columns: Int = 120, _ rows: Int = 40, keys: String = "") throws -> String
    {
        var sample = DashboardSample(snapshot, columns, rows)
        if !keys.isEmpty { try sample.press(keys) }
        return TextWriter.text(of: sample.frame.grid)
    }

    @Test("the summary counts the breaks that it has no row for")
    func summaryCounts() throws {
        let rows = try text(SnapshotSamples.many, keys: "4").split(separator: "\n")
        let row = try #require(rows.first { $0.contains(" earlier ") })
        #expect(row.contains(/[1-9][0-9]* earlier +[0-9]/), "\(row)")
        #expect(!rows.contains { $0.contains("earliers") })
    }

    /// A break that ended before the session joined.
    private func earlier(_ number: Int) -> BreakView {
        var view = BreakSamples.past(number: number, of: 4, events: 3)
        for ad in view.ads.indices {
            for index in view.ads[ad].events.indices {
                view.ads[ad].events[index].state = .skipped
                view.ads[ad].events[index].reason = .seekedOver
                view.ads[ad].events[index].isBeforeJoin = true
                for url in view.ads[ad].events[index].urls.indices {
                    view.ads[ad].events[index].urls[url].state = .planned
                    view.ads[ad].events[index].urls[url].attempts = []
                }
            }
        }
        return view
    }

    @Test("what the service reports is said to be so, before the join and after it")
    func byService() throws {
        var snapshot = joined
        for index in snapshot.breaks.indices.prefix(4) {
            for ad in snapshot.breaks[index].ads.indices {
                for event in snapshot.breaks[index].ads[ad].events.indices {
                    snapshot.breaks[index].ads[ad].events[event].state = .skipped
                    snapshot.breaks[index].ads[ad].events[event].reason = .serverBeaconed
                }
            }
        }
        let folded = try text(snapshot, keys: "g")
        #expect(folded.contains("▸ 3 earlier breaks (before join)"))
        #expect(folded.contains("reported by the service: none of"))
        #expect(!folded.contains("joined after"))
        let open = try text(snapshot, 200, 60, keys: "g Enter j l j l j")
        #expect(open.contains("reason    reported by the service"), "\(open)")
        #expect(open.ranges(of: "by service").count >= 4, "\(open)")
        #expect(!open.contains("joined after"), "\(open)")
        #expect(BreakOutcome(snapshot.breaks[3]).line.string.hasSuffix(" reported by the service"))
        // The line of an event in JSON has the word of the screen.
        #expect(snapshot.breaks[0].ads[0].events[0].reasonWords == SkipReason.serverBeaconed.words)
    }

    /// Some events of B1 due long before they were sent, which the header counts.
    private func late(_ count: Int, by late: Duration) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        for index in 0..<count { snapshot.breaks[0].ads[0].events[index].urls[0].late = late }
        snapshot.counters.late = count
        return snapshot
    }

    @Test("what was late is counted beside what is done, in rows, in the detail and in the line of the last break")
    func late() throws {
        let snapshot = late(5, by: .milliseconds(28_500))
        #expect(BreakOutcome(snapshot.breaks[0]).line.string == "12 of 12 done, 5 late")
        #expect(BreakOutcome(snapshot.breaks[0].ads[0]).line.string == "6 of 6 done, 5 late")
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("g")
        let rows = TextWriter.rows(of: sample.frame.grid)
        #expect(rows[0].contains("5 late"), "\(rows[0])")
        #expect(rows.contains { $0.contains(/B1 .* 5 late  .*12\/12/) }, "\(rows)")
        #expect(rows.contains { $0.contains("12 of 12 done   5 late") }, "\(rows)")
        let context = FrameContext(snapshot, sample.state, now: sample.now).context
        let tally = BreakSummary(snapshot.breaks[0], filter: TextFilter("")).ads[0]
        #expect(TallyText.fraction(tally, context).segments.map(\.role) == [.stateRetry])
    }

    @Test("an event is late from the same moment on as in the header: after a second")
    func punctual() throws {
        let snapshot = late(2, by: .seconds(1))
        #expect(BreakOutcome(snapshot.breaks[0]).line.string == "12 of 12 done")
        var observed = late(2, by: .milliseconds(1_001))
        observed.breaks[0] = BreakSamples.observed(observed.breaks[0])
        #expect(BreakOutcome(observed.breaks[0]).line.string == "12 due, none sent (observe), 2 late")
    }

    private var joined: Snapshot {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks = [earlier(1), earlier(2), earlier(3)] + snapshot.breaks
        snapshot.playedRanges = [snapshot.breaks[3].start - .seconds(5)...SnapshotSamples.playhead]
        return snapshot
    }

    @Test("signs have the words of their states")
    func signs() {
        for state in ReportingState.allCases { #expect(StateSign(state).word.string == state.word.rawValue) }
        for state in DeliveryState.allCases { #expect(StateSign(state).word.string == state.word.rawValue) }
    }

    @Test("observe mode claims nothing (D4)")
    func observing() throws {
        let shown = try text(SnapshotSamples.observing, 200, 60, keys: "g")
        #expect(shown.contains("12 of 12 due, none sent (observe)"))
        #expect(shown.contains("12/12 due"))
        #expect(!shown.contains("reported"))
        // The totals of the summary are what was sent before, in whatever mode.
        let rows = shown.split(separator: "\n").filter { !$0.contains("sent  ") }
        #expect(!rows.contains { $0.contains(" done") })
    }

    @Test("beacons that are not sent have their reason, and where they have several the most frequent with its number")
    func reasons() throws {
        var snapshot = SnapshotSamples.midBreak
        let place = try #require(snapshot.breaks.indices.last { !snapshot.breaks[$0].ads.isEmpty })
        for index in snapshot.breaks[place].ads[0].events.indices {
            snapshot.breaks[place].ads[0].events[index].state = .skipped
            snapshot.breaks[place].ads[0].events[index].reason = .hostNotAllowed
        }
        let context = FrameContext(snapshot, DashboardSample(snapshot, 120, 40).state, now: SnapshotSamples.now).context
        var summary = BreakSummary(snapshot.breaks[place], filter: TextFilter(""))
        #expect(
            TallyText.sentence(summary.tally, isCuesOnly: false, context).string
                .hasSuffix("\(summary.tally.unsent) not sent (host not allowed)"))
        snapshot.breaks[place].ads[0].events[0].reason = .queueFull
        summary = BreakSummary(snapshot.breaks[place], filter: TextFilter(""))
        #expect(
            TallyText.sentence(summary.tally, isCuesOnly: false, context).string
                .hasSuffix("\(summary.tally.unsent) not sent (\(summary.tally.unsent - 1) host not allowed)"))
    }

    @Test("a break joined in its middle has what was not sent, and why (D8)")
    func joinedMidway() {
        var view = BreakSamples.past(number: 1, of: 4, events: 3)
        for index in view.ads[0].events.indices {
            view.ads[0].events[index].state = .skipped
            view.ads[0].events[index].reason = .seekedOver
            view.ads[0].events[index].isBeforeJoin = true
        }
        let sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let context = FrameContext(sample.snapshot, sample.state, now: sample.now).context
        let tally = BreakSummary(view, filter: TextFilter("")).tally
        #expect(
            TallyText.sentence(tally, isCuesOnly: false, context).string == "3 of 6 done   3 not sent (before join)")
        #expect(TallyText.fraction(tally, context).string == "3/6")
        #expect(BreakOutcome(view).line.string == "3 of 6 done")
    }

    @Test("a break that was over at the join has no count of what was not sent")
    func joinedAfter() {
        var view = earlier(1)
        #expect(BreakOutcome(view).line.string == "before this session joined")
        for ad in view.ads.indices {
            for event in view.ads[ad].events.indices { view.ads[ad].events[event].reason = .serverBeaconed }
        }
        #expect(BreakOutcome(view).line.string.hasSuffix(" reported by the service"))
    }

    @Test("breaks before the join are one row that unfolds (D8)")
    func beforeJoin() throws {
        let folded = try text(joined, keys: "g")
        #expect(folded.contains("▸ 3 earlier breaks (before join)"))
        #expect(folded.contains("this session joined after them"))
        #expect(!folded.contains("jumped"))
        let open = try text(joined, 200, 60, keys: "g Enter j")
        #expect(open.contains("▾ 3 earlier breaks (before join)"))
        #expect(open.contains("6 not sent: this session joined after it"))
        #expect(open.ranges(of: "before join").count >= 4)
        var sample = DashboardSample(joined, 120, 40)
        try sample.press("/")
        sample.type("B1")
        #expect(!TextWriter.text(of: sample.frame.grid).contains("earlier breaks"), "a filter shows every break")
    }

    @Test("what only the viewer triggers is one row of each ad (improvement 7)")
    func viewerActions() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        #expect(TextWriter.text(of: sample.frame.grid).contains("▸ ○ 3 viewer actions (m p)"))
        #expect(!TextWriter.text(of: sample.frame.grid).contains("unmute"))
        let row = try #require(sample.state.views.breaks.model.rows.firstIndex { $0.group == .viewerActions })
        while sample.state.views.breaks.model.selectedRow < row { try sample.press("j") }
        #expect(TextWriter.text(of: sample.frame.grid).contains("sent only on the viewer's action"))
        try sample.press("l")
        let open = TextWriter.text(of: sample.frame.grid)
        #expect(open.contains("▾ ○ 3 viewer actions (m p)") && open.contains("unmute"))
        try sample.press("j h")
        #expect(!TextWriter.text(of: sample.frame.grid).contains("no URL"))
    }

    @Test("an event whose moment is not known is counted apart from the viewer's actions, and has its own reason")
    func withoutMoment() throws {
        var snapshot = SnapshotSamples.midBreak
        for (number, view) in snapshot.breaks.enumerated() {
            for ad in view.ads.indices {
                let events = snapshot.breaks[number].ads[ad].events
                guard let index = events.firstIndex(where: \.isUserTriggered) else { continue }
                snapshot.breaks[number].ads[ad].events[index].isUserTriggered = false
                snapshot.breaks[number].ads[ad].events[index].state = .skipped
                snapshot.breaks[number].ads[ad].events[index].reason = .userClass
                #expect(snapshot.breaks[number].ads[ad].events[index].reasonWords == .withoutMoment)
            }
        }
        var sample = DashboardSample(snapshot, 120, 40)
        #expect(TextWriter.text(of: sample.frame.grid).contains("▸ ○ 3 viewer actions (m p), 1 without a moment"))
        let row = try #require(sample.state.views.breaks.model.rows.firstIndex { $0.group == .viewerActions })
        while sample.state.views.breaks.model.selectedRow < row { try sample.press("j") }
        #expect(TextWriter.text(of: sample.frame.grid).contains("playback alone sends none of them"))
        try sample.press("l j")
        #expect(TextWriter.text(of: sample.frame.grid).contains("no moment of playback is known for it"))
    }

    @Test("what is on air says so, and a bar shows how its beacons went")
    func onAir() throws {
        let shown = try text(SnapshotSamples.midBreak, 200, 60, keys: "g j")
        #expect(shown.contains("● B2  12:40:31"))
        #expect(shown.contains("2 of 3 ads"))
        #expect(shown.contains("✗1"))
        #expect(shown.contains("● on air   11 of 19 done   1 failed"))
    }

    @Test("a growing break shows the length that its cue announced (D22)")
    func growing() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].duration = .seconds(6)
        snapshot.breaks[1].plannedEnd = snapshot.breaks[1].start + .seconds(6)
        snapshot.breaks[1].evidence = [
            BreakEvidenceView(
                source: "marker", kind: "cue", name: "", start: snapshot.breaks[1].start, duration: .seconds(16))
        ]
        #expect(try text(snapshot, 200, 60).contains("16.0s (6.0s so far)"))
        snapshot.breaks[1].hasEnded = true
        #expect(try !text(snapshot, 200, 60).contains("so far"))
    }

    @Test("a filter without a match shows no error beside it")
    func unmatched() throws {
        var sample = DashboardSample(SnapshotSamples.failing, 80, 24)
        try sample.press("/")
        sample.type("zzz")
        try sample.press("Enter")
        #expect(!TextWriter.text(of: sample.frame.grid).contains("playlist: connection refused"))
        sample.snapshot.breaks = []
        sample.snapshot.at = sample.snapshot.at.advanced(by: .seconds(1))
        sample.send(.snapshotArrived)
        #expect(TextWriter.text(of: sample.frame.grid).contains("playlist: connection refused"))
    }

    @Test("what a poll added late is late by seconds, cut as everywhere")
    func lateGrowth() {
        var fields = FieldLines(width: 200, wraps: false, .unicode)
        GrowthLines.add(SnapshotSamples.growing.breaks[1].growth, to: &fields)
        #expect(fields.lines.contains { $0.string.contains("  1.8s late") }, "\(fields.lines.map(\.string))")
    }

    @Test("a length is that after the answer; the one before is in the line above, if that is the answer before")
    func growingLength() {
        var growth = SnapshotSamples.growing.breaks[1].growth
        func shown() -> [String] {
            // The columns of values in the detail at 120x40.
            var fields = FieldLines(width: 54, wraps: true, .unicode)
            GrowthLines.add(growth, to: &fields)
            return fields.lines.map(\.string)
        }
        #expect(shown().contains { $0.hasSuffix("length 15.0s to 45.0s") })
        (growth.omitted, growth.steps[1].newEventCount) = (0, 0)
        #expect(shown()[1] == "          12:40:44.2  poll 22   +1 ad  length 45.0s")
    }

    @Test("what a ping brought names the ping")
    func growthByPing() {
        var growth = SnapshotSamples.growing.breaks[1].growth
        (growth.steps[0].poll, growth.steps[0].ping) = (nil, 3)
        growth.steps[1].poll = nil
        var fields = FieldLines(width: 200, wraps: false, .unicode)
        GrowthLines.add(growth, to: &fields)
        let lines = fields.lines.map(\.string)
        #expect(lines[0].contains("  ping 3 ") && lines.contains { $0.contains("  without a poll ") }, "\(lines)")
    }

    @Test("the last ad of a break that is not over has the announced length everywhere, and what is there of it")
    func growingAd() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads.removeLast()
        snapshot.breaks[1].ads[1].duration = .seconds(27)
        #expect(try !text(snapshot, 200, 60, keys: "g j").contains("27.0s"))
        #expect(try text(snapshot, 200, 60, keys: "g j 7").contains("length 30.0s (27.0s so far)"))
        snapshot.breaks[1].hasEnded = true
        #expect(try text(snapshot, 200, 60, keys: "g j").contains("27.0s"))
        #expect(try text(snapshot, 200, 60, keys: "g j 7").contains("length 27.0s"))
    }

    @Test("a break whose list of ads came empty has no ads, and no length")
    func empty() throws {
        var snapshot = SnapshotSamples.midBreak
        let start = SnapshotSamples.playhead - .seconds(4)
        snapshot.breaks = [
            BreakView(
                id: "b9", name: "ad-5525", label: "I5", start: start, duration: .zero, plannedEnd: start,
                source: "interstitial", isOnAir: false, hasEnded: true, hasVanished: false, ads: [])
        ]
        let shown = try text(snapshot, 200, 60)
        #expect(shown.contains(/I5  12:41:0\d  no ads  interstitial/), "\(shown)")
        #expect(shown.contains("─ no ads   nothing to report"))
        #expect(shown.contains("last break I5 ended 0:04 ago, no ads"))
        #expect(!shown.contains(" 0.0s"), "\(shown)")
    }

    /// An interstitial that is over; nothing was played of it.
    private func cancelled(_ length: Duration) -> Snapshot {
        var snapshot = SnapshotSamples.midBreak
        let start = SnapshotSamples.playhead - .seconds(24)
        snapshot.breaks = [
            BreakView(
                id: "b9", name: "pod", label: "I5", start: start, duration: length, plannedEnd: start + length,
                source: "interstitial", isOnAir: false, hasEnded: true, hasVanished: false, ads: [])
        ]
        snapshot.breaks[0].problem = "answered 404"
        var view = InterstitialView(id: "pod")
        view.breakID = "b9"
        view.findings = [Finding(rule: "interstitial-failed", severity: .error, message: "no list: answered 404")]
        snapshot.interstitials = [view]
        return snapshot
    }

    @Test("an interstitial whose assets could not be loaded has a word of its own, and its pane what failed")
    func failedAssets() throws {
        for length in [Duration.seconds(20), .zero] {
            let shown = try text(cancelled(length), 200, 60)
            #expect(shown.contains(/I5  12:40:4\d  (20.0s  )?interstitial  cancelled/), "\(shown)")
            #expect(shown.contains("state     ─ cancelled"))
            #expect(shown.contains("its assets could not be loaded: answered 404"))
            #expect(shown.contains("finding   E interstitial-failed") && shown.contains("no list: answered 404"))
            #expect(!shown.contains("nothing to report") && !shown.contains("no ads"), "\(shown)")
            #expect(shown.contains(" ago, cancelled"), "\(shown)")
        }
        #expect(PlainText.adBreak(cancelled(.zero).breaks[0]) == "I5: 0 ads, cancelled")
    }

    @Test("what is late or left out of an interstitial is in the pane of its break")
    func lateAssets() throws {
        var snapshot = SnapshotSamples.midBreak
        var view = InterstitialView(id: "pod")
        view.breakID = snapshot.breaks[1].id
        view.findings = [Finding(rule: "interstitial-late", severity: .warning, message: "15.0s after its start")]
        snapshot.interstitials = [view]
        let shown = try text(snapshot, 200, 60, keys: "g j")
        #expect(shown.contains("finding   W interstitial-late") && shown.contains("15.0s after its start"), "\(shown)")
    }

    @Test("a break that was withdrawn is missing where it was listed")
    func withdrawn() throws {
        var snapshot = SnapshotSamples.midBreak
        (snapshot.breaks[1].ads, snapshot.breaks[1].hasVanished) = ([], true)
        #expect(try text(snapshot, 200, 60, keys: "g j").contains("no longer in the metadata"))
        snapshot.breaks[1].source = "interstitial"
        #expect(try text(snapshot, 200, 60, keys: "g j").contains("no longer in the playlist"))
    }

    @Test("an interstitial that its limit cuts has the length that plays: nothing of it grows, in any row")
    func limited() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].duration = .seconds(45)
        #expect(try text(snapshot, 200, 60).contains("60.0s (45.0s so far)"))
        snapshot.breaks[1].source = "interstitial"
        let view = snapshot.breaks[1]
        #expect(view.announcedDuration == .seconds(45) && view.knownEnd == view.start + .seconds(45))
        for keys in ["g", "g j", "g j j"] {
            let shown = try text(snapshot, 200, 60, keys: keys)
            #expect(shown.contains("45.0s") && !shown.contains("so far"), "\(keys)")
        }
        // Until its assets are known their announced length is all there is.
        snapshot.breaks[1].duration = .zero
        #expect(snapshot.breaks[1].announcedDuration == .seconds(60))
    }

    @Test("a break of cues alone has nothing to report (D22)")
    func cuesOnly() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks = [
            BreakView(
                id: "m1", name: "", label: "M1", start: SnapshotSamples.playhead - .seconds(4), duration: .seconds(20),
                plannedEnd: SnapshotSamples.playhead + .seconds(16), source: "marker", isOnAir: true, hasEnded: false,
                hasVanished: false, ads: [])
        ]
        let shown = try text(snapshot, 200, 60)
        #expect(shown.contains("● M1") && shown.contains("20.0s  cues only"))
        #expect(shown.contains("● on air   only cues announce it: nothing to report"))
        #expect(!shown.contains("0/0") && !shown.contains("s  0 ads"))
        snapshot.breaks[0].isOnAir = false
        #expect(try text(snapshot).contains("cues only") && !text(snapshot).contains("⊘ M1"))
    }
}
