import Ports
import Testing

@testable import AdTracking

/// VMAP with times (PRV-27, PRV-28).
@Suite struct VMAPAnswerTests {
    private static func read(_ breaks: String, total: Int32? = nil) throws -> ListedAnswer {
        let text = "<vmap:VMAP \(VMAPTexts.namespaces)>\(breaks)</vmap:VMAP>"
        return try VMAPAnswer.read(Array(text.utf8), total: total.map { ExactDecimal($0) }).answer
    }

    @Test(arguments: [
        ("start", "0"), ("end", "1200"), ("12.5%", "150"), ("00:00:30.0125", "30.0125"), ("100%", "1200"),
    ]) func aBreakIsAtItsOffset(_ offset: String, _ seconds: String) throws {
        let answer = try Self.read(VMAPTexts.adBreak(at: offset, name: "b", ads: VMAPTexts.ad("a", 10)), total: 1_200)
        #expect(answer.breaks.map(\.start.text) == [seconds] && answer.findings == [])
    }

    @Test(arguments: ["", "#1", "101%", "-1%", "30", "PT30S", "x"]) func anOffsetWithoutATimeIsReported(
        _ offset: String
    ) throws {
        let answer = try Self.read(VMAPTexts.adBreak(at: offset, name: "b", ads: VMAPTexts.ad("a", 10)), total: 1_200)
        #expect(answer.breaks == [] && answer.findings.map(\.rule) == ["P01"])
        #expect(answer.findings.map(\.path) == ["b"])
    }

    @Test func anAdWithoutDurationHoldsTheNextOneAtItsPlace() throws {
        let broken = VMAPTexts.ad("a", 10).replacing("00:00:10", with: "10 s")
        let answer = try Self.read(
            VMAPTexts.adBreak(at: "00:01:00", name: "b", ads: broken + VMAPTexts.ad("c", 15)))
        #expect(answer.breaks.flatMap(\.ads).map(\.start.text) == ["60", "60"])
        #expect(answer.findings.map { "\($0.rule) \($0.path ?? "")" } == ["L03 b/a"])
    }

