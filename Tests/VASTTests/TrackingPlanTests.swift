import Ports
import Testing

@testable import VAST

@Suite struct TrackingPlanTests {
    private func ad(_ linear: String, extra: String = "") throws -> ResolvedAd {
        let text = """
            <VAST version="4.2"><Ad><InLine><Error>https://t/e?[ERRORCODE]</Error><Impression>https://t/i</Impression>
            <Impression>about:blank</Impression>\(extra)<Creatives><Creative>\(linear)</Creative></Creatives></InLine></Ad></VAST>
            """
        let document = try #require(VASTReader.read(Array(text.utf8)).vast)
        return ResolvedAd(ad: try #require(document.ads.first), chain: [], version: document.versionNumber)
    }

    private let tracked = """
        <TrackingEvents><Tracking event="complete">https://t/c</Tracking><Tracking event="midpoint">https://t/m</Tracking>
        <Tracking event="start">https://t/s1</Tracking><Tracking event="start">https://t/s2</Tracking>
        <Tracking event="mute">https://t/mute</Tracking><Tracking event="progress" offset="10%">https://t/p</Tracking>
        </TrackingEvents>
        """

    @Test func eventsStandByTime() throws {
        let plan = TrackingPlan(
            try ad("<Linear skipoffset=\"00:00:05\"><Duration>00:00:20</Duration>\(tracked)</Linear>"))
        #expect(
            plan.events.map(\.name) == ["impression", "start", "progress", "midpoint", "complete", "mute", "error"])
        #expect(plan.events.map(\.atMilliseconds) == [0, 0, 2_000, 10_000, 20_000, nil, nil])
        #expect(plan.events[0].urls.map(\.template) == ["https://t/i"])
        #expect(plan.events[1].urls.map(\.template) == ["https://t/s1", "https://t/s2"])
        #expect(plan.events.last?.urls.first?.context == .error)
        #expect(plan.skipFromMilliseconds == 5_000)
        #expect(plan.durationMilliseconds == 20_000)
    }

    /// The linter reports such names.
    @Test func namesOfEventsAreTrimmed() throws {
        let trackings = """
            <TrackingEvents><Tracking event=" Start&#10;">https://t/s</Tracking><Tracking event=" ">https://t/n</Tracking>
            <Tracking event="progress " offset=" 00:00:05 ">https://t/p</Tracking></TrackingEvents>
            """
        let plan = TrackingPlan(try ad("<Linear><Duration>00:00:20</Duration>\(trackings)</Linear>"))
        #expect(plan.events.map(\.name) == ["impression", "start", "progress", "error"])
        #expect(plan.events.map(\.atMilliseconds) == [0, 0, 5_000, nil])
    }

    /// VAST 4.0 section 2.3.4.2 lets timeSpentViewing carry the offset at which it fires.
    @Test(arguments: [("00:00:05", 5_000), ("25%", 5_000), ("soon", nil)] as [(String, Int64?)])
    func timeSpentViewingHasTheTimeOfItsOffset(_ offset: String, _ time: Int64?) throws {
        let trackings = """
            <TrackingEvents><Tracking event="timeSpentViewing" offset="\(offset)">https://t/v</Tracking>
            <Tracking event="timeSpentViewing">https://t/w</Tracking></TrackingEvents>
            """
        let plan = TrackingPlan(try ad("<Linear><Duration>00:00:20</Duration>\(trackings)</Linear>"))
        let events = plan.events.filter { $0.name == "timeSpentViewing" }
        #expect(Set(events.map(\.offset)) == [offset, nil])
        let event = try #require(events.first { $0.offset == offset })
        #expect(event.atMilliseconds == time && event.urls.map(\.template) == ["https://t/v"])
        #expect(event.never == (time == nil ? .unreadableOffset : nil))
        let open = try #require(events.first { $0.offset == nil })
        #expect(open.atMilliseconds == nil && open.never == nil)
    }

