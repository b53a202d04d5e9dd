import Ports
import Testing

@testable import AdTracking

/// A server spells one URL, or the name of an event, in several ways (TRK-16).
@Suite struct BeaconSpellingTests {
    /// Spellings of one address, which RFC 3986 calls equivalent (sections 6.2.2 and 6.2.3) or whose parameters are in another order.
    static let spellings: [[String]] = [
        ["https://t.example/b?u=x", "https://T.Example/b?u=x", "HTTPS://t.example/b?u=x"],
        ["https://t.example/b?u=x", "https://t.example:443/b?u=x", "https://t.example:/b?u=x"],
        ["http://t.example/b?u=x", "http://t.example:80/b?u=x"],
        ["https://t.example/b?u=a%2fb~", "https://t.example/b?u=a%2Fb%7E", "https://t.example/%62?u=a%2Fb~"],
        ["https://t.example?u=x", "https://t.example/?u=x", "https://t.example/?u=x#top"],
        ["https://t.example/b?u=x", "https://t.example/a/../b?u=x", "https://t.example/./b?u=x"],
        ["https://t.example/b?u=x&c=7", "https://t.example/b?c=7&u=x", "https://t.example/b?c=7&&u=x"],
        ["https://u:P@t.example/b?u=x", "https://u:P@T.example/b?u=x"],
        ["https://t.example/b?u=aé|", "https://t.example/b?u=a%C3%A9%7C", "https://t.example/b?u=a%c3%a9|"],
        ["https://t.example/{b}", "https://t.example/%7Bb%7D"],
    ]

    /// Sent beacons of a viewer that polls every two seconds, where each answer has other ids and another spelling.
    private func requests(restartEvery: Int?, _ answer: (Int) -> [TrackingEvent]) -> [String] {
        var viewer = AdViewer()
        var requests: [String] = []
        for poll in 0..<12 {
            if let restartEvery, poll > 0, poll % restartEvery == 0 {
                requests += viewer.requests
                let journal = viewer.restorable
                let now = viewer.now
                viewer = AdViewer()
                viewer.now = now
                viewer.tracker.restored(journal)
            }
            let at = Int64(poll) * 2_000
            let ad = Ad.test("a\(poll)", 4_000, 15_000, answer(poll))
            viewer.metadata(.test([.test("b\(poll)", 4_000, 15_000, [ad])], range: 0...60_000))
            viewer.play(at, at + 2_000)
        }
        return requests + viewer.requests
    }

    @Test(arguments: spellings, [nil, 100, 5] as [Int?])
    func equivalentURLsAreOneBeacon(_ spellings: [String], restartEvery: Int?) {
        let requests = requests(restartEvery: restartEvery) { poll in
            let url = spellings[poll % spellings.count]
            return [.test(.start, 4_000, url: url), .test(.midpoint, 11_500, url: url)]
        }
        #expect(requests.count == 2, "\(requests)")
    }

    @Test func theCaseOfANameMeansNothing() {
        let requests = requests(restartEvery: 5) { poll in
            let name = ["start", "START", "Start"][poll % 3]
            return [.test(.start, 4_000, url: "https://t.example/b", rawName: name)]
        }
        #expect(requests == ["https://t.example/b"])
    }

    /// Servers of trackers take turns, with the documents and with the URLs of one document.
    @Test(arguments: [nil, 5] as [Int?], [0, 1]) func hostsThatTakeTurnsAreOne(restartEvery: Int?, shift: Int) {
        let requests = requests(restartEvery: restartEvery) { poll in
            func url(_ number: Int) -> String { "https://t\((poll + number * shift) % 3).example/b?u=\(number)" }
            return [
                .test(.start, 4_000, url: url(0)), .test(.start, 4_000, url: url(1)),
                .test(.midpoint, 11_500, url: url(2)),
            ]
        }
        #expect(requests.map { $0.suffix(1) }.sorted() == ["0", "1", "2"], "\(requests)")
    }

    /// Two trackers with one path are two; only one of them has moved.
    @Test(arguments: [nil, 5] as [Int?]) func aHostThatIsStillListedDoesNotTakeTurns(restartEvery: Int?) {
        let requests = requests(restartEvery: restartEvery) { poll in
            [
                .test(.midpoint, 11_500, url: "https://t\(poll % 2).example/b?u=x"),
                .test(.midpoint, 11_500, url: "https://other.example/b?u=x"),
            ]
        }
        #expect(requests.count == 2 && requests.filter { $0.contains("other") }.count == 1, "\(requests)")
    }

    /// What names no beacon but its host is another one at another host.
    @Test func aBarePathIsNotEnoughForHostsToTakeTurns() {
        let requests = requests(restartEvery: nil) { poll in
            [.test(.midpoint, 11_500, url: "https://\(poll < 7 ? "a" : "b").example/pixel")]
        }
        #expect(requests == ["https://a.example/pixel", "https://b.example/pixel"])
    }

    /// A server that computes the time of an event twice rounds it in two ways (PRV-8).
    @Test(arguments: [0, 3, 10]) func anEventListedTwiceIsOneBeacon(apart: Int64) {
        let requests = requests(restartEvery: 5) { _ in
            [
                .test(.midpoint, 11_500, url: "https://t.example/b", rawName: "midpoint"),
                .test(.midpoint, 11_500 + apart, url: "https://t.example/b", rawName: "MIDPOINT"),
            ]
        }
        #expect(requests == ["https://t.example/b"])
    }

    /// What differs is another beacon: both are sent.
    @Test(arguments: [
        ("https://t.example/b?u=x", "http://t.example/b?u=x"),
        ("https://t.example/b?u=x", "https://t.example:8443/b?u=x"),
        ("https://t.example/b?u=a%2Fb", "https://t.example/b?u=a/b"),
        ("https://t.example/b?u=x", "https://t.example/B?u=x"),
        ("https://t.example/b/", "https://t.example/b"),
        ("https://t.example/b?u=1&u=2", "https://t.example/b?u=2&u=1"),
        ("https://U@t.example/b", "https://u@t.example/b"),
        ("https://t.example/b?u=%", "https://t.example/b?u=%25"),
    ]) func otherURLsAreNot(_ first: String, _ second: String) {
        let requests = requests(restartEvery: nil) { poll in
            [.test(.midpoint, 11_500, url: first), .test(.midpoint, 11_500, url: second)]
        }
        #expect(Set(requests) == [first, second])
        #expect(URLNormalForm.of(first) != URLNormalForm.of(second) || first.contains("u=1&"))
    }

    /// A text in normal form stays as it is, and what is made of any text is one.
    @Test(
        arguments: spellings.joined() + [
            "", "a", "?", "//", "http://", "http://%", "http://h%zz/%4", "https://[::1]:443/%41",
        ])
    func theNormalFormIsOne(_ url: String) {
        let normal = URLNormalForm.of(url)
        #expect(URLNormalForm.of(normal) == normal)
    }
}
