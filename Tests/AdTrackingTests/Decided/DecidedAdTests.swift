import AdTracking
import Ports
import Testing
import VAST

@Suite struct DecidedAdTests {
    static func ads(_ text: String, length: Duration? = nil, values: MacroValues = MacroValues()) -> [Ad] {
        let layout = Answer.layout(text, length: length)
        return layout.places.map { DecidedAd.ad($0, breakStart: .ms(100_000), values: values) }
            + layout.losses.map { DecidedAd.ad($0, at: .ms(100_000) + layout.end, values: values) }
    }

    /// `name class start duration`; times are in milliseconds from the start of the ad.
    static func text(_ event: TrackingEvent, of ad: Ad) -> String {
        let start = (event.start - ad.start).inMilliseconds
        return "\(event.rawName) \(event.eventClass.rawValue) \(start) \(event.duration.inMilliseconds)"
    }

    @Test func theUsualEventsAreSpreadOverTheAd() throws {
        let text = Answer.vast(Answer.ad("a", seconds: 20, linear: " skipoffset=\"00:00:05\""))
        let ad = try #require(Self.ads(text).first)
        #expect(ad.name == "a")
        #expect(ad.start == .ms(100_000))
        #expect(ad.duration == .seconds(20))
        #expect(
            ad.events.map { Self.text($0, of: ad) } == [
                "impression time 0 0", "creativeView time 0 0", "start time 0 0", "firstQuartile time 5000 0",
                "midpoint time 10000 0", "thirdQuartile time 15000 0", "complete time 20000 0", "mute user 0 20000",
                "skip user 5000 15000", "error player 0 0",
            ])
    }

    /// The values that the ad determines are those of the resolver: `idValue`, and the ad's own type over the break's.
    @Test func theAdDeterminesItsMacros() throws {
        var ids = Self.linear(inAd: "")
        ids = ids.replacing(
            "<Creative>", with: "<Creative><UniversalAdId idRegistry=\"ad-id.org\" idValue=\"CNPA0484\"/>")
        ids = ids.replacing("<Ad id=", with: "<Ad adType=\"hybrid\" id=")
        var base = MacroValues()
        base[.adType] = .text("video")
        let layout = Answer.layout(ids, length: nil)
        let place = try #require(layout.places.first)
        let values = DecidedAd.values(of: place, over: base)
        let wanted = place.ad.fill(MacroValues())
        #expect(values[.universalAdID] == wanted[.universalAdID])
        #expect(values[.adType] == wanted[.adType])
        #expect(values[.universalAdID] == .list(["ad-id.org CNPA0484"]))
        #expect(values[.adType] == .text("hybrid"))
    }

    struct Row: Sendable {
        var inside: String
        var events: [String]
    }

    /// A linear ad of 20 s with one more element in its tracking or beside it.
    @Test(arguments: [
        Row(inside: "<Tracking event=\"progress\" offset=\"00:00:07\">u</Tracking>", events: ["progress time 7000 0"]),
        Row(inside: "<Tracking event=\"progress\" offset=\"15%\">u</Tracking>", events: ["progress time 3000 0"]),
        Row(
            inside: "<Tracking event=\"progress\" offset=\"00:00:40\">u</Tracking>",
            events: ["progress unknown 0 0"]),
        Row(inside: "<Tracking event=\"loaded\">u</Tracking>", events: ["loaded time 0 0"]),
        Row(inside: "<Tracking event=\"fullscreen\">u</Tracking>", events: ["fullscreen user 0 20000"]),
        Row(inside: "<Tracking event=\"closeLinear\">u</Tracking>", events: ["closeLinear user 0 20000"]),
        Row(inside: "<Tracking event=\"timeSpentViewing\">u</Tracking>", events: ["timeSpentViewing unknown 0 0"]),
        Row(
            inside: "<Tracking event=\"timeSpentViewing\" offset=\"00:00:05\">u</Tracking>",
            events: ["timeSpentViewing time 5000 0"]),
        Row(inside: "<Tracking event=\"whatever\">u</Tracking>", events: ["whatever unknown 0 0"]),
        Row(
            inside: "<Tracking event=\"fullscreen\">u</Tracking><Tracking event=\"playerExpand\">u</Tracking>",
            events: ["fullscreen unknown 0 0", "playerExpand user 0 20000"]),
    ])
    func trackingEventsHaveTheirClass(_ row: Row) throws {
        let ad = try #require(Self.ads(Self.linear(tracking: row.inside)).first)
        #expect(ad.events.filter { $0.rawName != "impression" }.map { Self.text($0, of: ad) } == row.events)
    }

    static func linear(tracking: String = "", beside: String = "", inAd: String = "") -> String {
        """
        <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
        <Impression>https://t.example/i</Impression>\(inAd)<Creatives><Creative><Linear><Duration>00:00:20</Duration>
        <TrackingEvents>\(tracking)</TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4"
        width="1" height="1">https://m.example/a.mp4</MediaFile></MediaFiles>\(beside)</Linear></Creative></Creatives>
        </InLine></Ad></VAST>
        """
    }

    @Test func clicksIconsAndViewabilityAreNotPlayback() throws {
        let text = Self.linear(
            beside: "<VideoClicks><ClickThrough>https://l.example/</ClickThrough><ClickTracking>c</ClickTracking>"
                + "<CustomClick>k</CustomClick></VideoClicks><Icons><Icon program=\"p\"><StaticResource "
                + "creativeType=\"image/png\">i</StaticResource><IconViewTracking>v</IconViewTracking></Icon></Icons>",
            inAd:
                "<ViewableImpression><Viewable>y</Viewable><ViewUndetermined>n</ViewUndetermined></ViewableImpression>")
        let ad = try #require(Self.ads(text).first)
        #expect(ad.clickThrough == "https://l.example/")
        #expect(
            ad.events.map { Self.text($0, of: ad) } == [
                "impression time 0 0", "iconView companion 0 0", "clickTracking click 0 20000",
                "customClick click 0 20000", "viewable player 0 0", "viewUndetermined player 0 0",
            ])
    }

    @Test func anAdThatIsNotPlayedHasItsErrorsOnly() throws {
        let ads = Self.ads(
            Answer.vast(Answer.ad("a", seconds: 20, sequence: 1), Answer.ad("b", seconds: 20, sequence: 2)),
            length: .seconds(30))
        #expect(ads.map(\.name) == ["a", "b"])
        let lost = try #require(ads.last)
        #expect(lost.start == .ms(120_000))
        #expect(lost.duration == .zero)
        #expect(lost.events.map(\.rawName) == ["error"])
        #expect(lost.notPlayed == AdLoss(code: 206, message: "does not fit in the break"))
        #expect(lost.notPlayed?.text == "206: does not fit in the break")
    }

    @Test(arguments: ["", "303: has no ad", "no colon", "9999999999999999999999: x"])
    func theCodeOfALossIsNoPartOfItsSentence(message: String) {
        let ad = DecidedAd.failure(
            nil, code: 301, message: message, urls: ["https://t/?c=[ERRORCODE]"], context: .error, at: .ms(0),
            values: MacroValues())
        #expect(ad.notPlayed?.code == 301)
        #expect(ad.extras.members.isEmpty)
    }

    struct Macro: Sendable {
        var template: String
        var filled: String
    }

    @Test(arguments: [
        Macro(template: "https://t/?a=[ADSERVINGID]&n=[ADCOUNT]", filled: "https://t/?a=as-a&n=1"),
        Macro(template: "https://t/?u=[UNIVERSALADID]", filled: "https://t/?u=r%20u-a"),
        Macro(template: "https://t/?m=[ASSETURI]", filled: "https://t/?m=https%3A%2F%2Fm.example%2Fa.mp4"),
        Macro(template: "https://t/?s=[PODSEQUENCE]&p=[BREAKPOSITION]", filled: "https://t/?s=7&p=2"),
        Macro(template: "https://t/?p=[ADPLAYHEAD]", filled: "https://t/?p=00%3A00%3A02.500"),
        Macro(template: "https://t/?t=[TIMESTAMP]", filled: "https://t/?t=1970-01-01T00%3A00%3A09.000Z"),
        Macro(template: "https://t/?c=[CACHEBUSTING]-[CACHEBUSTING]", filled: "https://t/?c=00000042-00000042"),
        Macro(template: "https://t/?x=[GDPRCONSENT]&y=[NOSUCH]", filled: "https://t/?x=-1&y=[NOSUCH]"),
        Macro(template: "https://t/?e=[ERRORCODE]", filled: "https://t/?e=[ERRORCODE]"),
        Macro(template: "https://t/a b|c", filled: "https://t/a%20b%7Cc"),
    ])
    func macrosAreFilledFromAdAndOccasion(_ row: Macro) throws {
        var base = MacroValues()
        base[.breakPosition] = .number(2)
        let layout = Answer.layout(Answer.vast(Answer.ad("a", seconds: 20, sequence: 7)), length: nil)
        let place = try #require(layout.places.first)
        let macros = BeaconMacros(values: DecidedAd.values(of: place, over: base), context: .tracking)
        let occasion = BeaconMacros.Occasion(at: .ms(9_000), adPlayhead: .milliseconds(2_500))
        #expect(macros.filled(row.template, on: occasion, random: 42) == row.filled)
    }
}
