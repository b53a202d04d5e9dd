import AdTracking
import Ports
import Screen
import TestSupport
import Testing

@testable import Dashboard
@testable import Session

/// One state has one word in every output for people, and one name in every output for programs; docs/states.md has both.
@Suite struct StateOutputTests {
    private static let path = NodePath(breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")

    /// The first quartile of B2/A2 in a state, with URLs from which that state follows.
    private func sample(_ state: ReportingState, _ columns: Int, _ rows: Int) -> DashboardSample {
        var snapshot = SnapshotSamples.midBreak
        var event = snapshot.breaks[1].ads[1].events[2]
        event.state = state
        let urls: [DeliveryState]
        switch state {
        case .idle: (urls, event.reason) = ([.planned], .notReached)
        case .connecting: urls = [.sent]
        case .done: urls = [.acknowledged]
        case .failed: urls = [.rejected]
        case .partial: urls = [.acknowledged, .rejected]
        case .unknown: urls = [.unknown]
        case .skipped: (urls, event.reason) = ([.skipped], .seekedOver)
        case .observed: (urls, event.reason) = ([.observed], .observeMode)
        }
        event.urls = zip(event.urls, urls).map { url, state in
            var url = url
            url.state = state
            url.attempts = []
            return url
        }
        snapshot.breaks[1].ads[1].events[2] = event
        snapshot.counters.events = [state: 1]
        snapshot.counters.beaconsFailed = urls.count { $0 == .rejected }
        snapshot.counters.earlierUnknown = urls.count { $0 == .unknown }
        snapshot.findings = []
        var sample = DashboardSample(snapshot, columns, rows)
        sample.state.views.breaks.tree.follows = false
        sample.state.views.breaks.tree.selection = Self.path
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        return sample
    }

    @Test(
        "the detail, lines for screen readers, the report to copy and the page of states have the same word",
        arguments: ReportingState.allCases)
    func words(_ state: ReportingState) throws {
        let sample = sample(state, 120, 40)
        let sign = StateSign(state)
        #expect(sign.word.string == state.word.rawValue)
        let screen = TextWriter.text(of: sample.frame.grid)
        #expect(screen.contains("state     \(SafeText(Glyphs.unicode.sign(sign)).string) \(state.word.rawValue)"))
        let (adBreak, ad) = (sample.snapshot.breaks[1], sample.snapshot.breaks[1].ads[1])
        let line = PlainText.event(ad.events[2], ad, of: adBreak)
        #expect(line.hasPrefix("beacon B2/A2 firstQuartile: \(state.word.rawValue)"))
        let report = BeaconReport.markdown(ad.events[2], ad: ad, of: adBreak, sample.snapshot)
        #expect(report.hasPrefix("# Beacon firstQuartile \(state.word.rawValue), B2/A2\n"))
        #expect(report.contains("\n- state: \(state.word.rawValue)"))
        for url in ad.events[2].urls { #expect(report.contains(": \(url.state.word.rawValue)\n")) }
        #expect(try DocumentationPage.text("states").contains("\n| \(state.word.rawValue) | `\(state.rawValue)`"))
    }

    @Test("the row of the list has the sign, and the word where there is no answer", arguments: ReportingState.allCases)
    func row(_ state: ReportingState) throws {
        let sample = sample(state, 120, 40)
        let rows = TextWriter.rows(of: sample.frame.grid)
        let row = try #require(rows.first { $0.hasPrefix("┃>") })
        #expect(row.contains(" \(SafeText(Glyphs.unicode.sign(StateSign(state))).string) firstQuartile "), "\(row)")
        let context = FrameContext(sample.snapshot, sample.state, now: sample.now).context
        let forms = EventOutcome.forms(sample.snapshot.breaks[1].ads[1].events[2], context).map(\.string)
        switch state {
        case .connecting, .unknown, .observed: #expect(forms.allSatisfy { $0 == state.word.rawValue }, "\(forms)")
        case .skipped: #expect(forms == [SkipReason.seekedOver.words.short])
        case .idle, .done, .failed, .partial: break
        }
    }

    @Test("the list above / offers words of states and reasons, not names in JSON, and these words find the event")
    func filterWords() throws {
        var sample = sample(.skipped, 120, 40)
        try sample.press("/")
        let words = sample.state.candidates(sample.snapshot).map(\.title)
        let reason = SkipReason.seekedOver
        #expect(words.contains(StateWord.notSent.rawValue) && words.contains(reason.words.short), "\(words)")
        #expect(!words.contains(reason.rawValue), "\(words)")
        sample.type(reason.words.short)
        #expect(sample.state.views.breaks.model.rows.contains { $0.breakIndex == 1 && $0.eventIndex == 2 })
    }

    @Test("the line that stays in the shell counts by the words of the states") func summary() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.counters = Counters()
        (snapshot.counters.beaconsSent, snapshot.counters.beaconsAcknowledged) = (3, 1)
        (snapshot.counters.beaconsFailed, snapshot.counters.earlierUnknown) = (1, 1)
        snapshot.deliveries = DeliveryTally()
        snapshot.deliveries.note(.skipped, host: "t.example")
        let line = ExitSummary.line(snapshot)
        for word in [StateWord.done, .failed, .unknown, .notSent] {
            #expect(line.contains(", 1 \(word.rawValue)"), "\(line)")
        }
    }

    @Test("the header names a beacon that failed or is unknown by the word of its state, and no other state by these")
    func header() {
        for state in ReportingState.allCases {
            let row = TextWriter.rows(of: sample(state, 120, 40).frame.grid)[0]
            func expected(_ word: StateWord, _ noun: String) -> String {
                let sign = word == .failed ? StateSign.failed : .unknown
                return "\(SafeText(Glyphs.unicode.sign(sign)).string) 1 \(noun) \(word.rawValue)"
            }
            // A partial event has a URL that failed.
            #expect(
                row.contains(expected(.failed, "beacon")) == [.failed, .partial].contains(state), "\(state): \(row)")
            #expect(row.contains(expected(.unknown, "outcome")) == (state == .unknown), "\(state): \(row)")
        }
    }

