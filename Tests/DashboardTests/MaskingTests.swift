import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// What is passed on shows no secret, whichever pane it is in (D7).
@Suite struct MaskingTests {
    private static let secret = "7760003b54a685ae"

    private static var leaky: Snapshot {
        let url = "http://127.0.0.1/x?sessid=\(secret)&break=1"
        var snapshot = FindingsPaneTests.sample
        for index in snapshot.findings.indices {
            snapshot.findings[index].finding.message = "'\(url)' timed out"
            for place in snapshot.findings[index].places.indices {
                snapshot.findings[index].places[place].message = "'\(url)' timed out"
            }
        }
        for kind in ErrorKind.allCases {
            snapshot.errors.note(kind, "beacon to \(url) failed", at: SnapshotSamples.now)
        }
        var log = LogView(capacity: 50)
        log.append(LogEntry(number: 0, at: SnapshotSamples.now, level: .error, message: "asked \(url)"))
        snapshot.log = log
        snapshot.session.playlistHealth.state = .failing
        snapshot.session.playlistHealth.problem = "http://a.test/?sessid=\(secret)"
        for number in snapshot.breaks.indices {
            for ad in snapshot.breaks[number].ads.indices {
                snapshot.breaks[number].ads[ad].extras = [ExtraView(name: "companion", value: url)]
            }
        }
        let failure = HTTPFailure(.reset, "\(url) closed the connection")
        for url in snapshot.breaks[1].ads[1].events[2].urls.indices {
            for attempt in snapshot.breaks[1].ads[1].events[2].urls[url].attempts.indices {
                snapshot.breaks[1].ads[1].events[2].urls[url].attempts[attempt].exchange?.failure = failure
                snapshot.breaks[1].ads[1].events[2].urls[url].attempts[attempt].exchange?.hops = [
                    .init(url: failure.message, status: 204, fields: [HTTPField("Set-Cookie", "sid=\(secret); Path=/")])
                ]
            }
        }
        return snapshot
    }

    @Test("no pane shows a session id", arguments: Pane.ofSession) func pane(_ pane: Pane) throws {
        var sample = DashboardSample(Self.leaky, 200, 60)
        sample.state.settings.redactsURLs = true
        for keys in ["!", "! h", "f g l j", "5 5"] {
            try sample.press(keys)
            let grid = Renderer.pane(pane, sample.snapshot, sample.state, now: sample.now)
            #expect(!TextWriter.text(of: grid).contains(Self.secret))
            #expect(!TextWriter.text(of: sample.frame.grid).contains(Self.secret))
        }
    }

    @Test("a bug report of a beacon masks its cookies, and keeps their names") func report() throws {
        var sample = DashboardSample(Self.leaky, 200, 60)
        try sample.press("!")
        try sample.press("B")
        guard case .copy(let report, .report)? = sample.effects.first else { throw CommandProblem.unknown("report") }
        #expect(!report.contains(Self.secret) && report.contains("Set-Cookie: sid=") && report.contains("; Path=/"))
    }

    @Test("the screen itself has it, so that the test can fail") func control() throws {
        var sample = DashboardSample(Self.leaky, 200, 60)
        try sample.press("f g l j")
        #expect(TextWriter.text(of: sample.frame.grid).contains(Self.secret))
    }
}
