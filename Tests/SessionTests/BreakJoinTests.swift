import AdTracking
import HLS
import Ports
import TestSupport
import Testing

@testable import Session

/// Markers and metadata that describe the same break (HLS-24).
@Suite struct BreakJoinTests {
    private static func date(_ seconds: Double) -> UnixTime {
        FakeOrigin.start + .milliseconds(Int64(seconds * 1_000))
    }

    private static func known(
        _ number: Int, _ start: Double, _ end: Double, name: String = "b", source: AdBreak.Source = .metadata,
        isSettled: Bool = true, isListed: Bool = true, counts: Bool = true
    ) -> BreakJoin.Known {
        BreakJoin.Known(
            id: BreakID(number), name: name, source: source, start: date(start), end: date(end), isSettled: isSettled,
            isListed: isListed, counts: counts)
    }

    private static func marker(
        _ number: Int, _ start: Double, _ end: Double?, ids: Set<String> = [], kind: AdBreakMarker.Source = .cue,
        isJoinedMid: Bool = false
    ) -> BreakJoin.Marker {
        BreakJoin.Marker(
            number: number, kind: kind, ids: ids, start: date(start), end: end.map(date), isJoinedMid: isJoinedMid)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var known: [BreakJoin.Known]
        var markers: [BreakJoin.Marker]
        /// Markers by break number.
        var joined: [Int: [Int]] = [:]
        var alone: [[Int]] = []
        var differences: [String] = []
        /// Where session and viewer joined, in seconds.
        var joins: [Double] = []
    }

    static let cases = [
        Case(
            testDescription: "the same start", known: [known(1, 10, 40)], markers: [marker(0, 10.4, 40.4)],
            joined: [1: [0]]),
        Case(
            testDescription: "a start that differs", known: [known(1, 10, 40)], markers: [marker(0, 11.2, 41.2)],
            joined: [1: [0]], differences: ["the marker starts 1.2s later than the metadata"]),
        Case(
            testDescription: "an earlier start, another length", known: [known(1, 10, 40)],
            markers: [marker(0, 8, 48)], joined: [1: [0]],
            differences: [
                "the marker starts 2.0s earlier than the metadata", "the marker lasts 40.0s, the metadata 30.0s",
            ]),
        Case(
            testDescription: "a long break that began far before the marker",
            known: [known(1, -3_000, 100), known(2, -2_000, -1_990), known(3, 500, 510)],
            markers: [marker(0, 20, 100)], joined: [1: [0]],
            differences: [
                "the marker starts 3,020.0s later than the metadata", "the marker lasts 80.0s, the metadata 3,100.0s",
            ]),
        Case(
            testDescription: "no end announced", known: [known(1, 10, 40)], markers: [marker(0, 10, nil)],
            joined: [1: [0]], differences: ["the marker announces no end, the metadata ends after 30.0s"]),
        Case(
            testDescription: "a break that is still growing has no length to compare",
            known: [known(1, 10, 20, isSettled: false)],
            markers: [marker(0, 10, 40)], joined: [1: [0]]),
        Case(
            testDescription: "the id decides before the start",
            known: [known(1, 10, 40, name: "7"), known(2, 41, 60, name: "8")],
            markers: [marker(0, 41, 71, ids: ["7"])], joined: [1: [0]],
            differences: ["the marker starts 31.0s later than the metadata"]),
        Case(
            testDescription: "a reused id is another break", known: [known(1, 10, 40, name: "7")],
            markers: [marker(0, 100, 130, ids: ["7"])], alone: [[0]]),
        Case(
            testDescription: "an overlap is enough", known: [known(1, 10, 40)], markers: [marker(0, 30, 60)],
            joined: [1: [0]],
            differences: ["the marker starts 20.0s later than the metadata"]),
        Case(
            testDescription: "breaks that only touch are two", known: [known(1, 10, 40)],
            markers: [marker(0, 39.8, 60)],
            alone: [[0]]),
        Case(
            testDescription: "the start decides before the overlap", known: [known(1, 10, 40), known(2, 40, 50)],
            markers: [marker(0, 39.8, 50)], joined: [2: [0]]),
        Case(
            testDescription: "one marker over two breaks", known: [known(1, 10, 40), known(2, 40, 70)],
            markers: [marker(0, 10, 70)], joined: [1: [0]],
            differences: ["the marker spans 2 breaks of the metadata"]),
        Case(
            testDescription: "earlier names of one break are listed no more",
            known: [
                known(1, 10, 18, name: "a", isListed: false), known(2, 10, 30, name: "b", isListed: false),
                known(3, 10, 40, name: "c"),
            ],
            markers: [marker(0, 10, 40)], joined: [3: [0]]),
        Case(
            testDescription: "no name of the break is listed any more",
            known: [
                known(1, 10, 40, name: "a", isListed: false), known(2, 10, 40, name: "b", isListed: false),
            ],
            markers: [marker(0, 10, 40)], joined: [1: [0]]),
        Case(
            testDescription: "the listed break has the marker, not a longer one that has left",
            known: [known(1, 10, 60, name: "a", isListed: false), known(2, 10, 40, name: "b")],
            markers: [marker(0, 10, 40)], joined: [2: [0]]),
        Case(
            testDescription: "a break that was played and left counts beside a listed one",
            known: [known(1, 10, 40, isListed: false), known(2, 40, 70)],
            markers: [marker(0, 10, 70)], joined: [1: [0]], differences: ["the marker spans 2 breaks of the metadata"]),
        Case(
            testDescription: "a break that left unplayed does not count",
            known: [known(1, 10, 70), known(2, 72, 80, isListed: false, counts: false)],
            markers: [marker(0, 10, 80)], joined: [1: [0]],
            differences: ["the marker lasts 70.0s, the metadata 60.0s"]),
        Case(
            testDescription: "joined in the middle, where the known part begins",
            known: [known(1, 20, 40)], markers: [marker(0, 10, 40)], joined: [1: [0]], joins: [22]),
        Case(
            testDescription: "joined before the marker",
            known: [known(1, 20, 40)], markers: [marker(0, 10, 40)], joined: [1: [0]],
            differences: [
                "the marker starts 10.0s earlier than the metadata", "the marker lasts 30.0s, the metadata 20.0s",
            ], joins: [5]),
        Case(
            testDescription: "joined in the middle of a break that is known from its beginning",
            known: [known(1, 10, 30)], markers: [marker(0, 10, 40)], joined: [1: [0]],
            differences: ["the marker lasts 30.0s, the metadata 20.0s"], joins: [22]),
        Case(
            testDescription: "the beginning of the marker was not listed any more",
            known: [known(1, 10, 40)], markers: [marker(0, 20, 40, isJoinedMid: true)], joined: [1: [0]]),
        Case(
            testDescription: "two markers in one break", known: [known(1, 10, 70)],
            markers: [marker(0, 10, 70), marker(1, 40, 70)], joined: [1: [0, 1]],
            differences: [
                "the marker starts 30.0s later than the metadata", "the marker lasts 30.0s, the metadata 60.0s",
                "2 cue markers describe one break of the metadata",
            ]),
        Case(
            testDescription: "a cue and a date range are one break", known: [],
            markers: [marker(0, 10, 40), marker(1, 10.3, 40, kind: .dateRange), marker(2, 50, 60)],
            alone: [[0, 1], [2]]),
        Case(
            testDescription: "a cue and a date range of one event id", known: [],
            markers: [marker(0, 10, 40, ids: ["9"]), marker(1, 14, 40, ids: ["9"], kind: .dateRange)], alone: [[0, 1]]),
        Case(
            testDescription: "VAST and interstitials by their names",
            known: [known(1, 10, 40, source: .vast), known(2, 100, 120, source: .interstitial)],
            markers: [marker(0, 10, nil), marker(1, 100, 130)], joined: [1: [0], 2: [1]],
            differences: [
                "the marker announces no end, the VAST ends after 30.0s",
                "the marker lasts 30.0s, the interstitial 20.0s",
            ]),
        Case(testDescription: "metadata alone", known: [known(1, 10, 40)], markers: []),
    ]

