import AdTracking
import Ports
import Testing

/// Breaks of pages whose URLs have a name of the break: it is no cache buster, because no poll changes it (TRK-16).
@Suite struct PageBreaksTests {
    /// How the URLs of a server name their beacons.
    enum Naming: String, Sendable, CaseIterable {
        case query, path, creative

        func url(_ number: Int, _ place: Int, _ event: String) -> String {
            let name = (UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15).hexadecimal
            return switch self {
            case .query: "https://t.example/v?rid=\(name)&pos=\(place + 1)&e=\(event)"
            case .path: "https://t.example/b/\(59_511_400 + number)/\(place)/\(event)"
            // The same two spots air in each break, in turn.
            case .creative: "https://t.example/v?rid=\(name)&cr=\((place + number) % 2 + 71)&e=\(event)"
            }
        }
    }

    /// Milliseconds between the starts of breaks, and of their ads.
    struct Rhythm: Sendable, CustomTestStringConvertible {
        var every: Int64
        var ads: [Int64]

        var length: Int64 { ads.reduce(0, +) }
        var testDescription: String { "\(ads) every \(every)" }
    }

    static let rhythms = [
        Rhythm(every: 30_000, ads: [6_000, 4_000]), Rhythm(every: 45_000, ads: [6_000, 4_000]),
        Rhythm(every: 20_000, ads: [10_000, 10_000]), Rhythm(every: 20_010, ads: [5_000, 15_015]),
        Rhythm(every: 70_000, ads: [15_000, 15_000]),
    ]

    /// A cache buster that only the server knows.
    enum Buster: Sendable, CaseIterable { case perURL, perDocument }

    private static let first: Int64 = 100_000
    private static let types: [EventType] = [
        .impression, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete,
    ]

    private static func adBreak(
        _ number: Int, _ rhythm: Rhythm, _ naming: Naming, movedBy shift: Int64 = 0,
        suffix: (Int) -> String = { _ in "" },
        named name: String = ""
    ) -> AdBreak {
        let start = first + Int64(number) * rhythm.every + shift
        var at = start
        let ads = rhythm.ads.enumerated().map { place, length in
            defer { at += length }
            let events = types.enumerated().map { index, type in
                let quarter = Int64(max(0, index - 1))
                let url = naming.url(number, place, type.rawValue) + suffix(place * 10 + index)
                return TrackingEvent.test(type, at + length * quarter / 4, url: url)
            }
            return Ad.test("a\(number)-\(place)\(name)", at, length, events)
        }
        return .test("b\(number)\(name)", start, rhythm.length, ads)
    }

    private static func page(_ breaks: [AdBreak]) -> DecodedMetadata {
        var page = DecodedMetadata()
        page.keepsUnlisted = true
        page.breaks = breaks
        return page
    }

    /// Polls that list each of five breaks `polls` times up to its end, and then nothing, or at once the next one.
    private static func requests(
        _ rhythm: Rhythm, polls: Int, restarts: Bool = false, _ adBreak: (_ number: Int, _ poll: Int) -> AdBreak
    ) -> [String] {
        var viewer = AdViewer()
        var requests: [String] = []
        var journal: [RestoredBeacon] = []
        var at: Int64 = 0
        for number in 0..<5 {
            for poll in 0..<polls {
                // The first answer arrives when the break begins.
                let until = first + Int64(number) * rhythm.every + rhythm.length * Int64(poll) / Int64(polls)
                viewer.play(at, until)
                at = until
                viewer.metadata(page([adBreak(number, poll)]))
            }
            let end = first + Int64(number) * rhythm.every + rhythm.length
            viewer.play(at, end)
            at = end
            if rhythm.every > rhythm.length + 10_000 { viewer.metadata(page([])) }
            guard restarts, number % 2 == 1 else { continue }
            requests += viewer.requests
            journal += viewer.restorable
            let now = viewer.now
            viewer = AdViewer()
            viewer.now = now
            viewer.tracker.restored(journal)
        }
        viewer.play(at, at + 30_000)
        return requests + viewer.requests
    }

    private static func urls(_ rhythm: Rhythm, _ naming: Naming) -> [String] {
        (0..<5).flatMap { number in
            adBreak(number, rhythm, naming).ads.flatMap(\.events).flatMap(\.urls)
        }.sorted()
    }

    @Test(arguments: rhythms, Naming.allCases) func eachBreakIsReported(_ rhythm: Rhythm, _ naming: Naming) {
        // A journal does not know where breaks end: a creative that comes again in the next one may be the same showing.
        let isKnown = naming != .creative || rhythm.every > rhythm.length + 1_000
        for polls in 1...8 {
            for restarts in isKnown ? [false, true] : [false] {
                let requests = Self.requests(rhythm, polls: polls, restarts: restarts) { number, _ in
                    Self.adBreak(number, rhythm, naming)
                }
                #expect(requests.sorted() == Self.urls(rhythm, naming), "\(polls) polls, restarts \(restarts)")
            }
        }
    }

