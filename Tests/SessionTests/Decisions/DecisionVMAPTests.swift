import AdTracking
import Ports
import TestSupport
import Testing
import VAST

@testable import Session

/// Breaks of a complete stream, filled from VMAP.
@Suite struct DecisionVMAPTests {
    static func document(_ breaks: String...) -> String {
        "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks.joined())</vmap:VMAP>"
    }

    static func entry(_ offset: String, _ source: String, repeatAfter: String? = nil, type: String = "linear") -> String
    {
        let again = repeatAfter.map { " repeatAfter=\"\($0)\"" } ?? ""
        let events = ["breakStart", "breakEnd", "error"].map { name in
            let macro = name == "error" ? "&c=[ERROR_CODE]" : "&e=\(name)"
            return
                "<vmap:Tracking event=\"\(name)\"><![CDATA[\(FakeOrigin.base)/b?ad=\(offset.filter(\.isLetterOrDigit))\(macro)]]>"
                + "</vmap:Tracking>"
        }
        return
            "<vmap:AdBreak timeOffset=\"\(offset)\" breakType=\"\(type)\"\(again)><vmap:AdSource>\(source)</vmap:AdSource>"
            + "<vmap:TrackingEvents>\(events.joined())</vmap:TrackingEvents></vmap:AdBreak>"
    }

    static func tag(_ path: String) -> String {
        "<vmap:AdTagURI templateType=\"vast3\"><![CDATA[\(FakeOrigin.base)/ads/\(path)]]></vmap:AdTagURI>"
    }

    static func inside(_ vast: String) -> String { "<vmap:VASTAdData>\(vast)</vmap:VASTAdData>" }

    /// A stream of two minutes; every tag returns one ad of 8 s named after its path.
    static func session(_ document: String, _ change: (inout AdServer) -> Void = { _ in }) throws -> MonitorHarness {
        var server = AdServer()
        server.vodDuration = 120_000
        server.answers = { path, _ in
            path == "vmap"
                ? document : path.hasPrefix("none") ? AdServer.noAd() : AdServer.vast(AdServer.ad(path, seconds: 8))
        }
        change(&server)
        return try MonitorHarness(server, .vmap(tag: FakeOrigin.base + "/ads/vmap"))
    }

    /// Beacons as `ad event` in the order sent.
    static func sent(_ session: MonitorHarness) -> [String] {
        session.urls.map { url in
            let parts = url.split(separator: "?").last?.split(separator: "&") ?? []
            return parts.compactMap { $0.split(separator: "=").last.map(String.init) }.joined(separator: " ")
        }
    }

    static func starts(_ session: inout MonitorHarness) -> [Double] {
        session.snapshot().breaks.filter { $0.source.hasPrefix("vast") }
            .map { ($0.start - UnixTime(microseconds: 0)).inSeconds }
    }

    @Test func breaksLieAtTheirOffsets() throws {
        var session = try Self.session(
            Self.document(
                Self.entry("start", Self.tag("pre")),
                Self.entry("00:00:20", Self.inside(AdServer.vast(AdServer.ad("in", seconds: 8)))),
                Self.entry("50%", Self.tag("half")), Self.entry("end", Self.tag("post"))))
        session.start()
        session.run(for: .seconds(130))
        // The pre-roll starts when its answer arrives; the post-roll ends with the content.
        let starts = Self.starts(&session)
        #expect(starts.count == 4)
        #expect(starts.dropFirst() == [20, 60, 112])
        #expect((0...1).contains(starts.first ?? -1))
        let names = ["pre", "in", "half", "post"]
        for name in names {
            #expect(session.urls.filter { $0.contains("ad=\(name)&") } == AdServer.beacons(name))
        }
        #expect(session.adRequests.count == 4)
        let sent = Self.sent(session)
        for offset in ["start", "000020", "50", "end"] {
            #expect(sent.filter { $0 == "\(offset) breakStart" }.count == 1)
            #expect(sent.filter { $0 == "\(offset) breakEnd" }.count == 1)
        }
    }

    /// The VMAP document that a person named may be anywhere; what a public stream's document names may not.
    @Test(arguments: [false, true]) func tagsOfADocumentCarryTheRuleOfFeeds(allowsPrivate: Bool) throws {
        var server = AdServer()
        server.vodDuration = 120_000
        let document = Self.document(Self.entry("00:00:20", Self.tag("a")))
        server.answers = { path, _ in path == "vmap" ? document : AdServer.vast(AdServer.ad("a", seconds: 8)) }
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live/index.m3u8"))
        configuration.sending.allowsPrivate = allowsPrivate
        configuration.provider = .none
        configuration.decision = .vmap(tag: FakeOrigin.base + "/ads/vmap")
        var session = try MonitorHarness(server.origin()) { $0 = configuration }
        session.start()
        session.run(for: .seconds(40))
        #expect(session.requests(for: .adSchedule).map(\.addressRule) == [.anywhere])
        let rule: AddressRule = allowsPrivate ? .anywhere : .publicOnly
        #expect(session.requests(for: .adDecision).map(\.addressRule) == [rule])
    }

