import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// A session as lines, for screen readers and logs.
@Suite struct PlainDeskTests {
    private let now = SnapshotSamples.now

    private func lines(_ desk: inout PlainDesk, _ snapshot: Snapshot) -> [String] {
        desk.take(.snapshotArrived, snapshot, now: now).lines.map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    private func press(_ keys: String, _ desk: inout PlainDesk, _ snapshot: Snapshot) throws -> [String] {
        try KeySequence.parse(keys).flatMap { desk.take(.input(.key($0)), snapshot, now: now).lines }
            .map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    @Test("a finding about the session is at no place", arguments: [("", "odd"), ("avails[0]", "odd at avails[0]")])
    func theEndOfAFinding(_ path: String, _ end: String) {
        let finding = Finding(rule: "odd-rule", severity: .error, message: "odd", path: path)
        let line = PlainText.finding(FindingView(finding: finding, count: 1, first: now, last: now))
        #expect(line == "finding odd-rule, error: \(end)")
    }

    @Test(
        "answer, tries and host of a beacon are those of the URL that decides its state, not the most of all its URLs")
    func aBeaconWithSeveralURLs() {
        let adBreak = SnapshotSamples.midBreak.breaks[1]
        var event = adBreak.ads[1].events[2]
        BreakSamples.fail(&event)
        event.urls.reverse()
        event.urls[0].attempts = Array(repeating: event.urls[0].attempts[0], count: 5)
        event.urls[0].late = .seconds(9)
        let line = PlainText.event(event, adBreak.ads[1], of: adBreak)
        #expect(line == "beacon B2/A2 firstQuartile: failed, 503, 3 tries, t.example-dsp.com")
    }

    @Test("the first snapshot tells mode, what is on air, decided beacons and the verdict; the same one again nothing")
    func theFirstSnapshot() {
        var desk = PlainDesk(settings: DashboardSettings())
        let first = lines(&desk, SnapshotSamples.midBreak)
        #expect(first.first == "mode: FIRE, beacons are sent")
        #expect(first.contains { $0.hasPrefix("on air: B") && $0.contains(", ad ") })
        #expect(first.contains { $0.hasPrefix("beacon B") && $0.contains(": done, ") })
        #expect(first.last?.hasPrefix("verdict: ") == true)
        #expect(lines(&desk, SnapshotSamples.midBreak) == [])
    }

    @Test("a command with a path has its effect alone: the names of a folder are for a list") func paths() {
        var desk = PlainDesk(settings: DashboardSettings())
        let keys = ":export text out/a".unicodeScalars.map { KeyPress(.char($0)) } + [KeyPress(.enter)]
        let effects = keys.flatMap { desk.take(.input(.key($0)), SnapshotSamples.midBreak, now: now).effects }
        #expect(effects == [.export(.text, file: "out/a")])
    }

    @Test("a change is one line, and a rule is announced once")
    func changes() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.midBreak
        _ = lines(&desk, snapshot)
        snapshot.session.mode = .observe
        #expect(lines(&desk, snapshot) == ["mode: OBSERVE, nothing is sent"])
        (snapshot.session.mode, snapshot.session.sendsToLoopbackOnly) = (.fire, true)
        #expect(lines(&desk, snapshot) == ["mode: FIRE local, beacons are sent to this machine only"])
        snapshot.session.sendsToLoopbackOnly = false
        #expect(lines(&desk, snapshot) == ["mode: FIRE, beacons are sent"])
        let place = try #require(
            snapshot.breaks.indices.lazy.flatMap { index in
                snapshot.breaks[index].ads.indices.flatMap { ad in
                    snapshot.breaks[index].ads[ad].events.indices.map { (index, ad, $0) }
                }
            }.first { snapshot.breaks[$0.0].ads[$0.1].events[$0.2].state == .done })
        snapshot.breaks[place.0].ads[place.1].events[place.2].state = .partial
        let changed = lines(&desk, snapshot)
        #expect(changed.count == 1 && changed[0].hasPrefix("beacon ") && changed[0].contains(": partial, "))
        let finding = FindingView(
            finding: Finding(rule: "odd-rule", severity: .error, message: "odd\u{1B}[31m"), count: 1, first: now,
            last: now)
        snapshot.findings.insert(finding, at: 0)
        let found = lines(&desk, snapshot)
        #expect(found.first == "finding odd-rule, error: odd^[[31m")
        snapshot.findings[0].count = 7
        #expect(lines(&desk, snapshot) == [])
    }

