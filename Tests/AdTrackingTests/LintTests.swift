import AdTracking
import Ports
import Testing

/// Metadata lint with the examples of the table (TRK-23). Times are in milliseconds.
@Suite struct LintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        /// Expected message; nil if the document must not be reported.
        var message: String?
        var breaks: [AdBreak]
        var range: ClosedRange<Int64> = 0...900_000
        var settledUntil: Int64? = 800_000
        var testDescription: String { "\(rule) \(message ?? "silent")" }
    }

    static func one(_ ads: [Ad], _ duration: Int64 = 45_000) -> [AdBreak] { [.test("b", 0, duration, ads)] }
    static func ad(_ change: (inout Ad) -> Void) -> [AdBreak] {
        var ad = Ad.full("a", 0, 30_000)
        change(&ad)
        return one([ad], 30_000)
    }
    static func joined(_ change: (inout [TrackingEvent]) -> Void) -> [AdBreak] {
        ad { ad in
            ad.isSeenInPart = true
            change(&ad.events)
        }
    }
    static func event(_ type: EventType, _ change: @escaping (inout TrackingEvent) -> Void) -> [AdBreak] {
        ad { ad in
            for index in ad.events.indices where ad.events[index].type == type { change(&ad.events[index]) }
        }
    }

    static let structure = [
        Case(
            rule: "L15", message: "break B starts 5000 ms before break A ends",
            breaks: [.test("A", 0, 100_000), .test("B", 95_000, 1_000)]),
        Case(rule: "L15", breaks: [.test("A", 0, 100_000), .test("B", 100_000, 1_000)]),
        Case(
            rule: "L16", message: "ad 2 starts 130 ms before ad 1 ends",
            breaks: one([.full("1", 0, 30_130), .full("2", 30_000, 15_000)])),
        Case(rule: "L16", breaks: one([.full("1", 0, 30_030), .full("2", 30_000, 15_000)])),
        Case(
            rule: "L17", message: "570 ms between ad 1 and ad 2",
            breaks: one([.full("1", 0, 30_030), .full("2", 30_600, 14_400)])),
        Case(
            rule: "L18", message: "ad 1 of break b ends 1000 ms after the break", breaks: one([.full("1", 0, 46_000)])),
        Case(rule: "L18", breaks: one([.full("1", 0, 46_000)]), range: 0...46_000, settledUntil: 42_000),
        Case(
            rule: "L19", message: "break b lasts 45000 ms, its ads 30000 ms (fill 0.67)",
            breaks: one([.full("1", 0, 30_000)])),
        Case(rule: "L19", breaks: one([.full("1", 0, 30_000)]), range: 0...46_000, settledUntil: 44_000),
        Case(
            rule: "L21", message: "midpoint lies 5000 ms after ad a of break b",
            breaks: event(.midpoint) { $0.start = .ms(35_000) }),
        Case(
            rule: "L21", message: "start lies before ad a of break b", breaks: event(.start) { $0.start = .ms(-500) }),
        // TRK-26 X8: the ad touches the end of the data range.
        Case(
            rule: "L21", breaks: [.test("b", 0, 20_000, [.clipped("a", 0, 30_000, at: 20_000)])], range: 0...20_000,
            settledUntil: 16_000),
        Case(
            rule: "L40", breaks: [.test("b", 0, 20_000, [.clipped("a", 0, 30_000, at: 20_000)])], range: 0...20_000,
            settledUntil: 16_000),
        // Rule 9: the first document that covers the planned end may arrive too early.
        Case(
            rule: "L40", breaks: [.test("b", 0, 20_000, [.clipped("a", 0, 30_000, at: 20_000)])], range: 0...31_000,
            settledUntil: 29_000),
        Case(
            rule: "L40", message: "ad a of break b ends 10000 ms before its complete event; the ad was cut",
            breaks: [.test("b", 0, 20_000, [.clipped("a", 0, 30_000, at: 20_000)])], range: 0...40_000,
            settledUntil: 36_000),
    ]

    static let events = [
        Case(
            rule: "L22", message: "firstQuartile of ad a of break b lies at 31 %",
            breaks: event(.firstQuartile) { $0.start = .ms(9_300) }),
        Case(rule: "L22", breaks: event(.firstQuartile) { $0.start = .ms(7_450) }),
        Case(
            rule: "L23", message: "complete of ad a of break b comes before thirdQuartile",
            breaks: event(.thirdQuartile) { $0.start = .ms(30_001) }),
        Case(
            rule: "L24", message: "ad a of break b has no start, midpoint",
            breaks: ad { $0.events.removeAll { $0.type == .start || $0.type == .midpoint } }),
        Case(rule: "L24", message: "ad a of break b has no tracking events", breaks: ad { $0.events = [] }),
        // The viewer joined in its middle: what the ad had before is not known.
        Case(rule: "L24", breaks: joined { $0.removeAll { [.start, .firstQuartile].contains($0.type) } }),
        Case(rule: "L24", breaks: joined { $0 = [] }),
        Case(
            rule: "L24", message: "ad a of break b has no thirdQuartile",
            breaks: joined { $0.removeAll { [.start, .firstQuartile, .thirdQuartile].contains($0.type) } }),
        Case(
            rule: "L25", message: "start of ad a of break b has 'https://t.example/a/start' twice",
            breaks: ad { ad in ad.events += ad.events.filter { $0.type == .start } }),
        Case(
            rule: "L25", message: "START of ad a of break b has 'HTTPS://T.example/a/start' twice",
            breaks: ad { ad in
                ad.events += ad.events.filter { $0.type == .start }.map { event in
                    var event = event
                    event.start = .ms(10)
                    (event.rawName, event.urls) = ("START", ["HTTPS://T.example/a/start"])
                    return event
                }
            }),
        Case(
            rule: "L25",
            breaks: ad { ad in
                ad.events += ad.events.filter { $0.type == .start }.map { event in
                    var event = event
                    event.start = .ms(11)
                    return event
                }
            }),
        Case(
            rule: "L26", message: "2 events have the URL 'https://t.example/x', the first is start of ad a",
            breaks: ad { ad in
                for index in ad.events.indices where [.start, .midpoint].contains(ad.events[index].type) {
                    ad.events[index].urls = ["https://t.example/x"]
                }
            }),
        Case(
            rule: "L30", message: "1 beacons go to http://p.example in an https session",
            breaks: event(.start) { $0.urls = ["http://p.example/1"] }),
        Case(
            rule: "L31", message: "1 beacons go to 10.0.0.1, a private or loopback address, in a public session",
            breaks: event(.start) { $0.urls = ["https://10.0.0.1/1"] }),
        Case(
            rule: "L32", message: "clickThrough of ad a of break b has no duration, as if playback triggered it",
            breaks: ad { $0.events.append(.test(.clickThrough, 0)) }),
        Case(
            rule: "L34", message: "pause of ad a of break b has no duration",
            breaks: event(.pause) { $0.duration = .zero }),
        Case(
            rule: "L54", message: "verification of omv in ad a of break b lacks a script or its parameters",
            breaks: ad {
                $0.verifications = [
                    Verification(vendor: "omv", parameters: "k", executable: Verification.Resource(uri: "x"))
                ]
            }),
        Case(
            rule: "L55", message: "a companion of ad a of break b has no resource or no size",
            breaks: ad { $0.companions = [Companion(width: 0, height: 0)] }),
        Case(
            rule: "L55",
            breaks: ad {
                $0.companions = [Companion(extras: JSONObject([.init(name: "htmlResource", value: "<p>")]))]
            }),
    ]

    @Test(arguments: structure + events)
    func document(_ test: Case) {
        let context = LintContext(isSecure: true, isPublic: true, settledUntil: test.settledUntil.map(UnixTime.ms))
        let findings = DocumentLint.findings(in: .test(test.breaks, range: test.range), context)
        let messages = findings.filter { $0.rule == test.rule }.map(\.message)
        #expect(messages == (test.message.map { [$0] } ?? []), "\(findings.map(\.message))")
    }

    @Test func goodBreakIsSilent() {
        let breaks = Self.one([.full("1", 0, 30_000), .full("2", 30_000, 15_000)])
        let context = LintContext(isSecure: true, isPublic: true, settledUntil: .ms(800_000))
        #expect(DocumentLint.findings(in: .test(breaks, range: 0...900_000), context) == [])
    }

    @Test func hostileTimesDoNotTrap() {
        let far = UnixTime(microseconds: .max)
        let near = UnixTime(microseconds: .min)
        var ad = Ad.full("a", 0, 30_000)
        for index in ad.events.indices { ad.events[index].start = index.isMultiple(of: 2) ? far : near }
        let early = AdBreak(name: "b", start: near, duration: .microseconds(Int64.max), ads: [ad, .full("c", 0, 1)])
        let context = LintContext(isSecure: true, isPublic: true, settledUntil: far)
        #expect(!DocumentLint.findings(in: .test([early, early], range: 0...1), context).isEmpty)
    }
}