    /// With each poll ids and cache busters are others, and starts too.
    @Test(arguments: rhythms, Buster.allCases) func norAgainWithCacheBusters(_ rhythm: Rhythm, _ buster: Buster) {
        for naming in Naming.allCases {
            for (polls, shift) in [(1, 0), (2, 0), (4, 0), (8, 0), (4, 300), (8, 300)] as [(Int, Int64)] {
                let requests = Self.requests(rhythm, polls: polls) { number, poll in
                    let answer = 7_000_000 + (number * 10 + poll) * 1_000
                    return Self.adBreak(
                        number, rhythm, naming, movedBy: poll % 2 == 0 ? 0 : shift,
                        suffix: { "\(naming == .path ? "?" : "&")x17=\(answer + (buster == .perURL ? $0 : 0))" },
                        named: "-\(poll)")
                }
                let sent = requests.map { $0.replacing(/[?&]x17=.*/, with: "") }
                #expect(sent.sorted() == Self.urls(rhythm, naming), "\(naming), \(polls) polls moved by \(shift)")
            }
        }
    }

    /// A break that one page listed once, and a later one lists elsewhere before its first place would be over, is the same, under other
    /// names and with other cache busters too.
    @Test(arguments: [Int64(4_000), 7_000, 9_000, -7_000, -20_000]) func whatMovedIsTheSame(_ shift: Int64) {
        let rhythm = Self.rhythms[0]
        var viewer = AdViewer()
        func listed(_ poll: Int) -> AdBreak {
            Self.adBreak(
                0, rhythm, .query, movedBy: poll == 0 ? 0 : shift,
                suffix: { "&x17=\(7_000_000 + poll * 1_000 + $0)" }, named: "-\(poll)")
        }
        viewer.metadata(Self.page([listed(0)]))
        viewer.play(0, Self.first + 6_000)
        viewer.metadata(Self.page([]))
        viewer.metadata(Self.page([listed(1)]))
        viewer.play(Self.first + 6_000, Self.first + 60_000)
        let sent = viewer.requests.map { $0.replacing(/&x17=.*/, with: "") }
        #expect(Set(sent).count == sent.count, "\(sent)")
    }

    /// Two instances of a server, each with names and tokens of its own, of which the second answers after two equal answers of the first
    /// one: the start differs by no more than they compute it, however short the ad is.
    @Test(arguments: [[400, 400], [0, 0], [6_000, 4_000]] as [[Int64]], [Int64(1), 300])
    func whatAnotherInstanceListsIsTheSame(_ ads: [Int64], _ shift: Int64) {
        var viewer = AdViewer()
        for (poll, instance) in [0, 0, 1, 1].enumerated() {
            let adBreak = Self.adBreak(
                0, Rhythm(every: 30_000, ads: ads), .query, movedBy: Int64(instance) * shift,
                suffix: { "&x17=\(7_000_000 + instance * 1_000 + $0)" }, named: "-\(instance)")
            viewer.metadata(Self.page([adBreak]))
            let at = Self.first + Int64(poll - 2) * 4_000
            viewer.play(at, at + 4_000)
        }
        let sent = viewer.requests.map { $0.replacing(/&x17=.*/, with: "") }
        #expect(Set(sent).count == sent.count, "\(sent)")
    }

    /// An ad of a break that a page lists alone, with tokens of its own for each beacon, and then the next one of that break: each was listed
    /// twice with the same tokens.
    @Test func adsOfOneBreakWithTokensAreTwo() {
        func ad(_ number: Int, _ place: Int) -> AdBreak {
            var adBreak = Self.adBreak(number, Self.rhythms[0], .query) { index in
                "&k=\((UInt64(number * 100 + index + 1) &* 0x9E37_79B9_7F4A_7C15).hexadecimal)"
            }
            for ad in adBreak.ads.indices {
                for event in adBreak.ads[ad].events.indices {
                    adBreak.ads[ad].events[event].urls = adBreak.ads[ad].events[event].urls.map {
                        $0.replacing(/&pos=\d/, with: "")
                    }
                }
            }
            adBreak.ads = [adBreak.ads[place]]
            return adBreak
        }
        var viewer = AdViewer()
        var at: Int64 = 0
        for number in 0..<4 {
            for place in 0..<2 {
                let adBreak = ad(number, place)
                for until in [adBreak.ads[0].start.milliseconds, adBreak.ads[0].start.milliseconds + 2_000] {
                    viewer.play(at, until)
                    at = until
                    viewer.metadata(Self.page([adBreak]))
                }
            }
        }
        viewer.play(at, at + 30_000)
        #expect(viewer.requests.count == 4 * 12 && Set(viewer.requests).count == 48)
    }
}
