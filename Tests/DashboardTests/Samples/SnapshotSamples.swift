import AdTracking
import HLS
import Ports

@testable import Session

/// Sessions to draw: the one of the mock-ups in its phases, and some with faults.
enum SnapshotSamples {
    /// 2026-11-21 12:41:18.400 UTC; the playhead is 6.2 s behind.
    static let now = Moment(
        wall: CivilTime(year: 2026, month: 11, day: 21, hour: 12, minute: 41, second: 18, microsecond: 400_000)
            .unixTime!,
        uptime: .seconds(3_600))
    static let latency: Duration = .milliseconds(6_200)
    static var playhead: UnixTime { now.wall - latency }

    /// A time of that day.
    static func at(_ hour: Int, _ minute: Int, _ second: Double) -> UnixTime {
        let midnight = CivilTime(year: 2026, month: 11, day: 21).unixTime!
        return midnight + .milliseconds(Int64((Double(hour * 3_600 + minute * 60) + second) * 1_000))
    }

    /// The moment at which the wall clock showed a time of that day.
    static func moment(_ hour: Int, _ minute: Int, _ second: Double) -> Moment {
        now.advanced(by: at(hour, minute, second) - now.wall)
    }

    /// Nothing has been answered yet.
    static var starting: Snapshot {
        Snapshot(
            at: now, session: session(phase: .starting), playlist: noPlaylist,
            playhead: PlayheadView(state: .idle, rate: 1, isMuted: false), breaks: [], interstitials: [],
            playedRanges: [],
            counters: Counters(), activity: noActivity, findings: [],
            log: log([(12, 41, 18.4, .info, "session https://cdn.example.net/live/ch7/master.m3u8")]),
            errors: ErrorBook())
    }

    /// The stream cannot be opened: a web page where its session and its playlist should be, and one request without an answer.
    static var unopened: Snapshot {
        var snapshot = starting
        let url = snapshot.session.mediaURL
        func request(_ method: HTTPMethod, _ more: String, isPlaylist: Bool = false) -> OpeningView.Request {
            OpeningView.Request(
                method: method, url: url + more, isPlaylist: isPlaylist, askedAt: moment(12, 41, 14), tries: 3)
        }
        var requests = [
            request(.get, "?initSession=true"), request(.post, "?initSession=true"),
            request(.get, "", isPlaylist: true),
        ]
        requests[0].answer = .init(status: 404, took: .milliseconds(2))
        requests[2].answer = .init(status: 200, took: .milliseconds(31), contentType: "text/html\u{1B}[2J")
        snapshot.session.phase = .failing
        snapshot.session.opening = OpeningView(
            requests: requests, problem: .webPage, nextAttemptAt: now.advanced(by: .seconds(7)), failed: requests[2])
        return snapshot
    }

    /// The same with a certificate that was rejected, whose name is hostile.
    static var untrusted: Snapshot {
        var snapshot = unopened
        let clause = CertificateRejection.judge(
            [
                ServerCertificate(
                    subject: "cdn.example.net\u{1B}[2J", issuer: "R11 (Let's Encrypt)", names: ["cdn.example.net"],
                    notBefore: UnixTime(milliseconds: 0), notAfter: UnixTime(milliseconds: 1_700_000_000_000),
                    isSelfIssued: false)
            ], for: "cdn.example.net", isOtherHost: false, at: now.wall
        )?.clause
        let failure = HTTPFailure(.tls, clause ?? "", rejection: .expired)
        var request = OpeningView.Request(
            method: .get, url: snapshot.session.mediaURL, isPlaylist: true, askedAt: moment(12, 41, 14))
        request.answer = .init(failure: failure, took: .milliseconds(31))
        snapshot.session.opening?.requests = [request]
        snapshot.session.opening?.failed = request
        snapshot.session.opening?.problem = OpeningProblem(HTTPExchange(failure: failure))
        return snapshot
    }

