import Testing

@testable import AdTracking

/// Which values count as cache busters (TRK-16).
@Suite struct CacheBustersTests {
    private static func url(_ value: String) -> String { "https://t.example/b?zx=\(value)&e=start" }

    @Test(arguments: [
        ("1234567", "7654321"), ("7f3a91c2", "8b21d4e5"), ("exp1h9c5bec775", "exp1hdc2df9183"),
        ("r1700000000", "r1700000004"),
    ]) func aGeneratedValueThatChangesIsOneAtOnce(_ old: String, _ new: String) {
        var busters = CacheBusters()
        let isKnown = busters.learn(from: Self.url(old), to: Self.url(new))
        #expect(isKnown)
        #expect(busters.differences(Self.url(old), Self.url(new)) == 0)
    }

    /// A word with a few digits is the name of something: it takes two changes.
    @Test(arguments: [("espresso-6736", "sneakers-6736"), ("summer2026", "winter2026"), ("1234", "4321")])
    func aNameIsNoneAtOnce(_ old: String, _ new: String) {
        var busters = CacheBusters()
        let isKnown = busters.learn(from: Self.url(old), to: Self.url(new))
        #expect(!isKnown && busters.differences(Self.url(old), Self.url(new)) == nil)
        let isKnownLater = busters.learn(from: Self.url(new), to: Self.url(old))
        #expect(isKnownLater)
    }

    /// What other beacons have as before did not change: the URL is damaged, or another one.
    @Test func aValueThatIsConstantElsewhereIsNone() {
        var busters = CacheBusters()
        let constants = Set(busters.places(of: Self.url("7f3a91c2")))
        let isKnown = busters.learn(from: Self.url("7f3a91c2"), to: Self.url("8b21d4e5"), constants: constants)
        #expect(!isKnown)
        #expect(busters.differences(Self.url("7f3a91c2"), Self.url("8b21d4e5"), constants: constants) == nil)
        #expect(busters.differences(Self.url("7f3a91c2"), Self.url("8b21d4e5")) == 1)
    }
}