    @Test("a break is summed up when it is over and its answers are there")
    func theEndOfABreak() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.midBreak
        _ = lines(&desk, snapshot)
        let index = try #require(snapshot.breaks.lastIndex { $0.isOnAir })
        snapshot.breaks[index].isOnAir = false
        for ad in snapshot.breaks[index].ads.indices {
            for event in snapshot.breaks[index].ads[ad].events.indices
            where snapshot.breaks[index].ads[ad].events[event].state == .connecting {
                snapshot.breaks[index].ads[ad].events[event].state = .done
            }
        }
        let label = snapshot.breaks[index].label
        #expect(lines(&desk, snapshot).contains { $0.hasPrefix("break ended: \(label): ") && $0.contains(" done") })
    }

    @Test("a session that is stopped is as it was: no verdict without what was wrong")
    func theEndOfTheSession() {
        for sample in [SnapshotSamples.over, SnapshotSamples.failing] {
            var desk = PlainDesk(settings: DashboardSettings())
            var snapshot = sample
            #expect(lines(&desk, snapshot).last?.hasPrefix("verdict: ") == true)
            snapshot.session.phase = .ended
            #expect(lines(&desk, snapshot) == [])
        }
    }

    @Test("a stream that was far behind is so at its end, and findings are counted once")
    func whatStaysAtTheEnd() {
        for severity in [nil, Severity.error] {
            var desk = PlainDesk(settings: DashboardSettings())
            var snapshot = SnapshotSamples.midBreak
            snapshot.playhead.latency = .seconds(90)
            func note(_ severity: Severity) {
                let finding = Finding(rule: "odd-rule", severity: severity, message: "odd")
                snapshot.findings = [FindingView(finding: finding, count: 1, first: now, last: now)]
            }
            note(.warning)
            #expect(lines(&desk, snapshot).last?.hasSuffix(" behind the live edge") == true)
            snapshot.session.phase = .ended
            if let severity { note(severity) }
            let last = lines(&desk, snapshot)
            #expect(last.isEmpty == (severity == nil), "\(last)")
            #expect((last.last ?? "").ranges(of: "1 finding").count == (severity == nil ? 0 : 1), "\(last)")
        }
    }

    @Test("what the end of a session adds is announced with what was wrong before")
    func theVerdictAtTheEnd() {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.over
        _ = lines(&desk, snapshot)
        snapshot.session.phase = .ended
        snapshot.findings.insert(
            FindingView(
                finding: Finding(rule: "odd-rule", severity: .error, message: "odd"), count: 1, first: now, last: now),
            at: 0)
        let told = lines(&desk, snapshot)
        #expect(told.first == "finding odd-rule, error: odd")
        #expect(told.last?.hasPrefix("verdict: ") == true && told.last?.contains("session over") == true, "\(told)")
    }

    @Test("keys act, and are answered in words: rows, panes, questions, notices, help")
    func keys() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        let snapshot = SnapshotSamples.observing
        _ = lines(&desk, snapshot)
        #expect(try press("g", &desk, snapshot).allSatisfy { $0.hasPrefix("B") })
        #expect(try press("j", &desk, snapshot).count == 1)
        #expect(try press("5", &desk, snapshot).contains { $0.contains("Session") })
        #expect(try press("?", &desk, snapshot).contains { $0.contains("keys of the session pane") })
        // The help does not keep the keys.
        #expect(try press("1", &desk, snapshot).contains { $0.contains("[1] Breaks") })
        let question = try press(": a r m Enter", &desk, snapshot)
        #expect(question.first?.hasPrefix("Send real beacons to ") == true)
        #expect(question.last == "Every beacon counts as an ad view that someone pays for.")
        #expect(desk.take(.input(.key(KeyPress(.char("y")))), snapshot, now: now).effects == [.setMode(.fire)])
        #expect(try press(": n o p e Enter", &desk, snapshot).contains { $0.contains("no such command") })
        #expect(desk.isTyping)
    }

    @Test("a filter is answered by the rows that it leaves, and nothing can be frozen")
    func filterAndFreeze() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        let snapshot = SnapshotSamples.midBreak
        _ = lines(&desk, snapshot)
        let filtered = try press("/ m i d p o i n t Enter", &desk, snapshot)
        #expect(filtered.contains { $0.contains("[1] Breaks") && $0.contains("/midpoint") }, "\(filtered)")
        #expect(filtered.contains { $0.contains("midpoint") && $0.contains("200") })
        #expect(!filtered.contains { $0.contains("firstQuartile") })
        let cleared = try press(": f i l t e r Enter", &desk, snapshot)
        #expect(cleared.contains { $0.contains("firstQuartile") }, "\(cleared)")
        #expect(try press("Z", &desk, snapshot) == ["nothing to freeze: lines do not change"])
        var later = snapshot
        later.session.mode = .observe
        #expect(lines(&desk, later) == ["mode: OBSERVE, nothing is sent"])
    }

    @Test("a way to open the stream that was rejected is no news while the next one is tried")
    func opening() {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.unopened
        snapshot.session.phase = .starting
        let settled = snapshot.session.opening
        _ = lines(&desk, SnapshotSamples.starting)
        snapshot.session.opening?.requests.append(
            OpeningView.Request(method: .get, url: "http://127.0.0.1/x.m3u8", isPlaylist: true, askedAt: now))
        #expect(!lines(&desk, snapshot).contains { $0.contains("cannot open") })
        snapshot.session.opening = settled
        let told = lines(&desk, snapshot)
        #expect(told.contains { $0.hasPrefix("verdict: cannot open the stream") }, "\(told)")
        #expect(!told.contains { $0.contains("opening the stream") }, "\(told)")
        snapshot.session.opening?.requests.append(
            OpeningView.Request(method: .get, url: "http://127.0.0.1/x.m3u8", isPlaylist: true, askedAt: now))
        #expect(lines(&desk, snapshot) == [], "the next try of what is known to fail")
    }

    @Test("what an earlier session sent happened before, and a viewer's action has its own notice")
    func earlier() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[0].ads[0].events[0].state = .done
        for index in snapshot.breaks[0].ads[0].events[0].urls.indices {
            snapshot.breaks[0].ads[0].events[0].urls[index].attempts = []
        }
        let first = lines(&desk, snapshot)
        let name = "\(snapshot.breaks[0].label)/\(snapshot.breaks[0].ads[0].label) "
        let event = "beacon \(name)\(snapshot.breaks[0].ads[0].events[0].event):"
        #expect(!first.contains { $0.hasPrefix(event) }, "\(first)")
        #expect(!first.contains { $0.contains(" mute: done") }, "\(first)")
        #expect(first.contains { $0.hasPrefix("beacon ") })
    }

    @Test("each ping is a line, and one that failed is called one") func pings() {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.midBreak
        _ = lines(&desk, snapshot)
        var ping = PingView(url: "https://content.example/ping?pt=10", cause: "position", state: .sent)
        func tell(_ ping: PingView) -> [String] {
            snapshot.session.service = ServiceView(mode: "client")
            snapshot.session.service?.ping = ping
            return lines(&desk, snapshot)
        }
        #expect(tell(ping) == [])
        (ping.state, ping.status) = (.acknowledged, 200)
        #expect(tell(ping) == ["ping position: done, 200, content.example"])
        #expect(tell(ping) == [])
        ping = PingView(url: "https://content.example/ping?pt=20", cause: "position", state: .rejected, status: 503)
        #expect(tell(ping) == ["ping position: failed, 503, content.example"])
    }

    @Test("a finding has its title and its place: a code tells a listener nothing")
    func findings() {
        var desk = PlainDesk(settings: DashboardSettings())
        var snapshot = SnapshotSamples.midBreak
        _ = lines(&desk, snapshot)
        let finding = Finding(rule: "L58", severity: .error, message: "answered with 503", path: "avails[0]")
        snapshot.findings.insert(FindingView(finding: finding, count: 1, first: now, last: now), at: 0)
        #expect(lines(&desk, snapshot).first == "finding L58 (Beacon rejected), error: answered with 503 at avails[0]")
    }

    @Test("the status says it all, also for a stream that cannot be opened")
    func status() {
        let desk = PlainDesk(settings: DashboardSettings())
        let good = desk.status(SnapshotSamples.midBreak, now: now)
        #expect(good.count == 2 && good[0].contains("Z status: ") && good[1].contains("on air: B"))
        #expect(desk.status(SnapshotSamples.unopened, now: now)[0].contains("cannot open the stream"))
    }

    @Test("no line moves a cursor or is split, whatever a stream is called")
    func hostile() throws {
        var desk = PlainDesk(settings: DashboardSettings())
        var all = desk.take(.snapshotArrived, SnapshotSamples.hostile, now: now).lines
        for key in try KeySequence.parse("G k k k 2 4 5 6 ?") {
            all += desk.take(.input(.key(key)), SnapshotSamples.hostile, now: now).lines
        }
        #expect(!all.isEmpty)
        #expect(all.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
    }
}
