import Testing

@testable import DemoOrigin

@Suite struct MetadataTextTests {
    let stream = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs)
    let breakMs = tenOClockMs + 2_000

    private func document(_ scenario: Scenario = .twoAds, at nowMs: Int) -> JSONText {
        let stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        return MetadataText(stream: stream, session: "s", origin: "http://h").document(at: nowMs)
    }

    @Test func dataRangeEndsAtTheLiveEdge() {
        let document = document(at: breakMs + 7_000)
        #expect(document["dataRange"]?["end"] == .integer(breakMs + 6_006))
        #expect(document["dataRange"]?["start"] == .integer(breakMs + 6_006 - 120_000))
    }

    @Test func theLastAdIsClippedAtTheEdgeAndGrows() {
        let lengths = stride(from: 0, through: 18_000, by: 2_000).map { offsetMs -> [JSONText?] in
            let last = document(at: breakMs + offsetMs)["adBreaks"]?.items.last
            guard last?["startTime"] == .integer(breakMs) else { return [] }
            return [last?["duration"]] + (last?["ads"]?.items.map { $0["duration"] } ?? [])
        }
        let expected: [[Int]] = [
            [], [], [2_002, 2_002], [4_004, 4_004], [6_006, 6_006], [8_008, 8_008],
            [11_678, 10_010, 1_668], [13_346, 10_010, 3_336], [15_015, 10_010, 5_005], [15_015, 10_010, 5_005],
        ]
        #expect(lengths == expected.map { $0.map { .integer($0) } })
    }

    @Test func eventTimesArePlannedFromTheFullCreative() throws {
        let early = ListedEvent.all(in: document(at: breakMs + 2_100)).filter { $0.startMs >= breakMs }
        let complete = try #require(early.first { $0.name == "complete" })
        #expect(complete.startMs == breakMs + 10_010)
    }

    @Test func aBreakLeavesWithTheDataRange() {
        let endMs = breakMs + 15_015
        let last = (0..<80).last { offset in
            let document = document(at: endMs + offset * 2_000)
            return document["adBreaks"]?.items.contains { $0["startTime"] == .integer(breakMs) } == true
        }
        #expect(last == 60)
    }

    @Test func aHiddenAdIsLeftOutAndABreakWithoutAdsToo() {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.hiddenMs = [0..<12_000]
        let breakIsListed = [4_100, 10_100, 11_700, 13_400].map { offsetMs in
            document(scenario, at: breakMs + offsetMs)["adBreaks"]?.items.last {
                $0["startTime"] == .integer(breakMs)
            }?["ads"]?
            .items.count
        }
        #expect(breakIsListed == [nil, nil, 1, 2])
    }

    @Test func oddNodesAreWrittenAsTheirFaultsSay() throws {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.oddities = [.numbersAsStrings, .unknownKeys]
        scenario.ads["milk"]?.oddities = [.missingId, .fractionalNumbers, .brokenUrls]
        scenario.breaks?.pods[0].oddities = [.numericId]
        let adBreak = try #require(document(scenario, at: breakMs + 15_015)["adBreaks"]?.items.last)
        let breakNumber = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
            .breaks(from: breakMs, through: breakMs)[0].id
        #expect(adBreak["id"] == .number(breakNumber))
        let ads = try #require(adBreak["ads"]?.items)
        #expect(ads[0]["startTime"] == .string(String(breakMs)))
        #expect(ads[0]["trackingEvents"]?.items.first?["duration"] == .string("10010"))
        #expect(ads[0]["StartTime"] != nil && ads[0]["xFutureField"] != nil)
        #expect(ads[1]["id"] == nil)
        #expect(ads[1]["duration"] == .number("5005.0"))
        #expect(ads[1]["trackingEvents"]?.items.last?["signalingUrls"]?.items.first == .integer(42))
    }

    @Test func anAdWithoutTrackingEventsHasNoSuchMember() throws {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.oddities = [.noTrackingEvents]
        let ads = document(scenario, at: breakMs + 2_100)["adBreaks"]?.items.last?["ads"]?.items
        let ad = try #require(ads?.first)
        #expect(ad["trackingEvents"] == nil)
        #expect(ad["duration"] == .integer(2_002))
    }

    @Test func lateAdsAreListedOnlyAfterAViewerAtTheHoldBackPlayedThem() throws {
        let scenario = try #require(try BuiltinScenarios.load("late-metadata")).scenario
        let stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        let ads = stream.breaks(from: tenOClockMs, through: tenOClockMs + 200_000).flatMap(\.ads)
        let late = ads.filter { $0.name.hasSuffix("late") }
        #expect(late.count >= 4)
        for ad in late {
            let playedMs = ad.startMs + ad.durationMs + 3_000 * (stream.targetDurationS + 1)
            #expect(!ad.isListed(edgeMs: playedMs))
            let listedMs = try #require((playedMs...playedMs + 100_000).first { ad.isListed(edgeMs: $0) })
            #expect(listedMs - (ad.startMs + ad.durationMs) < scenario.metadata.windowMs, "still within the data range")
        }
    }
}