    @Test func repeatAfterAsksAgainEachTime() throws {
        var session = try Self.session(Self.document(Self.entry("00:00:20", Self.tag("a"), repeatAfter: "00:00:40")))
        session.start()
        session.run(for: .seconds(130))
        #expect(Self.starts(&session) == [20, 60, 100])
        #expect(session.adRequests.count == 4)
        #expect(session.urls.filter { $0 == AdServer.beacon("a", "complete") }.count == 3)
    }

    @Test func breaksOfOneMomentFollowEachOther() throws {
        var session = try Self.session(
            Self.document(Self.entry("00:00:20", Self.tag("a")), Self.entry("00:00:20", Self.tag("b"))))
        session.start()
        session.run(for: .seconds(130))
        #expect(Self.starts(&session) == [20, 28])
        #expect(session.tracking.filter { $0.contains("ad=b&") } == AdServer.beacons("b"))
    }

    /// A pre-roll begins when its ads arrive, however it is written, and however late its document is.
    @Test(arguments: ["start", "00:00:00", "0%"], [1_500, 4_000] as [Int64])
    func aPreRollWaitsForItsAds(offset: String, delay: Int64) throws {
        var session = try Self.session(Self.document(Self.entry(offset, Self.tag("pre")))) { server in
            server.delay = .milliseconds(delay)
        }
        session.start()
        session.run(for: .seconds(40))
        #expect(session.urls.filter { $0.contains("ad=pre&") } == AdServer.beacons("pre"))
    }

    @Test(arguments: ["100%", "00:02:00"]) func aBreakAtTheEndEndsWithTheContent(offset: String) throws {
        var session = try Self.session(Self.document(Self.entry(offset, Self.tag("post"))))
        session.start()
        session.run(for: .seconds(130))
        #expect(Self.starts(&session) == [112])
        #expect(session.urls.filter { $0.contains("ad=post&") } == AdServer.beacons("post"))
    }

    @Test func aBreakAfterTheContentIsNotRequested() throws {
        var session = try Self.session(Self.document(Self.entry("00:10:00", Self.tag("a"))))
        session.start()
        session.run(for: .seconds(130))
        #expect(session.adRequests.count == 1)
        #expect(session.log.contains { $0.contains("VMAP: 1 break after the end of the content") })
    }

    @Test func positionsAreTheMarkedBreaks() throws {
        var session = try Self.session(Self.document(Self.entry("#2", Self.tag("a")))) { server in
            server.markers = [.init(start: 24_000, duration: 8_000), .init(start: 72_000, duration: 8_000)]
        }
        session.start()
        session.run(for: .seconds(130))
        #expect(Self.starts(&session).contains(72))
        #expect(session.tracking.filter { $0.contains("ad=a&") } == AdServer.beacons("a"))
    }

    struct Row: Sendable {
        var source: String
        var type = "linear"
        var codes: [String]
    }

    @Test(arguments: [
        Row(source: tag("none"), codes: ["none 303", "000020 1004"]),
        Row(source: "<vmap:CustomAdData templateType=\"proprietary\">x</vmap:CustomAdData>", codes: ["000020 1005"]),
        Row(source: "", codes: ["000020 1006"]),
        Row(source: "<vmap:AdTagURI templateType=\"vast3\"> </vmap:AdTagURI>", codes: ["000020 1006"]),
        Row(source: tag("a"), type: "display", codes: ["000020 1003"]),
    ])
    func aBreakThatCannotBeFilledIsReported(_ row: Row) throws {
        var session = try Self.session(Self.document(Self.entry("00:00:20", row.source, type: row.type)))
        session.start()
        session.run(for: .seconds(40))
        #expect(Self.sent(session).filter { !$0.contains("break") } == row.codes)
        #expect(Self.sent(session).filter { $0 == "000020 breakStart" }.count == 1)
    }

    struct Trouble: Sendable {
        var reply: FakeOrigin.Reply
        var code: Int

        /// Messages that mislead, because codes come from what happened and not from how it is described.
        init(_ kind: HTTPFailure.Kind, _ message: String, code: Int) {
            reply = FakeOrigin.failure(kind, message)
            self.code = code
        }
    }

    @Test(arguments: [
        Trouble(.timeout, "no answer within 5 s", code: 1_007),
        Trouble(.timeout, "answered too late", code: 1_007),
        Trouble(.connectTimeout, "answered with HTTP status 500", code: 1_007),
        Trouble(.connect, "connection refused", code: 1_008),
        Trouble(.connect, "no answer within 5 s", code: 1_008),
        Trouble(.reset, "timed out", code: 1_008),
        Trouble(.resolve, "no such host", code: 1_008),
    ])
    func aTagThatCannotBeReadIsReportedByItsCause(_ trouble: Trouble) throws {
        var session = try Self.session(Self.document(Self.entry("00:00:20", Self.tag("a")))) { server in
            server.failures["a"] = trouble.reply
        }
        session.start()
        session.run(for: .seconds(40))
        #expect(Self.sent(session).filter { !$0.contains("break") } == ["000020 \(trouble.code)"])
    }

