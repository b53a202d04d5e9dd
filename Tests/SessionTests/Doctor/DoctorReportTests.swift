import Ports
import Session
import Testing

/// Rows, verdict and sentences of `adtop doctor`, without a network.
@Suite struct DoctorReportTests {
    private static let url = "https://s.example:8443/live.m3u8?token=SECRET"

    private static func course(_ stages: [ConnectionCourse.Stage]) -> ConnectionCourse {
        var course = ConnectionCourse()
        course.stages = stages
        return course
    }

    private static let good = course([
        .init(.name, "192.0.2.1", took: .milliseconds(1)), .init(.connect, "192.0.2.1:443", took: .milliseconds(2)),
        .init(.tls, "TLS 1.3", took: .milliseconds(3)),
    ])

    private static func answer(
        _ purpose: FetchPurpose, _ status: Int = 200, _ body: String = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
    ) throws -> Examination.Answer {
        let url = try WebURL(url)
        return Examination.Answer(
            purpose: purpose, request: HTTPRequest(url: url, maximumBodyBytes: 1),
            exchange: HTTPExchange(
                hops: [.init(url: url.text, status: status, fields: [])], body: Array(body.utf8)))
    }

    private static func opened() throws -> DoctorReport {
        var report = DoctorReport()
        report.note(good, to: try WebURL(url))
        report.note(try answer(.sessionInit, 404, "no"))
        report.note(try answer(.mediaPlaylist, 200, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n"))
        report.note(try answer(.mediaPlaylist))
        report.note(try answer(.metadata, 200, " {}"))
        return report
    }

    @Test func anOpenStreamIsReachable() throws {
        var report = try Self.opened()
        report.conclude(isOpen: true, metadata: .good, problem: nil)
        #expect(report.verdict == .reachable)
        #expect(report.sentence == "The stream opens. Its metadata names no tracker now.")
        #expect(
            report.rows.map(\.step) == [
                "name", "connect", "tls", "session", "multivariant playlist", "media playlist", "metadata",
            ])
        // The stream has no session of its own: that is no fault of it.
        #expect(report.rows.map(\.state) == [.good, .good, .good, .warning, .good, .good, .good])
        report.noteTracker(Self.good, to: try WebURL("https://t.example/b"))
        #expect(report.sentence == "The stream opens, and 1 tracker host accepts connections.")
        #expect(report.rows.last?.result == "192.0.2.1, TLS 1.3" && report.rows.last?.took == .milliseconds(6))
        report.noteOmitted(5)
        #expect(
            report.sentence == "The stream opens, and 1 tracker host (5 more were not tried) accepts connections.")
    }

    @Test func aTrackerThatCannotBeReachedLimits() throws {
        var report = try Self.opened()
        report.conclude(isOpen: true, metadata: .good, problem: nil)
        let broken = Self.course([
            .init(.name, "192.0.2.2", took: .zero),
            .init(.connect, took: .zero, failure: HTTPFailure(.connect, "connection refused")),
        ])
        report.noteTracker(broken, to: try WebURL("http://t.example/b"))
        report.noteForbidden(try WebURL("http://u.example:81/b"))
        #expect(report.verdict == .limited)
        #expect(report.sentence == "The stream opens, with limits: 2 of 2 tracker hosts cannot be reached.")
        #expect(report.rows.suffix(2).map(\.state) == [.failed, .notAllowed])
        #expect(report.rows.suffix(2).map(\.subject) == ["t.example:80", "u.example:81"])
        #expect(report.rows.suffix(2).first?.result == "connect: connection refused")
        #expect(report.rows.suffix(2).first?.advice == OpeningProblem.refused.advice)
    }

    @Test func metadataThatCannotBeUsedLimits() throws {
        var report = try Self.opened()
        report.conclude(isOpen: true, metadata: .unusable, problem: "metadata: no adBreaks")
        #expect(report.verdict == .limited)
        #expect(report.rows.last?.state == .failed && report.rows.last?.advice?.contains("no adBreaks") == true)
    }