extension Ad {
    /// A full creative of which only a part is stitched so far.
    static func clipped(_ name: String, _ start: Int64, _ length: Int64, at end: Int64) -> Ad {
        var ad = Ad.full(name, start, length)
        ad.duration = .milliseconds(end - start)
        return ad
    }
}

/// Lint across polls (L07 to L10, L12, L14, L35 to L39).
@Suite struct FeedLintTests {
    var viewer = AdViewer()
    var lint = FeedLint(isSecure: true, isPublic: true)

    /// Rules and messages of the findings of one poll.
    mutating func poll(
        _ breaks: [AdBreak] = [], range: ClosedRange<Int64>? = nil, playhead: Int64? = nil, edge: Int64? = nil,
        target: Duration = .seconds(6), at now: Int64 = 0
    ) -> [String] {
        let document = DecodedMetadata.test(breaks, range: range)
        let outcome = viewer.metadata(document)
        let around = FeedLint.Surroundings(
            playhead: playhead.map(UnixTime.ms), liveEdge: edge.map(UnixTime.ms), pollInterval: .seconds(4),
            targetDuration: target)
        return lint.arrived(document, outcome, book: viewer.tracker.book, around, at: .ms(now)).map {
            "\($0.rule) \($0.message)"
        }
    }

    @Test mutating func l07FrozenRange() {
        #expect(poll(range: 0...100_000, edge: 100_000, at: 100_000) == [])
        #expect(poll(range: 0...100_000, edge: 104_000, at: 104_000) == [])
        #expect(poll(range: 0...100_000, edge: 108_000, at: 108_000) == [])
        #expect(
            poll(range: 0...100_000, edge: 112_000, at: 112_000)
                == ["L07 dataRange.end has not advanced for 3 polls while the playlist has"])
        #expect(poll(range: 0...116_000, edge: 116_000, at: 116_000) == [])
    }

    @Test mutating func l07StandsWithThePlaylist() {
        for _ in 0..<6 { #expect(poll(range: 0...100_000, edge: 100_000, at: 100_000) == []) }
    }

    @Test mutating func l08RangeGoesBack() {
        _ = poll(range: 0...100_000)
        #expect(poll(range: 0...96_000) == ["L08 dataRange.end went back by 4.0 s"])
    }

    @Test mutating func l09PlayheadOutside() {
        #expect(poll(range: 70_000...100_000, playhead: 30_000) == ["L09 the playhead is 40.0 s before the dataRange"])
        #expect(poll(range: 70_000...101_000, playhead: 102_500) == ["L09 the playhead is 1.5 s after the dataRange"])
    }

    /// A list may end a little after what the document covers, because lengths are rounded.
    @Test(arguments: [(1, false), (100, false), (101, true)])
    mutating func l09RoundingIsNoFinding(milliseconds: Int, isFound: Bool) {
        for playhead in [100_000 + Int64(milliseconds), 70_000 - Int64(milliseconds)] {
            let findings = poll(range: 70_000...100_000, playhead: playhead)
            #expect(findings.contains { $0.hasPrefix("L09") } == isFound)
        }
    }

    @Test mutating func l10ThinCoverage() {
        #expect(
            poll(range: 0...100_000, playhead: 98_800, edge: 100_000, at: 100_000)
                == ["L10 metadata covers 1.2 s beyond the playhead, less than one poll interval"])
        #expect(poll(range: 0...104_000, playhead: 98_800, edge: 104_000, at: 104_000) == [])
    }

    @Test mutating func l12ClockSkew() {
        #expect(
            poll(range: 0...100_000, edge: 10_900_000, at: 100_000)
                == ["L12 the newest segment is dated 10,800.0 s after the local clock"])
        #expect(poll(range: 0...110_001, edge: 110_001, at: 100_000).count == 1)
    }

    /// A playlist of long segments is as old as the next segment takes.
    @Test mutating func l12LongSegments() {
        #expect(poll(range: 0...100_000, edge: 100_000, target: .seconds(12), at: 128_000) == [])
        #expect(
            poll(range: 0...104_000, edge: 104_000, target: .seconds(12), at: 132_500)
                == ["L12 the newest segment is dated 28.5 s before the local clock"])
    }

    @Test mutating func l14MovedStart() {
        _ = poll([.test("4711", 60_000, 30_000)])
        #expect(poll([.test("4711", 66_000, 30_000)]) == ["L14 break 4711 moved by 6.0 s"])
    }

    /// A start that creeps by the tolerance or less is found once it is further from the first one than that.
    @Test mutating func l14CreepingStart() {
        var findings: [String] = []
        for number in 0..<8 as Range<Int64> {
            findings += poll([.test("4711", 60_000 + number * 60, 30_000)])
        }
        #expect(
            findings == [
                "L14 break 4711 moved by 120 ms", "L14 break 4711 moved by 120 ms, 240 ms since it was first listed",
                "L14 break 4711 moved by 120 ms, 360 ms since it was first listed",
            ])
    }

    @Test mutating func l14StartThatOnlyShakes() {
        for start in [60_000, 60_090, 59_910, 60_100, 60_000] as [Int64] {
            #expect(poll([.test("4711", start, 30_000)]) == [])
        }
    }

    @Test mutating func l35LateMetadata() {
        viewer.play(0, 40_000)
        let findings = poll([.test("b", 33_800, 30_000, [.full("a", 33_800, 30_000)])], range: 0...64_000)
        #expect(findings == ["L35 metadata of ad a arrived 6.2 s after it was played"])
    }

    /// What was played before the session asked at all, as it does while its journal opens, is not late by the server's fault.
    @Test(arguments: [(20_000, "6.2"), (33_800, "6.2"), (39_000, nil), (nil, "6.2")] as [(Int64?, String?)])
    mutating func l35CountsFromTheFirstRequest(_ askedAt: Int64?, _ late: String?) {
        viewer.play(0, 40_000)
        lint.asked(at: askedAt.map(UnixTime.ms))
        let findings = poll(
            [.test("b", 33_800, 30_000, [.full("a", 33_800, 30_000)])], range: 0...64_000, playhead: 40_000)
        #expect(findings == late.map { ["L35 metadata of ad a arrived \($0) s after it was played"] } ?? [])
    }

    /// A later document may not list for the first time what was played before the first request.
    @Test mutating func l35OfALaterDocument() {
        viewer.play(0, 40_000)
        lint.asked(at: .ms(39_000))
        _ = poll(range: 0...64_000, playhead: 40_000)
        lint.asked(at: .ms(40_000))
        let findings = poll(
            [.test("b", 33_800, 30_000, [.full("a", 33_800, 30_000)])], range: 0...64_000, playhead: 40_000)
        #expect(findings == ["L35 metadata of ad a arrived 6.2 s after it was played"])
    }

    /// A length is cut, as the screen cuts it, so that both show the same number.
    @Test mutating func l35IsCut() {
        viewer.play(0, 40_000)
        let findings = poll([.test("b", 33_710, 30_000, [.full("a", 33_710, 30_000)])], range: 0...64_000)
        #expect(findings == ["L35 metadata of ad a arrived 6.2 s after it was played"])
    }

    /// The session itself holds back what a break reports at its end (PRV-25).
    @Test(arguments: [(EventType.breakEnd, 0), (.podEnd, 0), (.complete, 1)])
    mutating func l35IsNotAboutTheEndOfABreak(_ type: EventType, _ count: Int) {
        var ad = Ad.test("a", 20_000, 10_000, [.test(.start, 20_000)])
        _ = poll([.test("b", 20_000, 10_000, [ad])])
        viewer.play(15_000, 40_000)
        ad.events.append(.test(type, 30_000))
        let findings = poll([.test("b", 20_000, 10_000, [ad])])
        #expect(findings.count { $0.hasPrefix("L35") } == count && viewer.requests.count == 2)
    }

    @Test mutating func l36EventsAdded() {
        var ad = Ad.full("a", 0, 30_000)
        let last = ad.events.removeLast()
        _ = poll([.test("b", 0, 30_000, [ad])])
        ad.events.append(last)
        ad.events[0].urls.append("https://t.example/second")
        #expect(
            poll([.test("b", 0, 30_000, [ad])]) == [
                "L36 impression of ad a was added to an ad that was already known",
                "L36 complete of ad a was added to an ad that was already known",
            ])
    }

    @Test mutating func l37VanishedAndReturned() {
        let ads = [Ad.full("1", 0, 15_000), .full("2", 15_000, 15_000)]
        _ = poll([.test("b", 0, 30_000, ads)], range: 0...60_000)
        #expect(
            poll([.test("b", 0, 15_000, [ads[0]])], range: 0...60_000).contains("L37 ad 2 vanished from the metadata"))
        #expect(poll([.test("b", 0, 30_000, ads)], range: 0...60_000).contains("L37 ad 2 came back"))
        // A break outside the window has not vanished.
        #expect(poll([], range: 40_000...100_000) == [])
    }

    @Test mutating func l38Shrank() {
        _ = poll([.test("b", 0, 30_000, [.full("a", 0, 30_000)])], range: 0...60_000)
        let findings = poll([.test("b", 0, 30_000, [.clipped("a", 0, 30_000, at: 24_900)])], range: 0...60_000)
        #expect(findings.contains("L38 ad a shrank from 30000 to 24900 ms"))
    }

    @Test mutating func l39StillGrowing() {
        _ = poll([.test("b", 0, 20_000, [.clipped("a", 0, 30_000, at: 20_000)])], range: 0...20_000)
        #expect(poll([.test("b", 0, 24_000, [.clipped("a", 0, 30_000, at: 24_000)])], range: 0...60_000) == [])
        let findings = poll([.test("b", 0, 26_000, [.clipped("a", 0, 30_000, at: 26_000)])], range: 0...64_000)
        #expect(findings.contains("L39 ad a still grows after its planned end"))
        #expect(findings.contains("L39 break b still grows after its planned end"))
    }
}

