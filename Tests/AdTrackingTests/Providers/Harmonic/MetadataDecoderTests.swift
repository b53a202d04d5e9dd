import Ports
import Testing

@testable import AdTracking

@Suite struct MetadataDecoderTests {
    /// An element of `adBreaks`; `number` identifies it, `kind` selects its irregularity.
    private static func node(_ number: Int64, _ kind: Int, edge: Int64) -> String {
        let start = number * 60_000
        let length = max(0, min(30_000, edge - start))
        let url = "https://t.example/\(number)"
        let event = #"{"event":"start","startTime":\#(start),"duration":0,"signalingUrls":["\#(url)"]}"#
        let ad = #"{"id":"a\#(number)","startTime":\#(start),"duration":\#(length),"trackingEvents":[\#(event)]}"#
        switch kind {
        case 0: return "7"
        case 1: return #"{"id":\#(number),"startTime":\#(start),"duration":\#(length),"Ads":[],"ads":[\#(ad),null]}"#
        case 2: return #"{"id":"twice","startTime":"\#(start)","duration":30000,"ads":[]}"#
        case 3: return #"{"duration":200,"startTime":\#(start),"ads":[{"startTime":\#(start),"duration":200}]}"#
        case 4: return #"{"id":"nowhere","x":{"y":[1,2,{}]}}"#
        default: return #"{"id":"\#(number)","startTime":\#(start),"duration":\#(length),"ads":[\#(ad)]}"#
        }
    }

    /// The document of a feed at `edge`, in milliseconds: a window of breaks, the last of which grows.
    private static func document(edge: Int64, seed: UInt64) -> String {
        let first = max(0, edge / 60_000 - 5)
        let nodes = (first...max(first, edge / 60_000)).map { number -> String in
            var kinds = SplitMix64(seed: seed &+ UInt64(number))
            return node(number, Int(kinds.next() % 12), edge: edge)
        }
        let range = #"{"start":\#(edge - 300_000),"end":\#(edge)}"#
        return #"{"dataRange":\#(range),"z":1,"adBreaks":[\#(nodes.joined(separator: ", "))]}"#
    }

    private static func damage(_ body: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int(random.next() % UInt64(body.count))
        switch random.next() % 3 {
        case 0: body[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: body.remove(at: place)
        default: body.removeLast(body.count - place)
        }
    }

    /// The result for a document does not depend on the documents read before it.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func resultDoesNotDependOnEarlierDocuments(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var decoder = MetadataDecoder()
        var edge: Int64 = 400_000
        var read = 0
        for _ in 0..<200 {
            edge = max(300_000, edge + Int64(random.next() % 9_000) - (random.next() % 20 == 0 ? 60_000 : 0))
            var body = Array(Self.document(edge: edge, seed: seed).utf8)
            if random.next() % 4 == 0 { Self.damage(&body, &random) }
            let expected = Result { () throws(MetadataProblem) in try HarmonicMetadata.decode(body) }
            let got = Result { () throws(MetadataProblem) in try decoder.decode(body) }
            #expect(got == expected, "seed \(seed)")
            if case .success = got { read += 1 }
        }
        #expect(read > 100, "seed \(seed)")
    }

    /// A break that did not change shares its storage, so that later comparisons are fast.
    @Test func unchangedBreaksAreTheSame() throws {
        var decoder = MetadataDecoder()
        let ad = #"{"id":"a","startTime":1000,"duration":9000,"trackingEvents":[]}"#
        func body(_ end: Int) -> [UInt8] {
            let adBreak = #"{"id":"b","startTime":1000,"duration":9000,"ads":[\#(ad)]}"#
            return Array(#"{"dataRange":{"start":0,"end":\#(end)},"adBreaks":[\#(adBreak)]}"#.utf8)
        }
        let first = try #require(try decoder.decode(body(20_000)).breaks.first)
        let second = try #require(try decoder.decode(body(30_000)).breaks.first)
        let places = [first, second].map { $0.ads.withUnsafeBufferPointer { $0.baseAddress } }
        #expect(places[0] == places[1] && first == second)
    }

    /// Paths in findings follow a break to its new position.
    @Test func findingsOfAKnownBreakMoveWithIt() throws {
        var decoder = MetadataDecoder()
        let odd = #"{"id":7,"startTime":60000,"duration":9000,"ads":[{"id":"a","startTime":60000,"duration":9000}]}"#
        let ad = #"{"id":"o","startTime":0,"duration":9000,"trackingEvents":[]}"#
        let old = #"{"id":"old","startTime":0,"duration":9000,"ads":[\#(ad)]}"#
        let range = #""dataRange":{"start":0,"end":90000}"#
        let before = try decoder.decode(Array(#"{\#(range),"adBreaks":[\#(old),\#(odd)]}"#.utf8))
        let after = try decoder.decode(Array(#"{\#(range),"adBreaks":[\#(odd)]}"#.utf8))
        #expect(before.findings.map(\.path) == ["adBreaks[1].id", "adBreaks[1].ads[0].trackingEvents"])
        #expect(after.findings.map(\.path) == ["adBreaks[0].id", "adBreaks[0].ads[0].trackingEvents"])
    }

    /// Two hundred findings of all breaks together are kept, the rest are counted.
    @Test func findingsAreLimitedOverAllBreaks() throws {
        let nodes = (0..<150).map { #"{"id":\#($0),"startTime":\#($0 * 60_000),"duration":30000,"ads":[],"q":1}"# }
        let body = Array(#"{"dataRange":{"start":0,"end":1},"adBreaks":[\#(nodes.joined(separator: ","))]}"#.utf8)
        var decoder = MetadataDecoder()
        for _ in 0..<2 {
            let findings = try decoder.decode(body).findings
            #expect(findings.count == 201)
            #expect(findings.last?.message == "250 more problems in this document are not listed")
        }
    }
}