    @Test func sharesOfAnUnknownDurationHaveNoTime() throws {
        let plan = TrackingPlan(try ad("<Linear>\(tracked)</Linear>"))
        #expect(plan.events.first { $0.name == "midpoint" }?.atMilliseconds == nil)
        #expect(plan.events.first { $0.name == "progress" }?.atMilliseconds == nil)
        #expect(plan.events.first { $0.name == "start" }?.atMilliseconds == 0)
    }

    @Test(arguments: [("00:00:20", 20_000), ("100%", 20_000), ("00:00:40", nil), ("150%", nil)] as [(String, Int64?)])
    func progressBeyondTheEndNeverFires(_ offset: String, _ time: Int64?) throws {
        let trackings = """
            <TrackingEvents><Tracking event="progress" offset="\(offset)">https://t/p</Tracking></TrackingEvents>
            """
        let plan = TrackingPlan(try ad("<Linear><Duration>00:00:20</Duration>\(trackings)</Linear>"))
        let event = try #require(plan.events.first { $0.name == "progress" })
        #expect(event.atMilliseconds == time && event.never == (time == nil ? .beyondEnd : nil))
        let json = plan.json(values: MacroValues(), seed: 1)["events"]?.arrayValue?.first { $0["event"] == "progress" }
        #expect(json?["at_ms"]?.integerValue == time)
        #expect(json?["never"]?.stringValue == (time == nil ? "after the end of the ad" : nil))
        // Where the duration is unknown, any time may still come.
        let open = TrackingPlan(try ad("<Linear>\(trackings)</Linear>")).events.first { $0.name == "progress" }
        #expect(open?.never == nil)
    }

    /// A time before the start of the ad is none (VAST 4.3 section 3.14.1).
    @Test(arguments: ["-00:00:05", "-10%", "soon"])
    func progressWithoutAReadableOffsetNeverFires(offset: String) throws {
        let trackings = """
            <TrackingEvents><Tracking event="progress" offset="\(offset)">https://t/p</Tracking></TrackingEvents>
            """
        let plan = TrackingPlan(try ad("<Linear><Duration>00:00:20</Duration>\(trackings)</Linear>"))
        let event = try #require(plan.events.first { $0.name == "progress" })
        #expect(event.atMilliseconds == nil && event.offset == offset && event.never == .unreadableOffset)
        let json = plan.json(values: MacroValues(), seed: 1)["events"]?.arrayValue?.first { $0["event"] == "progress" }
        #expect(json?["never"]?.stringValue == "its offset is neither a time nor a percentage")
    }

    @Test func viewsOfIconsCompanionsAndViewabilityArePlanned() throws {
        let icon = "<Icon program=\"p\" offset=\"00:00:03\"><IconViewTracking>https://t/iv</IconViewTracking></Icon>"
        let companions = """
            <CompanionAds><Companion><HTMLResource>x</HTMLResource><TrackingEvents><Tracking event="creativeView">https://t/cv
            </Tracking></TrackingEvents></Companion></CompanionAds>
            """
        let viewable = "<ViewableImpression><Viewable>https://t/v</Viewable></ViewableImpression>"
        let plan = TrackingPlan(
            try ad("<Linear><Duration>00:00:20</Duration><Icons>\(icon)</Icons></Linear>\(companions)", extra: viewable)
        )
        #expect(plan.events.first { $0.name == "iconView" }?.atMilliseconds == 3_000)
        #expect(plan.events.first { $0.name == "companionView" }?.urls.map(\.template) == ["https://t/cv"])
        #expect(plan.events.first { $0.name == "viewable" }?.cause == .player)
    }

