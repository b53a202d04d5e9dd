import Ports
import Testing

@testable import AdTracking

/// One ad in metadata and in a date range (TRK-29).
@Suite struct SignaledTwinsTests {
    private static func adBreak(
        _ source: AdBreak.Source, _ start: Int64, _ length: Int64, url: String = "https://t.example/s"
    ) -> AdBreak {
        let event = TrackingEvent(type: .start, start: .ms(start), urls: [url])
        let ad = Ad(name: "a", start: .ms(start), duration: .milliseconds(length), events: [event])
        return AdBreak(name: "b", start: .ms(start), duration: .milliseconds(length), source: source, ads: [ad])
    }

    private static func rules(_ signaled: AdBreak, beside metadata: AdBreak) -> [String] {
        var viewer = AdViewer()
        viewer.metadata([metadata])
        return SignaledTwins.findings(in: [signaled], beside: viewer.tracker.book).map(\.rule)
    }

    private static let known = adBreak(.metadata, 60_000, 15_000)

    @Test func equalDescriptionsOfOtherBeaconsAreFine() {
        #expect(
            Self.rules(Self.adBreak(.signaling, 60_050, 15_100, url: "https://t.example/o"), beside: Self.known) == [])
    }

    @Test func anotherStartOrLengthIsReported() {
        #expect(
            Self.rules(Self.adBreak(.signaling, 60_200, 10_000, url: "https://t.example/o"), beside: Self.known)
                == ["signaling-differs", "signaling-differs"])
    }

    @Test func anAdElsewhereIsAnother() {
        #expect(Self.rules(Self.adBreak(.signaling, 61_000, 10_000), beside: Self.known) == [])
    }

    /// Of the ads before and behind it the nearest one; of two the one that the metadata lists first.
    @Test(arguments: [(60_100, "b"), (60_450, "c"), (59_800, "b"), (60_300, "b"), (60_900, "c"), (60_901, "d")])
    func theNearestAdIsTheTwin(start: Int64, ad: String) {
        var viewer = AdViewer()
        let starts: KeyValuePairs<String, Int64> = ["a": 50_000, "b": 60_000, "c": 60_600, "d": 61_200, "e": 90_000]
        let ads = starts.map { Ad.test($0.key, $0.value, 300, [.test(.start, $0.value)]) }
        viewer.metadata([.test("pod", 50_000, 60_000, ads)])
        var signaled = Self.adBreak(.signaling, start, 900)
        signaled.ads[0].events = []
        let findings = SignaledTwins.findings(in: [signaled], beside: viewer.tracker.book)
        #expect(Set(findings.compactMap(\.place?.ad)) == [ad])
    }

    /// The finding marks the ad of the metadata, which a screen shows.
    @Test func aFindingIsAboutTheAdOfTheMetadata() {
        var viewer = AdViewer()
        viewer.metadata([Self.known])
        let findings = SignaledTwins.findings(
            in: [Self.adBreak(.signaling, 60_000, 15_000)], beside: viewer.tracker.book)
        #expect(findings.map(\.place) == [FindingPlace(adBreak: "b", start: .ms(60_000), ad: "a")])
    }

    /// Both list the beacon: it is one, and the listing is reported.
    @Test func aBeaconInBothIsReportedAndSentOnce() {
        let signaled = Self.adBreak(.signaling, 60_000, 15_000)
        #expect(Self.rules(signaled, beside: Self.known) == ["signaling-twice"])
        var viewer = AdViewer()
        viewer.metadata([Self.known])
        viewer.place([signaled], by: .signaling)
        viewer.play(59_000, 80_000)
        #expect(viewer.requests == ["https://t.example/s"])
    }
}