    @Test(arguments: cases) func joins(_ row: Case) {
        let join = BreakJoin(row.known, row.markers, joinedAt: row.joins.map(Self.date))
        let joined = Dictionary(uniqueKeysWithValues: join.markers.map { ($0.key.number, $0.value) })
        #expect(joined == row.joined)
        #expect(join.alone == row.alone)
        #expect(join.differences.map(\.message) == row.differences)
    }

    // MARK: In a session

    private static let stitched = FakeOrigin.Break(id: "77", ads: [.init("a", start: 80_000, duration: 20_000)])

    private static func range(_ id: String, _ start: Double, _ more: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date(start).iso8601)\",\(more)"
    }

    /// splice_insert, event 1207959695, out, 60.294 s (conformance/hls/scte35/vectors.json).
    private static let message =
        "SCTE35-OUT=0xFC302F000000000000FFFFF014054800008F7FEFFE7369C02EFE0052CCF500000000000A0008435545490000013562DBA30A"

    @Test func oneBreakWithBothAsEvidence() throws {
        var origin = FakeOrigin(breaks: [Self.stitched])
        origin.tags = [Self.range("splice-1", 80.2, "PLANNED-DURATION=25,\(Self.message)")]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(45))
        let snapshot = session.snapshot()
        let view = try #require(snapshot.breaks.first)
        #expect(snapshot.breaks.count == 1)
        #expect(view.source == "metadata+marker" && view.name == "77" && view.ads.count == 1)
        #expect(
            view.evidence == [
                BreakEvidenceView(source: "metadata", name: "77", start: Self.date(80), duration: .seconds(20)),
                BreakEvidenceView(
                    source: "marker", kind: "date range", name: "splice-1", start: Self.date(80.2),
                    duration: .seconds(25), eventIDs: ["1207959695"]),
            ])
        #expect(view.differences == ["the marker lasts 25.0s, the metadata 20.0s"])
        let finding = try #require(snapshot.findings.first { $0.finding.rule == "marker-duration" })
        #expect(finding.finding.message == "break '77': the marker lasts 25.0s, the metadata 20.0s")
        #expect(finding.count == 1, "reported once")
    }

    /// A message that ends one break and begins the next has the events of both; a break of the first one is not the second.
    @Test func aMarkerHasTheEventThatItIsAbout() {
        func segment(_ event: UInt8, _ type: UInt8) -> [UInt8] {
            [0x02, 0x0F, 0x43, 0x55, 0x45, 0x49, 0, 0, 0, event, 0x7F, 0xBF, 0, 0, type, 1, 1]
        }
        let head: [UInt8] = [0xFC, 0x30, 0x38, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, 5, 6, 0xFE, 0, 0, 0, 0, 0, 0x22]
        let message = head + segment(1, 0x35) + segment(2, 0x34) + [0, 0, 0, 0]
        let ids = ["2", nil].map { id in
            TrackedBreak(number: 0, source: .cue, markerID: id, firstSeenReload: 0, scte35: [message]).eventIDs
        }
        #expect(ids == [["2"], ["1"]])
    }

    // MARK: Lengths in a session

    private static func lengths(_ session: inout MonitorHarness) -> [String] {
        session.snapshot().findings.filter { $0.finding.rule == "marker-duration" }.map(\.finding.message)
    }

    /// An early return: the ad is cut short and still lists its later events.
    @Test func anAdThatIsCutShortEndsWithItsMedia() throws {
        var ad = FakeOrigin.Ad("a", start: 80_000, duration: 24_000)
        ad.duration = 18_000
        var origin = FakeOrigin(breaks: [FakeOrigin.Break(id: "77", ads: [ad])])
        origin.tags = [Self.range("splice-1", 80, "DURATION=18,\(Self.message)")]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().breaks.map(\.source) == ["metadata+marker"])
        #expect(Self.lengths(&session) == [])
    }

    /// A marker of 30 s, and metadata without a range that has 10 s of the break until the edge is at 87 s.
    /// - Parameter goodFrom: media time in milliseconds from which on the metadata is answered again; nil if it always is.
    private static func partly(goodFrom: Int64?) throws -> [String] {
        var origin = FakeOrigin()
        origin.tags = [range("splice-1", 80, "DURATION=30,\(message)")]
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            if let goodFrom, 87_000 < edge, edge < goodFrom { return FakeOrigin.status(502, request) }
            let isListed = 80_000 <= edge && edge < 120_000
            let breaks = [FakeOrigin.Break(id: "77", ads: [.init("a", start: 80_000, duration: 10_000)])]
            let text = FakeOrigin().document(isListed ? breaks : [], from: 0, to: 1)
            let list = text.firstRange(of: #""adBreaks""#).map { text[$0.lowerBound...] } ?? ""
            return FakeOrigin.text("{\(list)", type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        return lengths(&session)
    }

    @Test func aBreakHasNoLengthWhileTheMetadataFails() throws {
        #expect(try Self.partly(goodFrom: nil) == ["break '77': the marker lasts 30.0s, the metadata 10.0s"])
        #expect(try Self.partly(goodFrom: 300_000) == [])
        // It has left the metadata meanwhile.
        #expect(try Self.partly(goodFrom: 160_000) == [])
    }

    @Test func markersAloneStay() throws {
        var origin = FakeOrigin(breaks: [Self.stitched])
        origin.tags = [Self.range("other", 120, "DURATION=10,\(Self.message)")]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(45))
        let snapshot = session.snapshot()
        #expect(snapshot.breaks.map(\.source) == ["metadata", "marker"])
        #expect(snapshot.breaks.map(\.evidence.count) == [0, 1])
        #expect(snapshot.findings.allSatisfy { !$0.finding.rule.hasPrefix("marker-") })
    }

    /// The JSON for older readers has the same fields as before, and two more.
    @Test func theDumpHasIt() throws {
        var origin = FakeOrigin(breaks: [Self.stitched])
        origin.tags = [Self.range("splice-1", 80.2, "PLANNED-DURATION=25,\(Self.message)")]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(45))
        let json = SnapshotJSON().value(of: session.snapshot())
        let node = try #require(json["breaks"]?.arrayValue?.first)
        #expect(node["source"] == "metadata+marker")
        #expect(node["evidence"]?.arrayValue?.count == 2)
        #expect(node["evidence"]?.arrayValue?.last?["eventIds"] == ["1207959695"])
        #expect(node["differences"] == ["the marker lasts 25.0s, the metadata 20.0s"])
    }
}