    /// While the video plays, nobody sees the overlay of the same ad.
    @Test func anOverlayBesideAVideoHasEventsOfItsOwn() throws {
        let overlay = """
            <NonLinearAds><NonLinear width="1" height="1"><StaticResource>https://m/x.png</StaticResource>
            <NonLinearClickTracking>https://t/oc</NonLinearClickTracking></NonLinear><TrackingEvents>
            <Tracking event="creativeView">https://t/ov</Tracking><Tracking event="close">https://t/ox</Tracking>
            </TrackingEvents></NonLinearAds>
            """
        let video = """
            <Linear><Duration>00:00:20</Duration>\(tracked)<VideoClicks><ClickTracking>https://t/k</ClickTracking></VideoClicks>
            </Linear>
            """
        let plan = TrackingPlan(try ad(video + overlay))
        func urls(_ name: String) -> [String] { plan.events.filter { $0.name == name }.flatMap(\.urls).map(\.template) }
        #expect(urls("creativeView").isEmpty && urls("close").isEmpty && urls("clickTracking") == ["https://t/k"])
        #expect(urls("nonLinear creativeView") == ["https://t/ov"] && urls("nonLinear close") == ["https://t/ox"])
        #expect(urls("nonLinearClickTracking") == ["https://t/oc"])
        #expect(plan.events.first { $0.name == "nonLinear creativeView" }?.atMilliseconds == nil)
        let alone = TrackingPlan(try ad(overlay))
        #expect(alone.events.first { $0.name == "creativeView" }?.atMilliseconds == 0)
        #expect(alone.events.contains { $0.name == "clickTracking" })
    }

    /// A second entry would be a second request for one click.
    @Test func aWrappersCompanionTrackersAreListedOnceAtTheirLevel() throws {
        func companion(_ name: String, _ resource: String) -> String {
            """
            <CompanionAds><Companion id="k" width="300" height="250">\(resource)
            <CompanionClickTracking id="q">https://t/\(name)</CompanionClickTracking><TrackingEvents>
            <Tracking event="creativeView">https://t/\(name)v</Tracking></TrackingEvents></Companion></CompanionAds>
            """
        }
        let wrappers = try ["w0", "w1"].map { name in
            let text = """
                <VAST version="4.2"><Ad><Wrapper><Creatives><Creative>\(companion(name, ""))</Creative></Creatives>
                </Wrapper></Ad></VAST>
                """
            let document = try #require(VASTReader.read(Array(text.utf8)).vast)
            return ChainLink(ad: try #require(document.ads.first), version: .v42)
        }
        var resolved = try ad(
            "<Linear><Duration>00:00:20</Duration></Linear>\(companion("in", "<HTMLResource>x</HTMLResource>"))")
        resolved = ResolvedAd(ad: resolved.ad, chain: wrappers, version: .v42)
        // The end card of a rewarded video sends those of the merged companion.
        let shown = try #require(resolved.preferredCompanionAds?.companions.first)
        #expect(shown.clickTracking.map(\.url) == ["https://t/in", "https://t/w0", "https://t/w1"])
        let plan = TrackingPlan(resolved)
        for (name, ending) in [("companionClickTracking", ""), ("companionView", "v")] {
            let urls = plan.events.filter { $0.name == name }.flatMap(\.urls)
            #expect(urls.map(\.template) == ["w0", "w1", "in"].map { "https://t/\($0)\(ending)" })
            #expect(urls.map(\.level) == [0, 1, 2])
        }
    }

    @Test func onePointOfSeveralLevelsIsOneEvent() throws {
        let text = { (url: String) in
            "<TrackingEvents><Tracking event=\"progress\" offset=\"10%\">\(url)</Tracking></TrackingEvents>"
        }
        let plan = TrackingPlan(
            try ad("<Linear><Duration>00:00:20</Duration>\(text("https://t/1"))\(text("https://t/2"))</Linear>"))
        let progress = plan.events.filter { $0.name == "progress" }
        #expect(progress.map { $0.urls.map(\.template) } == [["https://t/1", "https://t/2"]])
        #expect(progress.map(\.offset) == ["10%"])
    }
}
