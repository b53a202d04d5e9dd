import Ports
import Testing

@testable import AdTracking

@Suite struct DocumentLintMemoryTests {
    private static func document(_ random: inout SplitMix64, edge: Int64) -> DecodedMetadata {
        let breaks = (max(0, edge / 60_000 - 4)...edge / 60_000).map { number -> AdBreak in
            var kinds = SplitMix64(seed: UInt64(number))
            let start = number * 60_000
            var ads: [Ad] = [.full("\(number)", start, 15_000)]
            if kinds.next() % 3 == 0 { ads.append(.full("x\(number)", start + 14_000, 10_000)) }
            if kinds.next() % 3 == 0 { ads[0].events.removeLast() }
            if kinds.next() % 4 == 0 { ads[0].events[0].urls.append("http://10.0.0.1/shared") }
            if kinds.next() % 5 == 0 { ads[0].duration = .seconds(9) }
            if random.next() % 30 == 0 { ads[0].name = "renamed" }
            return .test("\(number)", start, min(25_000, edge - start), ads)
        }
        return .test(breaks, range: random.next() % 10 == 0 ? nil : (edge - 300_000)...edge)
    }

    /// The findings for a document do not depend on the documents checked before it.
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func findingsDoNotDependOnEarlierDocuments(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var memory = DocumentLintMemory()
        var edge: Int64 = 400_000
        var settledUntil: UnixTime?
        var found = 0
        for _ in 0..<150 {
            edge = max(300_000, edge + Int64(random.next() % 9_000) - (random.next() % 15 == 0 ? 60_000 : 0))
            let document = Self.document(&random, edge: edge)
            let context = LintContext(isSecure: true, isPublic: true, settledUntil: settledUntil)
            let findings = memory.findings(in: document, context)
            #expect(findings == DocumentLint.findings(in: document, context), "seed \(seed)")
            found += findings.count
            settledUntil = random.next() % 12 == 0 ? nil : document.dataRange?.end
        }
        #expect(found > 100, "seed \(seed)")
    }

    /// Breaks behind those with as many findings as are kept are checked once the others are mended.
    @Test func theFirstFindingsAreKept() {
        func document(mended: Int) -> DecodedMetadata {
            .test(
                (0..<300).map { number in
                    let start = Int64(number) * 60_000
                    let ads: [Ad] = number < mended ? [] : [.test("a\(number)", start, 30_000)]
                    return .test("\(number)", start, 30_000, ads)
                }, range: nil)
        }
        func missing(_ numbers: Range<Int>) -> [String] {
            numbers.map { "ad a\($0) of break \($0) has no tracking events" }
        }
        let context = LintContext(isSecure: true, isPublic: true)
        var memory = DocumentLintMemory()
        #expect(memory.findings(in: document(mended: 0), context).map(\.message) == missing(0..<200))
        #expect(memory.findings(in: document(mended: 150), context).map(\.message) == missing(150..<300))
        #expect(memory.findings(in: document(mended: 50), context).map(\.message) == missing(50..<250))
    }
}