    /// A document that ends early has breaks that lost their ads.
    @Test(arguments: [
        ("<vmap:VMAP \(VMAPTexts.namespaces)><vmap:AdBreak", "is not well-formed XML"), ("", "is empty"),
        ("<html><body/></html>", "is HTML instead of VMAP"), ("<rss/>", "is a document 'rss' instead of VMAP"),
        ("{}", "is not well-formed XML"),
        ("<VAST version=\"3.0\"/>", "is VAST without times"),
    ]) func whatIsNoVMAPIsNamed(_ text: String, _ words: String) {
        let problem = #expect(throws: MetadataProblem.self) {
            _ = try VMAPAnswer.read(Array(text.utf8), total: nil)
        }
        #expect(problem?.explanation.contains(words) == true, "\(problem?.explanation ?? "")")
    }

    @Test func breaksOfBrightcoveAtOneSecondAreOne() throws {
        let breaks = ["1", "2"].map { VMAPTexts.adBreak(at: "00:00:12", name: $0, ads: VMAPTexts.ad($0, 10)) }.joined()
        let mark = "<vmap:Extensions><uo:unicornOnce contenturi=\"https://h/m.m3u8\"/></vmap:Extensions>"
        let united = try Self.read(breaks + mark)
        #expect(united.breaks.map(\.id) == ["1"] && united.breaks.first?.ads.map(\.start.text) == ["12", "22"])
        #expect(try Self.read(breaks).breaks.count == 2)
    }

    /// What both report at one moment is reported once (PRV-8).
    @Test func eventsOfUnitedBreaksAreJoined() throws {
        let events = ["1", "2"].map { name in
            let tracking = ["breakStart", "breakEnd", "error"].map { event in
                let ending = event == "error" ? name : ""
                return "<vmap:Tracking event=\"\(event)\">https://t.example/\(event)\(ending)</vmap:Tracking>"
            }
            return VMAPTexts.adBreak(
                at: "00:00:12", name: name, ads: VMAPTexts.ad(name, 10),
                more: "<vmap:TrackingEvents>\(tracking.joined())</vmap:TrackingEvents>")
        }
        let mark = "<vmap:Extensions><uo:unicornOnce contenturi=\"https://h/m.m3u8\"/></vmap:Extensions>"
        let united = try Self.read(events.joined() + mark)
        let listed = try #require(united.breaks.first).events
        #expect(listed.map(\.name) == ["breakStart", "breakEnd", "error"])
        #expect(
            listed.map(\.urls) == [
                ["https://t.example/breakStart"], ["https://t.example/breakEnd"],
                ["https://t.example/error1", "https://t.example/error2"],
            ])
        #expect(
            united.findings.map { "\($0.rule) \($0.path ?? "")" } == ["L25 1/breakStart", "L25 1/breakEnd"])
    }

    private static func midRoll(at offset: String, _ ad: String) -> String {
        let event = "<vmap:Tracking event=\"breakStart\">https://t.example/\(ad)</vmap:Tracking>"
        return VMAPTexts.adBreak(
            at: offset, name: "m", ads: VMAPTexts.ad(ad, 10),
            more: "<vmap:TrackingEvents>\(event)</vmap:TrackingEvents>")
    }

    /// Some ad servers call each break of a document the same. A document that lists only the later one means that one.
    @Test func breaksWithOneIDAtOtherTimesAreTheirOwn() throws {
        let stream = ProviderSamples.dated
        func document(_ breaks: String) throws -> DecodedMetadata {
            DecodedMetadata(try Self.read(breaks), ListedPlacement(timeline: stream.timeline), on: stream)
        }
        let later = Self.midRoll(at: "00:02:12", "c")
        let answer = try Self.read(Self.midRoll(at: "00:00:12", "a") + later)
        #expect(answer.breaks.map(\.id) == ["m", "m at 132"])
        let both = try document(Self.midRoll(at: "00:00:12", "a") + later)
        #expect(both.breaks.map(\.start) == [.second(12), .second(132)] && both.breaks.map(\.name) == ["m", "m"])
        let starts = both.breaks.map { adBreak in
            adBreak.ads.flatMap(\.events).filter { $0.type == .breakStart }.flatMap(\.urls)
        }
        #expect(starts == [["https://t.example/a"], ["https://t.example/c"]])
        var book = BreakBook(session: "s")
        _ = book.merge(both, playhead: nil, keep: .seconds(600))
        let again = book.merge(try document(later), playhead: nil, keep: .seconds(600))
        #expect(again.changes.isEmpty && book.breaks.count == 2)
    }

    @Test func breaksWithOneIDAtOneTimeAreOne() throws {
        let answer = try Self.read(Self.midRoll(at: "00:00:12", "a") + Self.midRoll(at: "00:00:12.5", "c"))
        #expect(answer.breaks.map(\.id) == ["m", "m"])
        var listing = Listing()
        listing.add(answer)
        #expect(listing.breaks.count == 1)
    }

    @Test(arguments: [("linear", true), ("Linear", true), ("nonlinear", false), ("display, linear", true)])
    func theTypeOfABreakIsInAnyCase(_ type: String, _ isLinear: Bool) throws {
        let text = VMAPTexts.adBreak(at: "00:00:12", name: "b", ads: VMAPTexts.ad("a", 10))
            .replacing("breakType=\"linear\"", with: "breakType=\"\(type)\"")
        #expect(try Self.read(text).breaks.map(\.isLinear) == [isLinear])
    }

    @Test func anOverlayHasClicksAndTrackersOfItsOwn() throws {
        let overlay =
            "<NonLinear><NonLinearClickThrough>https://l.example/</NonLinearClickThrough>"
            + "<NonLinearClickTracking>https://t.example/k</NonLinearClickTracking><TrackingEvents>"
            + "<Tracking event=\"start\">https://t.example/s</Tracking></TrackingEvents></NonLinear>"
        let ad =
            "<Ad id=\"a\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><NonLinearAds>\(overlay)"
            + "</NonLinearAds></Creative></Creatives></InLine></Ad>"
        let answer = try Self.read(VMAPTexts.adBreak(at: "00:01:00", name: "b", ads: ad))
        let read = try #require(answer.breaks.first?.ads.first)
        #expect(read.events.map(\.name) == ["start", "clickTracking"] && read.clickThrough == "https://l.example/")
    }

    @Test func anOverlayIsNoLinearAd() throws {
        let ad =
            "<Ad id=\"o\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><NonLinearAds><NonLinear/>"
            + "<TrackingEvents><Tracking event=\"creativeView\">https://t.example/v</Tracking></TrackingEvents></NonLinearAds>"
            + "</Creative></Creatives></InLine></Ad>"
        let answer = try Self.read(VMAPTexts.adBreak(at: "00:01:00", name: "b", ads: ad + VMAPTexts.ad("c", 15)))
        #expect(answer.breaks.first?.ads.map(\.isLinear) == [false, true])
        #expect(answer.breaks.first?.ads.map(\.start.text) == ["60", "60"] && answer.findings == [])
        #expect(answer.breaks.first?.ads.first?.events.map(\.name) == ["creativeView"])
    }

    /// While the video plays, nobody sees the overlay of the same ad.
    @Test func anOverlayBesideAVideoHasNoEvents() throws {
        let overlay =
            "<Creative><NonLinearAds><NonLinear/><TrackingEvents><Tracking event=\"creativeView\">https://t.example/o</Tracking>"
            + "</TrackingEvents></NonLinearAds></Creative></Creatives>"
        let plain = try Self.read(VMAPTexts.adBreak(at: "00:01:00", name: "b", ads: VMAPTexts.ad("c", 15)))
        let both = VMAPTexts.ad("c", 15).replacing("</Creatives>", with: overlay)
        #expect(both.contains("https://t.example/o"))
        #expect(try Self.read(VMAPTexts.adBreak(at: "00:01:00", name: "b", ads: both)).breaks == plain.breaks)
    }
}