    /// A stream without a session has no metadata where it is looked for: that is no fault of it.
    @Test func aGuessThatFailsIsAWarning() throws {
        var report = DoctorReport()
        report.note(try Self.answer(.mediaPlaylist))
        report.note(try Self.answer(.metadata, 404, "no"))
        report.conclude(isOpen: true, metadata: .guessed, problem: "metadata: answered 404")
        #expect(report.verdict == .reachable && report.sentence == "The stream opens, without ad metadata.")
        #expect(report.rows.last?.state == .warning && report.rows.last?.advice == nil)
    }

    /// The sentences of a failure are those of the card.
    @Test(arguments: [
        HTTPFailure(.resolve, "no such host"), HTTPFailure(.tls, "x", rejection: .expired),
        HTTPFailure(.addressNotAllowed, "private"), HTTPFailure(.connectTimeout, "no connection within 5 s"),
    ]) func aFailureHasTheAdviceOfTheCard(_ failure: HTTPFailure) throws {
        var report = DoctorReport()
        report.note(Self.course([.init(.name, took: .zero, failure: failure)]), to: try WebURL(Self.url))
        report.conclude(isOpen: false, metadata: nil, problem: "session: x")
        let row = try #require(report.rows.first)
        #expect(report.rows.count == 1 && report.verdict == .unreachable)
        #expect(row.advice == OpeningProblem(HTTPExchange(failure: failure))?.advice && row.advice != nil)
        #expect(row.state == (failure.kind == .addressNotAllowed ? .notAllowed : .failed))
        #expect(report.sentence == "The stream cannot be opened: name: \(failure.message).")
    }

    /// All answers are fine for themselves, and still there is no playlist.
    @Test func aFailureThatNoAnswerShowsIsARow() throws {
        var report = try Self.opened()
        report.conclude(isOpen: false, metadata: nil, problem: "playlist: no variant")
        #expect(report.verdict == .unreachable)
        // The session's answer failed: it is what is shown.
        #expect(report.rows.last?.step == "metadata")
        var other = DoctorReport()
        other.note(try Self.answer(.mediaPlaylist))
        other.conclude(isOpen: false, metadata: nil, problem: "playlist: no variant")
        #expect(other.rows.last?.result == "playlist: no variant")
    }

    /// What was answered instead of a playlist is named: a status alone reads like success.
    @Test(arguments: [
        ("<html>", "a web page instead of a playlist"), ("{}", "JSON instead of a playlist"),
        ("hello", "not a playlist"),
        ("<MPD/>", "DASH manifest: adtop watches HLS"), ("", "no segment and no variant in it"),
    ]) func anAnswerThatIsNoPlaylistIsNamed(body: String, found: String) throws {
        var report = DoctorReport()
        report.note(try Self.answer(.sessionInit, 200, body))
        report.note(try Self.answer(.sessionInit, 405, ""))
        report.note(try Self.answer(.sessionInit, 200, body))
        report.conclude(isOpen: false, metadata: nil, problem: "session: GET init: x; POST init: y")
        #expect(report.rows.count == 3 && report.rows.allSatisfy { $0.state == .failed })
        #expect(report.rows.map(\.result) == ["200, \(found)", "405", "200, \(found)"])
        #expect(report.rows[0].advice == report.rows[0].problem?.advice && report.rows[0].advice != nil)
        #expect(report.sentence == "The stream cannot be opened: session: 200, \(found).")
    }

    @Test func theDocumentHoldsNoSecret() throws {
        var report = try Self.opened()
        report.conclude(isOpen: true, metadata: .good, problem: nil)
        let text = report.json(of: try WebURL(Self.url)).text(indented: true)
        #expect(!text.contains("SECRET") && text.contains("token=***"))
        #expect(text.contains("\"schema\": \"adtop-doctor/1\""))
    }
}