    /// The session of the mock-ups: B1 has ended, B2 is on air, B3 is to come.
    static var midBreak: Snapshot {
        var snapshot = snapshot(
            breaks: [BreakSamples.first, BreakSamples.onAir, BreakSamples.coming], log: midBreakLog)
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.midBreak)
        return snapshot
    }

    /// The same session with its ads resolved through VAST; A1 was not found.
    static var decided: Snapshot {
        var snapshot = midBreak
        snapshot.breaks[1].ads[0].creative = CreativeSamples.failed
        snapshot.breaks[1].ads[1].creative = CreativeSamples.chain
        return snapshot
    }

    /// The same session with its break seen in the metadata and in a marker, which contradict each other.
    static var joined: Snapshot {
        var snapshot = midBreak
        snapshot.breaks[1].source = "metadata+marker"
        snapshot.breaks[1].evidence = [
            BreakEvidenceView(
                source: "metadata", name: "break-B2", start: BreakSamples.at(12, 40, 31.2), duration: .seconds(60)),
            BreakEvidenceView(
                source: "marker", kind: "cue", name: "cue at 33172", start: BreakSamples.at(12, 40, 30.4),
                duration: .seconds(62), eventIDs: ["4660"]),
        ]
        snapshot.breaks[1].differences = ["the marker starts 0.8 s earlier", "the marker is 2.0 s longer"]
        return snapshot
    }

    /// The same session with a break whose ads came one by one, the last one after its start.
    static var growing: Snapshot {
        var snapshot = joined
        var steps = [18, 22, 30].map { GrowthStep(poll: $0, at: moment(12, 40, 28.2 + Double($0 - 18) * 4)) }
        (steps[0].newAds, steps[0].newAdCount) = (["acme-shoes-15"], 1)
        steps[0].length = .init(from: nil, to: .seconds(15))
        (steps[1].newAds, steps[1].newAdCount, steps[1].newEventCount) = (["brandx-summer"], 1, 2)
        steps[1].length = .init(from: .seconds(15), to: .seconds(45))
        steps[2].at = moment(12, 41, 17.6)
        (steps[2].newAds, steps[2].newAdCount, steps[2].vanishedCount) = (["cola-15"], 1, 1)
        (steps[2].length, steps[2].late) = (.init(from: .seconds(45), to: .seconds(60)), .milliseconds(1_843))
        (steps[2].changedURLCount, steps[2].moved) = (1, .milliseconds(-400))
        snapshot.breaks[1].growth.steps = steps
        snapshot.breaks[1].growth.omitted = 3
        return snapshot
    }

    /// A session that is attached to its tracking data, 20 s behind the clock.
    static var attached: Snapshot {
        var snapshot = observing
        snapshot.session.mediaURL = "https://cdn.example.net/v1/tracking/9f8e7d6c5b4a3928/ch7/3a4b"
        (snapshot.session.manifestURL, snapshot.session.metadataURL) = (nil, snapshot.session.mediaURL)
        (snapshot.session.provider, snapshot.session.initPath) = ("mediatailor", "tracking")
        snapshot.session.service = ServiceView(mode: "client", interval: .seconds(6))
        snapshot.session.service?.next = NextPollView(at: moment(12, 41, 21.3), reason: .target)
        (snapshot.session.canArm, snapshot.session.playlistHealth) = (false, .none)
        snapshot.playlist = noPlaylist
        (snapshot.playlist.kind, snapshot.playlist.targetDuration) = (.clock, .seconds(6))
        snapshot.playhead.behindEdge = nil
        snapshot.playlistDetail = nil
        return snapshot
    }

    /// A stream with parts, the playhead in one of them.
    static var lowLatency: Snapshot {
        var snapshot = midBreak
        snapshot.playlistDetail = PlaylistSamples.detail(PlaylistSamples.lowLatency, prefersLowLatency: true)
        return snapshot
    }

    /// Before the first break.
    static var preRoll: Snapshot {
        var snapshot = snapshot(
            breaks: [BreakSamples.coming],
            log: [
                (
                    12, 40, 2.0, .info,
                    "session opened with GET: manifest https://cdn.example.net/live/ch7/master.m3u8?sid=7f3a91c2, "
                        + "metadata https://ads.example.net/v1/metadata?sid=7f3a91c2"
                ),
                (12, 40, 2.4, .info, "playlist: live, 6 segments, target duration 6.0s"),
                (12, 40, 2.5, .info, "metadata poll 200 51ms 1 break, +1 new (B1), +4 ads"),
            ])
        snapshot.breaks[0].label = "B1"
        snapshot.counters.events = [.idle: 24]
        snapshot.activity = noActivity
        snapshot.playedRanges = [at(12, 40, 0)...playhead]
        return snapshot
    }

    /// The same session when metadata fails and the encoder has stalled.
    /// The server rejects the session's metadata; the playlist is followed.
    static var over: Snapshot {
        var snapshot = midBreak
        snapshot.session.phase = .over
        snapshot.session.metadataHealth = FeedHealth(
            state: .failing, status: 403, took: .milliseconds(12), lastGoodAt: moment(12, 40, 58),
            consecutiveFailures: 3, problem: "answered 403")
        snapshot.errors.note(
            .network,
            "session over: the metadata of the session answered 403 3 times in a row, requesting a new session",
            at: moment(12, 41, 14))
        return snapshot
    }

    static var failing: Snapshot {
        var snapshot = midBreak
        snapshot.session.phase = .failing
        snapshot.session.metadataHealth = FeedHealth(
            state: .failing, status: 503, took: .milliseconds(12), lastGoodAt: moment(12, 40, 58),
            consecutiveFailures: 4,
            nextAttemptAt: moment(12, 41, 22.4), problem: "answered 503")
        snapshot.session.playlistHealth = FeedHealth(
            state: .failing, consecutiveFailures: 2, nextAttemptAt: moment(12, 41, 19.4), problem: "connection refused")
        snapshot.playhead.state = .stalled
        snapshot.playhead.isAdvancing = false
        snapshot.errors.note(.metadata, "metadata: answered 503", at: moment(12, 41, 14))
        snapshot.errors.note(.network, "playlist: connection refused", at: moment(12, 41, 17))
        snapshot.findings = [
            FindingView(
                finding: Finding(rule: "L13", severity: .warning, message: "ad without an id at adBreaks[1].ads[2]"),
                count: 3,
                first: moment(12, 40, 0), last: now)
        ]
        return snapshot
    }

    /// The viewer has paused and muted the player, which would play at half speed.
    static var slowed: Snapshot {
        var snapshot = midBreak
        snapshot.playhead.state = .paused
        snapshot.playhead.isAdvancing = false
        snapshot.playhead.isMuted = true
        snapshot.playhead.rate = 0.5
        return snapshot
    }

    /// Events in every state at once.
    static var unsettled: Snapshot {
        var snapshot = midBreak
        for (count, state) in ReportingState.allCases.enumerated() { snapshot.counters.events[state] = count + 1 }
        snapshot.counters.earlierUnknown = snapshot.counters.events[.unknown] ?? 0
        return snapshot
    }

    /// Observe mode: due beacons are observed, not sent.
    static var observing: Snapshot {
        var snapshot = snapshot(
            breaks: [BreakSamples.first, BreakSamples.onAir, BreakSamples.coming].map(BreakSamples.observed),
            log: [
                (12, 41, 1.3, .info, "beacon midpoint B2/A2 observed"),
                (12, 41, 8.8, .info, "beacon thirdQuartile B2/A2 observed"),
            ])
        snapshot.session.mode = .observe
        snapshot.counters.events = [.observed: 30, .idle: 38]
        return snapshot
    }

    /// A stream without ad metadata.
    static var plain: Snapshot {
        var snapshot = snapshot(
            breaks: [], log: [(12, 40, 2, .info, "no ad metadata (answered 404): breaks are those of the playlist")])
        snapshot.session.provider = "none"
        snapshot.session.metadataURL = nil
        snapshot.session.metadataHealth = .none
        snapshot.session.mode = .observe
        snapshot.session.manifestURL = "https://cdn.example.net/plain/index.m3u8"
        snapshot.session.name = "plain"
        snapshot.dataRange = nil
        snapshot.counters = Counters()
        snapshot.activity = noActivity
        return snapshot
    }

    /// 200 breaks of two ads with 25 events each: 10,000 events.
    static var many: Snapshot {
        let breaks = (0..<200).map { BreakSamples.past(number: $0 + 1, of: 200, events: 25) }
        var snapshot = snapshot(breaks: breaks, log: midBreakLog)
        snapshot.counters.events = [.done: 10_000]
        return snapshot
    }

    /// Ids, names and URLs with hostile terminal sequences.
    static var hostile: Snapshot {
        var snapshot = midBreak
        snapshot.session.name = "ch7\u{1B}]0;owned\u{7}"
        snapshot.breaks[1].ads[0].name = "広告の名前がとても長い場合"
        snapshot.breaks[1].ads[1].name = "👨‍👩‍👧 \u{202E}txt.exe"
        snapshot.breaks[1].ads[2].name = "a\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}bc\rEVIL"
        snapshot.breaks[1].ads[1].events[0].event = "impres\u{1B}[31msion"
        snapshot.breaks[1].ads[1].events[1].event = "開始"
        snapshot.breaks[1].ads[1].events[2].urls[0].url = "https://t.example-dsp.com/\u{1B}[2J/q1?x=\u{9B}31m&名=値"
        snapshot.log = log([
            (12, 40, 53.9, .warning, "beacon first\u{1B}[2JQuartile B2/A2\r\nfake line"),
            (12, 40, 54.5, .error, "gelöscht 削除 \u{202E}desrever"),
        ])
        return snapshot
    }

    /// An interstitial was played, and the session has ended.
    static var ended: Snapshot {
        var snapshot = midBreak
        snapshot.session.phase = .ended
        snapshot.playhead.state = .ended
        snapshot.playhead.isAdvancing = false
        snapshot.interstitials = [
            InterstitialView(
                id: "promo-7", start: at(12, 38, 0), duration: .seconds(15), startedAt: at(12, 38, 0.2),
                stoppedAt: at(12, 38, 15.1), assetCount: 2)
        ]
        return snapshot
    }
}

