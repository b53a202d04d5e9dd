import Ports
import Testing

@testable import AdTracking

/// Which ads of metadata and date ranges are one (TRK-29).
@Suite struct SignaledTwinsTests {
    private static func candidate(
        _ name: String?, _ start: Int64, _ length: Int64, _ url: String = "", isLinear: Bool = true
    ) -> SignaledTwins.Candidate {
        SignaledTwins.Candidate(name: name, start: .ms(start), duration: .milliseconds(length), isLinear: isLinear) {
            [Fingerprint(anyTypeOf: url.isEmpty ? "https://t.example/\(start)" : url, without: CacheBusters())]
        }
    }

    private static let url = "https://t.example/same"
    private static var known: SignaledTwins.Candidate { candidate("a", 60_000, 15_000, url) }

    @Test(
        arguments: [
            ("a", 60_000, 15_000, true),
            // Starts that differ by at most 0.5 s, whatever the ids are.
            ("x", 60_500, 15_000, true), (nil, 59_500, 0, true), ("x", 60_501, 15_000, false),
            // The same id within 10 s, unless one could follow the other.
            ("a", 69_000, 15_000, true), ("a", 71_000, 15_000, false), ("a", 66_000, 5_000, false),
        ] as [(String?, Int64, Int64, Bool)])
    func oneAd(_ name: String?, _ start: Int64, _ length: Int64, _ isOne: Bool) {
        let new = Self.candidate(name, start, length)
        #expect(SignaledTwins.pairs(known: [Self.known], new: [new]) == [isOne ? 0 : nil])
    }

    /// The same beacon in ads that play at the same time for the most part.
    @Test(arguments: [(65_000, true), (68_000, false)] as [(Int64, Bool)])
    func oneAdByItsBeacons(_ start: Int64, _ isOne: Bool) {
        let new = Self.candidate("x", start, 15_000, Self.url)
        #expect(SignaledTwins.pairs(known: [Self.known], new: [new]) == [isOne ? 0 : nil])
    }

    @Test func anOverlayIsNoPartOfTheStream() {
        let overlay = Self.candidate("x", 60_000, 15_000, isLinear: false)
        #expect(SignaledTwins.pairs(known: [Self.known], new: [overlay]) == [nil])
    }

    /// Of the ads before and behind it the nearest one; of two the one that is known first.
    @Test(arguments: [(60_100, 1), (60_450, 2), (59_800, 1), (60_300, 1), (60_900, 2), (60_901, 3)] as [(Int64, Int)])
    func theNearestAdIsTheTwin(start: Int64, ad: Int) {
        let known = ([50_000, 60_000, 60_600, 61_200, 90_000] as [Int64]).map { Self.candidate("k\($0)", $0, 300) }
        #expect(SignaledTwins.pairs(known: known, new: [Self.candidate("a", start, 300)]) == [ad])
    }

    /// A creative that is shown three times in a row is three ads, in both sources.
    @Test func anAdOfTheSameNameIsTakenOnce() {
        let known = ([60_000, 70_000] as [Int64]).map { Self.candidate("a", $0, 10_000, Self.url) }
        let new = ([60_200, 70_200, 80_200] as [Int64]).map { Self.candidate("a", $0, 10_000, Self.url) }
        #expect(SignaledTwins.pairs(known: known, new: new) == [0, 1, nil])
        #expect(SignaledTwins.pairs(known: new, new: known) == [0, 1])
    }
}
