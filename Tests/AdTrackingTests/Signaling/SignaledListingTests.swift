import HLS
import Ports
import Testing

@testable import AdTracking

/// Date ranges with ad creative signaling as listed breaks (PRV-39, PRV-40).
@Suite struct SignaledListingTests {
    private static func listed(_ ranges: [(String, String)], class name: String? = nil) -> ListedAnswer {
        let rangeClass = name ?? "urn:svta:advertising-wg:ad-creative-signaling"
        let tags = ranges.map { attributes, envelope in
            "#EXT-X-DATERANGE:CLASS=\"\(rangeClass)\",\(attributes),X-AD-CREATIVE-SIGNALING=\"\(Base64.encode(Array(envelope.utf8)))\""
        }
        return listed(tags)
    }

    private static func listed(_ tags: [String]) -> ListedAnswer {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.ts\n\(tags.joined(separator: "\n"))\n"
        var listing = SignaledListing()
        listing.add(PlaylistParser.parse(Array(text.utf8), uri: "https://h/").media?.dateRanges ?? [])
        return listing.answer
    }

    private static func range(_ id: String, at second: Int, _ more: String = "") -> String {
        "ID=\"\(id)\",START-DATE=\"2026-08-01T18:00:\(second < 10 ? "0" : "")\(second)Z\"\(more)"
    }

    private static func slot(_ id: String, _ more: String = "") -> String {
        #"{"type":"linear","identifiers":[{"value":"\#(id)"}]\#(more)}"#
    }

    private static func envelope(_ payload: String, type: String? = nil) -> String {
        #"{"version":2,\#(type.map { "\"type\":\"\($0)\"," } ?? "")"payload":\#(payload)}"#
    }

    private static func summary(_ answer: ListedAnswer) -> [String] {
        answer.breaks.map { adBreak in
            let ads = adBreak.ads.map { ad in
                "\(ad.id ?? "-")+\(ad.start.minus(adBreak.start)) \(ad.length?.text ?? "?")"
            }
            return "\(adBreak.id ?? "-") \(adBreak.length?.text ?? "?"): \(ads.joined(separator: ", "))"
        }
    }

    /// Without a type the first node shows what a payload is; a single object is accepted.
    @Test func aPayloadWithoutTypeIsAPodOrASlot() {
        let slot = Self.envelope(Self.slot("S"))
        let pod = Self.envelope(#"{"start":2,"slots":[\#(Self.slot("P", ",\"duration\":5"))]}"#)
        #expect(Self.summary(Self.listed([(Self.range("r", at: 0, ",DURATION=20"), slot)])) == ["r 20: S+0 20"])
        #expect(Self.summary(Self.listed([(Self.range("r", at: 0, ",DURATION=20"), pod)])) == ["r 18: P+0 5"])
    }

    /// A range that nothing dates is ignored and reported (PRV-40).
    @Test func aRangeWithoutADateIsReported() {
        let envelope = Self.envelope(Self.slot("S"))
        let answer = Self.listed([
            ("ID=\"x\",DURATION=10", envelope), (Self.range("r", at: 0, ",DURATION=20"), envelope),
        ])
        #expect(Self.summary(answer) == ["r 20: S+0 20"])
        #expect(answer.findings.filter { $0.rule == "P01" }.map(\.path) == ["x"])
        #expect(Self.listed([("ID=\"x\"", envelope)], class: "com.example").findings.isEmpty)
    }

    @Test func slotsFollowEachOther() {
        let slots = [
            Self.slot("A", ",\"duration\":5"), Self.slot("B"), Self.slot("C", ",\"start\":12"),
        ].joined(separator: ",")
        let answer = Self.listed([(Self.range("r", at: 0, ",DURATION=20"), Self.envelope("[\(slots)]", type: "slot"))])
        #expect(Self.summary(answer) == ["r 20: A+0 5, B+5 7, C+12 8"])
    }

    @Test func severalPodsHaveNumbers() {
        let pods = (0..<2).map { #"{"start":\#($0 * 10),"duration":10,"slots":[\#(Self.slot("p\($0)"))]}"# }
        let answer = Self.listed([
            (Self.range("r", at: 0, ",DURATION=20"), Self.envelope("[\(pods.joined(separator: ","))]", type: "pod"))
        ])
        #expect(Self.summary(answer) == ["r#1 10: p0+0 10", "r#2 10: p1+0 10"])
    }

    @Test func eventsOfARangeMakeItAnAd() {
        let event = #"[{"type":"midpoint","urls":["https://t.example/m"]}]"#
        let answer = Self.listed([
            (Self.range("r", at: 0, ",PLANNED-DURATION=20"), Self.envelope(event, type: "trackingEvent"))
        ])
        #expect(Self.summary(answer) == ["r 20: r+0 20"])
        #expect(answer.breaks.first?.ads.first?.events.first?.offset(inLength: ExactDecimal(20)) == ExactDecimal(10))
    }

    /// DURATION before END-DATE before PLANNED-DURATION.
    @Test(arguments: [
        (",DURATION=20,PLANNED-DURATION=3", "20"), (",END-DATE=\"2026-08-01T18:00:30Z\",PLANNED-DURATION=3", "30"),
        (",PLANNED-DURATION=3", "3"), ("", "?"),
    ]) func aRangeLasts(_ attributes: String, _ length: String) {
        let answer = Self.listed([(Self.range("r", at: 0, attributes), Self.envelope(Self.slot("S")))])
        #expect(Self.summary(answer) == ["r \(length): S+0 \(length)"])
    }

    /// A break is as long as its ranges; one without a length makes it unknown.
    @Test func rangesThatTouchAreOneBreak() {
        let ranges = [("a", 0, ",DURATION=10"), ("b", 10, ",DURATION=10"), ("c", 25, "")].map { id, second, more in
            (Self.range(id, at: second, more), Self.envelope(Self.slot(id.uppercased())))
        }
        #expect(Self.summary(Self.listed(ranges)) == ["a 20: A+0 10, B+10 10", "c ?: C+0 ?"])
        let open = [("a", 0, ",DURATION=10"), ("b", 10, "")].map { id, second, more in
            (Self.range(id, at: second, more), Self.envelope(Self.slot(id.uppercased())))
        }
        #expect(Self.summary(Self.listed(open)) == ["a ?: A+0 10, B+10 ?"])
    }

    @Test func anotherClassIsNoSignaling() {
        let range = (Self.range("r", at: 0), Self.envelope(Self.slot("S")))
        #expect(Self.listed([range], class: "com.example") == ListedAnswer())
        #expect(Self.listed([range], class: "urn:sva:advertising-wg:ad-id-signaling").breaks.count == 1)
    }

    @Test(arguments: [
        ("{\"version\":1}", "P10"), ("[]", "P10"), ("{\"version\":2,\"type\":\"x\",\"payload\":[{}]}", "P10"),
        ("{\"version\":2,\"features\":{\"x\":true},\"payload\":[]}", "P10"),
        ("{\"version\":2,\"payload\":[{\"duration\":5,\"$remote\":{\"tracking\":\"https://h/\"}}]}", "P11"),
    ]) func whatCannotBeReadIsReported(_ envelope: String, _ rule: String) {
        let answer = Self.listed([(Self.range("r", at: 0, ",DURATION=5"), envelope)])
        #expect(answer.findings.map { "\($0.rule) \($0.path ?? "")" } == ["\(rule) r"])
        #expect(answer.breaks.isEmpty == (rule == "P10"))
    }
}