extension SnapshotSamples {
    static func snapshot(breaks: [BreakView], log lines: [(Int, Int, Double, LogLevel, String)]) -> Snapshot {
        var counters = Counters()
        counters.events = [.done: 41, .connecting: 2, .failed: 1, .idle: 45]
        counters.beaconsSent = 61
        counters.beaconsAcknowledged = 58
        counters.beaconsFailed = 3
        counters.retries = 2
        counters.metadataPolls = 96
        counters.statusClasses = [2: 58, 5: 3]
        return Snapshot(
            at: now, session: session(phase: .running), playlist: playlist,
            playhead: PlayheadView(
                state: .playing, stream: StreamTime(microseconds: 17_800_000), date: playhead, rate: 1,
                isMuted: false,
                latency: latency, behindEdge: .milliseconds(18_200), drift: .milliseconds(31), isAdvancing: true,
                limitStream: StreamTime(microseconds: 36_000_000)),
            dataRange: at(12, 30, 0)...at(12, 47, 30), coverageAhead: at(12, 47, 30) - playhead,
            timeToNextBreak: breaks.first { $0.start > playhead }.map { $0.start - playhead },
            nextBreakStart: breaks.first { $0.start > playhead }?.start, breaks: breaks,
            interstitials: [], playedRanges: [at(12, 35, 0)...playhead], counters: counters, activity: activity,
            findings: [], log: log(lines), errors: ErrorBook())
    }