/// What differs between documents that list the same ads.
@Suite struct MetadataVersionTests {
    private func version(_ changes: MetadataChanges?, token: Int? = nil, poll: Int, after ms: Int = 0)
        -> MetadataVersion
    {
        var scenario = Scenario.twoAds
        scenario.metadata.changes = changes
        scenario.session.tokenMs = token
        let stream = LiveStream(scenario: scenario, seed: 7, startMs: tenOClockMs)
        return MetadataVersion(stream, at: tenOClockMs + ms, poll: poll)
    }

    @Test func withoutChangesEverythingIsAsPlanned() {
        let version = version(nil, poll: 5)
        #expect(version.isPlain)
        #expect(version.id("12") == "12")
        #expect(version.shiftMs(ofBreak: 3) == 0)
        #expect(version.query(of: "/beacon/x?n=1") == "")
    }

    @Test func instancesTakeTurns() {
        let changes = MetadataChanges(pace: .instance, ids: true, startsMs: 1)
        let versions = (0..<4).map { version(changes, poll: $0) }
        #expect(versions.map { $0.shiftMs(ofBreak: 9) } == [0, 1, 0, 1])
        #expect(versions[0].id("12") == "12")
        #expect(versions[1].id("12") == versions[3].id("12"))
        #expect(versions[1].id("12") != "12")
    }

    @Test func anIntervalIsOneVersion() {
        let changes = MetadataChanges(pace: .every(7_000), ids: true)
        let ids = [0, 6_999, 7_000, 13_999, 14_000].map { version(changes, poll: $0, after: $0).id("b") }
        #expect(ids[0] == ids[1] && ids[2] == ids[3])
        #expect(Set(ids).count == 3)
    }

    /// Small differences are those of each break; a timeline that was calculated again moves as a whole.
    @Test(arguments: [(300, true), (12_000, false)]) func startsDiffer(byAtMost startsMs: Int, apart: Bool) {
        var shifts: Set<Int> = []
        for poll in 1..<40 {
            let version = version(MetadataChanges(startsMs: startsMs), poll: poll)
            let breaks = (0..<5).map { version.shiftMs(ofBreak: $0) }
            #expect(breaks.allSatisfy { abs($0) <= startsMs })
            #expect(apart || Set(breaks).count == 1)
            shifts.formUnion(breaks)
        }
        #expect(shifts.isSuperset(of: [-startsMs, 0, startsMs]))
    }

    @Test func plannedTargetsHaveNeitherCacheBusterNorToken() {
        var scenario = Scenario.twoAds
        scenario.metadata.changes = MetadataChanges(cacheBuster: "zx")
        scenario.session.tokenMs = 20_000
        let version = version(scenario.metadata.changes, token: 20_000, poll: 3)
        let target = "/beacon/x?sessid=s&event=start&n=1"
        let query = version.query(of: target)
        #expect(query.contains("&zx=") && query.contains("&token="))
        #expect(scenario.planned(target + query) == target)
        // Damage is not repaired.
        #expect(scenario.planned(target + "&zz=1") == target + "&zz=1")
    }
}

/// A document with kept texts equals a document written without them.
@Suite struct MetadataAdTextsTests {
    @Test(arguments: BuiltinScenarios.withMetadata) func keptTextsAreTheSameBytes(name: String) throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        let stream = LiveStream(scenario: scenario, seed: 9, startMs: tenOClockMs)
        var written = MetadataAdTexts()
        for (poll, nowMs) in stride(from: tenOClockMs, through: tenOClockMs + 400_000, by: 4_100).enumerated() {
            for (session, origin) in [("s", "http://h"), ("t", "http://h"), ("s", "http://other:8080")] {
                let metadata = MetadataText(stream: stream, session: session, origin: origin)
                let kept = metadata.document(at: nowMs, poll: poll, written: &written)
                #expect(kept.utf8 == metadata.document(at: nowMs, poll: poll).utf8)
            }
        }
    }
}