    @Test("what was lost is one number everywhere: that of the beacons, whatever their events")
    func lost() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.findings = []
        // Two URLs of one event are unknown, and of another one of two failed.
        for (event, states) in [(2, [.unknown, .unknown]), (3, [.acknowledged, .failed])] as [(Int, [DeliveryState])] {
            let url = snapshot.breaks[1].ads[1].events[event].urls[0]
            snapshot.breaks[1].ads[1].events[event].state = event == 2 ? .unknown : .partial
            snapshot.breaks[1].ads[1].events[event].urls = states.enumerated().map { number, state in
                var copy = url
                (copy.id, copy.state) = ("\(event)-\(number)", state)
                return copy
            }
        }
        (snapshot.counters.beaconsUnknown, snapshot.counters.earlierUnknown) = (1, 1)
        // Of an earlier process: the row shows it, and so does the header.
        (snapshot.counters.beaconsFailed, snapshot.counters.earlierFailed) = (0, 1)
        let tally = BreakSummary(snapshot.breaks[1], filter: TextFilter("")).tally
        #expect(tally.lost.failed == 1 && tally.lost.unknown == 2)
        let rows = TextWriter.rows(of: DashboardSample(snapshot, 200, 60).frame.grid)
        #expect(rows[0].contains("✗ 1 beacon failed") && rows[0].contains("? 2 outcomes unknown"), "\(rows[0])")
        #expect(rows.contains { $0.contains(" B2  ") && $0.contains("✗1 ?2 beacons") })
        #expect(rows.contains { $0.contains("failed, unknown: beacons; rest: events") })
        let context = FrameContext(snapshot, DashboardSample(snapshot, 200, 60).state, now: SnapshotSamples.now).context
        let sentence = TallyText.sentence(tally, isCuesOnly: false, context).string
        #expect(sentence.contains("   1 beacon failed   2 beacons unknown"))
        #expect(BreakOutcome(snapshot.breaks[1]).line.string.hasSuffix(" done, 1 beacon failed, 2 beacons unknown"))
        // An event of one beacon is one in both counts, so the noun is not needed.
        var single = snapshot.breaks[1]
        single.ads[1].events[2].urls.removeLast()
        #expect(BreakOutcome(single).line.string.hasSuffix(" done, 1 failed, 1 unknown"))
        var few = snapshot
        few.breaks[1] = single
        #expect(row(few, columns: 100).contains("✗1 ?1 ") && !row(few, columns: 100).contains("beacons"))
        #expect(!TextWriter.text(of: DashboardSample(few, 200, 60).frame.grid).contains("rest: events"))
        // One that failed while another URL of its event is tried again: no event is lost yet.
        var one = snapshot
        BreakSamples.settle(&one.breaks[1].ads[1].events[2], .done)
        one.breaks[1].ads[1].events[3].state = .connecting
        #expect(row(one, columns: 100).contains("✗1 beacon "))
        // In a narrow row the noun goes before the counts.
        let narrow = (20...120).map { row(snapshot, columns: $0) }
        #expect(narrow.contains { $0.contains("✗1 ?2 ") && !$0.contains("beacons") })
        #expect(narrow.allSatisfy { !$0.contains("beacons") || $0.contains("?2 beacons") })
        let line = ExitSummary.line(snapshot)
        #expect(line.contains(", 1 failed (") && line.contains(", 2 unknown"))
        var health = SessionTableSamples.session("one", 1)
        health.counters = snapshot.counters
        let metrics = MetricsText.render([health], version: "1", namesSessions: true)
        let json = SessionsJSON().value(of: [health], at: SnapshotSamples.now)
        for (word, count) in [("failed", Int64(1)), ("unknown", 2)] {
            #expect(metrics.contains("adtop_session_beacons_\(word){session=\"one\"} \(count)\n"))
            #expect(json["sessions"]?.arrayValue?.first?["beacons"]?[word]?.integerValue == count)
        }
    }

    /// The row of the second break.
    private func row(_ snapshot: Snapshot, columns: Int) -> String {
        let context = FrameContext(snapshot, DashboardSample(snapshot, 200, 60).state, now: SnapshotSamples.now).context
        let summary = BreakSummary(snapshot.breaks[1], filter: TextFilter(""))
        let (left, right) = BreakRow.row(
            summary, marks: nil, labelColumns: 2, context, after: StyledLine("> ", .text)
        ).fitted(columns: columns)
        return left.string + "  " + right.string
    }

    @Test("JSON, tables and metrics have the same name", arguments: ReportingState.allCases)
    func names(_ state: ReportingState) {
        let snapshot = sample(state, 120, 40).snapshot
        let json = SnapshotJSON().value(of: snapshot)
        let ads = json["breaks"]?.arrayValue?[1]["ads"]?.arrayValue
        #expect(ads?[1]["events"]?.arrayValue?[2]["reportingState"]?.stringValue == state.rawValue)
        #expect(json["counters"]?["events"]?[state.rawValue]?.integerValue == 1)
        #expect(Export.csv(snapshot).contains(",firstQuartile,2026-11-21T12:40:53.700Z,\(state.rawValue),"))
        var health = SessionTableSamples.session("one", 1)
        health.events = [state: 1]
        #expect(MetricsText.render([health], version: "1").contains("adtop_events{state=\"\(state.rawValue)\"} 1\n"))
    }
}