/// Lint of answers and of unsent beacons (L01, L02, L57 to L63).
@Suite struct DeliveryLintTests {
    static func rules(_ findings: [Finding]) -> [String] { findings.map(\.rule) }

    @Test func l01l02MetadataAnswers() {
        let html = HTTPExchange.answer(200, "<html>", type: "text/html")
        #expect(
            DeliveryLint.metadataAnswered(html, problem: .html).map(\.message)
                == ["metadata request was answered with 200, but the body is HTML instead of JSON"])
        #expect(Self.rules(DeliveryLint.metadataAnswered(.answer(404, type: "text/html"), problem: .html)) == ["L01"])
        let ping = DeliveryLint.metadataAnswered(html, problem: .html, isPing: true)
        #expect(ping.map(\.message) == ["ping was answered with 200, but the body is HTML instead of JSON"])
        #expect(
            DeliveryLint.metadataAnswered(.answer(503, type: "text/html"), problem: nil, isPing: true).map(\.message)
                == ["ping was answered with 503"])
        #expect(
            Self.rules(DeliveryLint.metadataAnswered(.answer(200, "{}", type: "text/plain"), problem: nil)) == ["L02"])
        #expect(
            DeliveryLint.metadataAnswered(.answer(200, "{}", type: "application/json; charset=utf-8"), problem: nil)
                == [])
        #expect(DeliveryLint.metadataAnswered(.failure(.timeout), problem: nil) == [], "no answer is no document")
    }

    @Test func l66MetadataThatIsNotUTF8() {
        var exchange = HTTPExchange.answer(200, "{}", type: "application/json")
        exchange.body = Array("{\n\"a\":\"".utf8) + [0xE9] + Array("\"}".utf8)
        let findings = DeliveryLint.metadataAnswered(exchange, problem: nil)
        #expect(
            findings.map(\.message) == [
                "metadata has bytes that are not UTF-8, the first at line 2, column 6; each was read as U+FFFD"
            ])
        #expect(DeliveryLint.metadataAnswered(exchange, problem: nil, expecting: "xml").map(\.rule) == ["L02"])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var exchange: HTTPExchange
        var rules: [String]
        var testDescription: String { "\(rules)" }
    }

    static func slow(_ milliseconds: Int64) -> HTTPExchange {
        var exchange = HTTPExchange.answer(204)
        exchange.timings.total = milliseconds * 1_000
        return exchange
    }

    static let redirected: HTTPExchange = {
        var exchange = HTTPExchange.answer(204)
        exchange.hops =
            Array(repeating: HTTPExchange.Hop(url: "https://t.example/", status: 302, fields: []), count: 4)
            + exchange.hops
        return exchange
    }()

    @Test(arguments: [
        Case(exchange: slow(1_999), rules: []), Case(exchange: slow(2_001), rules: ["L57"]),
        Case(exchange: redirected, rules: ["L57"]), Case(exchange: .failure(.timeout), rules: ["L57"]),
        Case(exchange: .answer(404), rules: ["L58"]),
        Case(exchange: .answer(200, String(repeating: "x", count: 40_000), type: "text/html"), rules: ["L59"]),
        Case(exchange: .answer(200, "ok", type: "text/html"), rules: []),
    ])
    func beaconAnswers(_ test: Case) {
        var viewer = AdViewer(retry: .never)
        viewer.respond = { _ in test.exchange }
        viewer.metadata([.test("b", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 6_000)
        let findings = viewer.deliveries.flatMap(DeliveryLint.answered)
        #expect(Self.rules(findings) == test.rules)
        // The reason comes before the URL, which may be longer than a row.
        for message in findings.map(\.message) {
            #expect(message.hasPrefix("a tracker ") && message.hasSuffix(": 'https://t.example/start'"), "\(message)")
        }
    }

    @Test func l60LateBeacon() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 6_480)
        #expect(
            DeliveryLint.claimed(viewer.claimed, in: viewer.tracker).map(\.message)
                == ["start of ad a was sent 1480 ms after its due time"])
    }

    @Test func l60ClaimsNothingInObserveMode() {
        var viewer = AdViewer(mode: .observe)
        viewer.metadata([.test("b", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 5_000)])])])
        viewer.play(4_000, 6_480)
        #expect(
            DeliveryLint.claimed(viewer.claimed, in: viewer.tracker).map(\.message)
                == ["start of ad a would have been sent 1480 ms after its due time"])
    }

    @Test func l62PlayedAndNotSent() throws {
        var macro = TrackingEvent.test(.midpoint, 15_000)
        macro.urls = ["https://t.example/[CACHEBUSTER]"]
        var viewer = AdViewer()
        viewer.metadata([
            .test("b", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 5_000), .test(.firstQuartile, 7_500), macro])])
        ])
        viewer.play(4_000, 6_000)
        viewer.play(6_000, 10_000, rate: 8)
        viewer.play(10_000, 31_000)
        let id = try #require(viewer.tracker.book.breaks.first?.id)
        var verdicts = BreakVerdicts()
        #expect(
            verdicts.ended(id, in: viewer.tracker).map(\.message)
                == ["firstQuartile of ad a was not sent: too fast", "midpoint of ad a was not sent: macro unfilled"])
    }

    @Test func l63PairsOfActions() {
        var lint = UserActionLint()
        #expect(lint.acted(.resume)?.message == "resume without a preceding pause")
        #expect(lint.acted(.pause) == nil)
        #expect(lint.acted(.resume) == nil)
        #expect(lint.acted(.resume)?.rule == "L63")
        #expect(lint.acted(.unmute)?.rule == "L63")
        #expect(lint.acted(.skip) == nil)
    }
}