    static func session(phase: SessionView.Phase) -> SessionView {
        let isStarting = phase == .starting
        return SessionView(
            name: "ch7 live", mediaURL: "https://cdn.example.net/live/ch7/master.m3u8",
            manifestURL: isStarting ? nil : "https://cdn.example.net/live/ch7/master.m3u8?sid=7f3a91c2",
            metadataURL: isStarting ? nil : "https://ads.example.net/v1/metadata?sid=7f3a91c2", provider: "harmonic",
            initPath: isStarting ? nil : "get", sessionID: isStarting ? nil : "7f3a91c2",
            mode: isStarting ? .observe : .fire, retry: .safe,
            canArm: true, phase: phase,
            playlistHealth: isStarting
                ? FeedHealth(state: .waiting, consecutiveFailures: 0)
                : FeedHealth(
                    state: .good, status: 200, took: .milliseconds(38), bytes: 1_204, lastGoodAt: moment(12, 41, 16.4),
                    consecutiveFailures: 0, nextAttemptAt: moment(12, 41, 22.4)),
            metadataHealth: isStarting
                ? .none
                : FeedHealth(
                    state: .good, status: 200, took: .milliseconds(51), bytes: 18_204, lastGoodAt: moment(12, 41, 17.3),
                    consecutiveFailures: 0, nextAttemptAt: moment(12, 41, 21.3)))
    }

