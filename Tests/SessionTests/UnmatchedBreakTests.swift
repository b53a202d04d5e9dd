import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// L41: a break in only one of playlist and metadata. L61: a beacon that was sent twice.
@Suite struct UnmatchedBreakTests {
    private static func marker(_ id: String, at milliseconds: Int64, seconds: Int) -> String {
        let start = (FakeOrigin.start + .milliseconds(milliseconds)).iso8601
        return #"#EXT-X-DATERANGE:ID="\#(id)",START-DATE="\#(start)",DURATION=\#(seconds),SCTE35-OUT=0xFC302000"#
    }

    private static func findings(_ tags: [String]) throws -> [String] {
        var origin = MainPathTests.twoBreaks
        origin.tags = tags
        var session = try MonitorHarness.ran(origin, until: 240_000)
        return session.snapshot().findings.filter { $0.finding.rule == "L41" }.map(\.finding.message)
    }

    private static let both = [marker("m1", at: 80_000, seconds: 25), marker("m2", at: 140_000, seconds: 20)]

    @Test func matchingMarkersAreNoFinding() throws {
        #expect(try Self.findings(Self.both) == [])
        #expect(try Self.findings([]) == [])
    }

    @Test func aMarkerWithoutMetadataIsOneFinding() throws {
        let start = (FakeOrigin.start + .milliseconds(115_000)).iso8601
        #expect(
            try Self.findings(Self.both + [Self.marker("m3", at: 115_000, seconds: 10)])
                == ["the playlist marks a break at \(start), the metadata has none"])
    }

    @Test func aBreakWithoutMarkerIsOneFinding() throws {
        #expect(
            try Self.findings([Self.both[0]]) == ["the playlist marks breaks, and none where break b2 is"])
    }

    /// Metadata without a range, in which each answer has other ids, and other addresses.
    private static func renamed() throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.tags = both
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            let shown = MainPathTests.twoBreaks.breaks.filter { $0.start <= edge && edge < $0.start + 60_000 }
            let renamed = shown.map { adBreak in
                FakeOrigin.Break(
                    id: "\(adBreak.id)-\(count)",
                    ads: adBreak.ads.map { .init("\($0.id)-\(count)", start: $0.start, duration: $0.duration) })
            }
            let text = FakeOrigin().document(renamed, from: 0, to: 1)
            let list = text.firstRange(of: #""adBreaks""#).map { text[$0.lowerBound...] } ?? ""
            return FakeOrigin.text("{\(list)", type: "application/json", of: request)
        }
        return try MonitorHarness.ran(origin, until: 240_000)
    }

    /// What an earlier answer named otherwise is the same break.
    @Test func idsThatChangeWithEachAnswerAreNoFurtherBreaks() throws {
        var session = try Self.renamed()
        let found = session.snapshot().findings.filter { ["L41", "marker-count"].contains($0.finding.rule) }
        #expect(found.map(\.finding.message) == [])
        #expect(session.snapshot().breaks.count > 4, "each answer adds a break")
    }

    /// A tracker that answers 503: `standard` repeats, and the repetition is named.
    @Test(arguments: [("standard", true), ("safe", false)]) func aRepeatedBeaconIsAFinding(retry: String, isFound: Bool)
        throws
    {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            guard request.url.text == FakeOrigin.beacon("a1", "midpoint") else { return nil }
            return FakeOrigin.status(503, request)
        }
        var session = try MonitorHarness.ran(origin, until: 150_000) { $0.retry = RetrySetting(rawValue: retry) }
        let found = session.snapshot().findings.filter { $0.finding.rule == "L61" }
        #expect(found.isEmpty != isFound, "\(found)")
    }
}