    @Test(arguments: ["answered with HTTP status 500", "no answer within 5 s", "timed out", ""])
    func codesDependOnNoSentence(message: String) {
        func codes(_ code: Int) -> [Int] {
            ResolutionFailure.Cause.allCases.map { cause in
                VMAPCode.code(of: ResolutionFailure(code: code, cause: cause, message: message))
            }
        }
        #expect(codes(301) == [1_007, 1_008, 1_004])
        #expect(codes(100) == [1_007, 1_008, 1_006])
        #expect(codes(303) == [1_007, 1_008, 1_004])
    }

    @Test func aTagAnsweredWithAnErrorStatusIsReportedAsRetrieval() throws {
        var session = try Self.session(Self.document(Self.entry("00:00:20", Self.tag("missing")))) { server in
            let answers = server.answers
            server.answers = { path, count in path == "missing" ? nil : answers(path, count) }
        }
        session.start()
        session.run(for: .seconds(40))
        #expect(Self.sent(session).filter { !$0.contains("break") } == ["000020 1008"])
    }

    @Test func aDocumentThatDoesNotComeIsAskedForAgain() throws {
        var session = try Self.session("") { server in
            server.answers = { path, count in
                guard path == "vmap" else { return AdServer.vast(AdServer.ad("a", seconds: 8)) }
                return count == 0 ? nil : Self.document(Self.entry("00:00:20", Self.tag("a")))
            }
        }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.filter { $0.hasSuffix("vmap") }.count == 2)
        #expect(session.tracking.filter { $0.contains("ad=a&") } == AdServer.beacons("a"))
    }

    /// A page of a network that wants a login, or an answer that was cut, may be followed by the document.
    @Test(arguments: ["<html><body>Sign in</body></html>", "", "<vmap:VMAP"])
    func anAnswerThatIsNoVMAPIsAskedForAgain(text: String) throws {
        var session = try Self.session("") { server in
            server.answers = { path, count in
                guard path == "vmap" else { return AdServer.vast(AdServer.ad("a", seconds: 8)) }
                return count == 0 ? text : Self.document(Self.entry("00:00:20", Self.tag("a")))
            }
        }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.filter { $0.hasSuffix("vmap") }.count == 2)
        #expect(session.tracking.filter { $0.contains("ad=a&") } == AdServer.beacons("a"))
    }

    @Test func whatIsNeverVMAPIsAskedForThreeTimes() throws {
        var session = try Self.session("<html/>")
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.filter { $0.hasSuffix("vmap") }.count == VMAPPart.tries)
        #expect(session.log.contains { $0.hasSuffix("the VMAP document is not VMAP: no breaks are filled") })
    }

    @Test(arguments: [
        (AdServer.noAd(), "is VAST, not VMAP"), ("<html/>", "is not VMAP"), ("", "is empty"),
        ("{}", "is not well-formed XML"),
    ])
    func aDocumentThatIsNotVMAPIsReported(text: String, problem: String) throws {
        var session = try Self.session(text)
        session.start()
        session.run(for: .seconds(10))
        #expect(session.log.contains { $0.contains("the VMAP document \(problem)") })
    }

    @Test func inALiveStreamItMeansNothing() throws {
        var session = try Self.session(Self.document(Self.entry("start", Self.tag("a")))) { $0.vodDuration = nil }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 1)
        #expect(session.log.contains { $0.contains("VMAP: offsets need a complete stream") })
    }

    /// The dates step where a break begins, and its document or its ads come when the viewer has passed that.
    @Test(arguments: [(true, 4_500), (false, 9_000)] as [(Bool, Int64)])
    func aLateBreakHasTheDatesBehindAStep(isDocumentLate: Bool, delay: Int64) throws {
        var server = AdServer()
        (server.vodDuration, server.hasDatesWhenComplete, server.delay) = (120_000, true, .milliseconds(delay))
        (server.dateStep, server.dateStepEnd) = ((4_000, -300_000_000_000), 24_000)
        let pod = AdServer.vast(
            AdServer.ad("a", seconds: 8, sequence: 1), AdServer.ad("b", seconds: 12, sequence: 2))
        let document = Self.document(
            Self.entry("00:00:04", isDocumentLate ? Self.inside(pod) : Self.tag("pod")))
        server.answers = { path, _ in path == "vmap" ? document : pod }
        let source: DecisionSource =
            isDocumentLate ? .vmap(tag: FakeOrigin.base + "/ads/vmap") : .vmapDocument(Array(document.utf8))
        var session = try MonitorHarness(server, source)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 1)
        #expect(session.tracking.filter { $0.contains("ad=b&") } == AdServer.beacons("b"))
    }

    @Test func aDocumentAtHandNeedsNoRequest() throws {
        var server = AdServer()
        server.vodDuration = 120_000
        let document = Self.document(Self.entry("00:00:20", Self.inside(AdServer.vast(AdServer.ad("a", seconds: 8)))))
        var session = try MonitorHarness(server, .vmapDocument(Array(document.utf8)))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.isEmpty)
        #expect(session.tracking.filter { $0.contains("ad=a&") } == AdServer.beacons("a"))
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