    static var playlist: PlaylistView {
        PlaylistView(
            kind: .live, url: "https://cdn.example.net/live/ch7/v1080.m3u8?sid=7f3a91c2", bandwidth: 5_200_000,
            variantCount: 3,
            targetDuration: .seconds(6), segmentCount: 6, mediaSequence: 4_711, hasEnded: false,
            windowStart: .zero, windowEnd: StreamTime(microseconds: 36_000_000),
            windowStartDate: at(12, 40, 54.4), windowEndDate: at(12, 41, 30.4), holdBack: .seconds(18),
            discontinuities: 4,
            reloads: 312, nextReloadAt: moment(12, 41, 22.4))
    }

    static var noPlaylist: PlaylistView {
        PlaylistView(
            kind: .unknown, variantCount: 0, segmentCount: 0, hasEnded: false, discontinuities: 0, reloads: 0)
    }

    static var noActivity: ActivityView { ActivityView(beaconsPerSecond: [], errorsPerSecond: [], hosts: []) }

    static var activity: ActivityView {
        let beacons = (0..<60).map { [0, 0, 0, 1, 0, 2, 0, 0, 5, 0][$0 % 10] * ($0 % 3 == 0 ? 2 : 1) }
        let errors = (0..<60).map { $0 == 35 || $0 == 36 ? 1 : 0 }
        return ActivityView(
            beaconsPerSecond: beacons, errorsPerSecond: errors, latencyMedian: .milliseconds(40),
            latency95: .milliseconds(212), latencyMaximum: .milliseconds(231),
            hosts: [
                HostView(
                    host: "t.example-dsp.com", sent: 30, failed: 1, latency95: .milliseconds(212),
                    answers: delays([(60, 12), (150, 10), (240, 7), (5_000, 1)]),
                    lateness: delays([(40, 28), (1_900, 2)])),
                HostView(
                    host: "m.example-verify.net", sent: 20, failed: 0, latency95: .milliseconds(61),
                    answers: delays([(61, 20)]), lateness: delays([(40, 20)])),
                HostView(host: "px.example-ssp.io", sent: 11, failed: 0, latency95: .milliseconds(44)),
            ])
    }

    /// Counts of delays in milliseconds.
    private static func delays(_ counts: [(milliseconds: Int, count: Int)]) -> DelayHistogram {
        var histogram = DelayHistogram()
        for entry in counts {
            for _ in 0..<entry.count { histogram.add(.milliseconds(entry.milliseconds)) }
        }
        return histogram
    }

    static let midBreakLog: [(Int, Int, Double, LogLevel, String)] = [
        (12, 40, 37.4, .info, "break B2 started 60.0s 3 ads"), (12, 40, 37.4, .info, "ad B2/A1 acme-shoes-15 started"),
        (12, 40, 37.5, .info, "beacon impression B2/A1 200 40ms"),
        (12, 40, 52.4, .info, "ad B2/A2 brandx-summer started"),
        (12, 40, 52.5, .info, "beacon impression B2/A2 200 41ms"),
        (12, 40, 52.5, .info, "beacon start B2/A2 200 39ms"),
        (12, 41, 0.1, .warning, "beacon firstQuartile B2/A2 503 198ms try 1 retry in 0.5s"),
        (12, 41, 0.7, .warning, "beacon firstQuartile B2/A2 503 205ms try 2 retry in 1.0s"),
        (12, 41, 1.8, .error, "beacon firstQuartile B2/A2 503 212ms: failed after 3 tries"),
        (12, 41, 7.5, .info, "beacon midpoint B2/A2 200 44ms"),
        (12, 41, 10.2, .info, "mute sent for B2/A2 204 37ms"),
        (12, 41, 15.0, .info, "beacon thirdQuartile B2/A2 200 40ms"),
        (12, 41, 17.3, .info, "metadata poll 200 51ms 3 breaks, +1 new (B3), +4 ads"),
        (12, 41, 18.2, .debug, "auction 1: 3 bidders asked"),
    ]

    static func log(_ lines: [(Int, Int, Double, LogLevel, String)]) -> LogView {
        var log = LogView(capacity: 1_000)
        for (number, line) in lines.enumerated() {
            log.append(LogEntry(number: number, at: moment(line.0, line.1, line.2), level: line.3, message: line.4))
        }
        return log
    }
}
