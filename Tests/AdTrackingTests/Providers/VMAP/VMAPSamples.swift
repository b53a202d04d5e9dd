import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A VMAP document that names its manifest, and grows by a break with each request (PRV-27 to PRV-29).
    static let vmap: ProviderSamples = {
        let url = "https://once.example/programme/vmap?x=1"
        let first = VMAPTexts.document(breaks: 1)
        return ProviderSamples(
            mediaURL: url, opening: [.answer(200, first, url: url)], documents: (1...3).map(VMAPTexts.document),
            empty: VMAPTexts.document(breaks: 0), truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("<Creatives>", with: "<New a=\"1\">2</New><Creatives>")
                .replacing("<vmap:AdSource>", with: "<New/><vmap:AdSource new=\"1\">"),
            hostile: VMAPTexts.values.flatMap(VMAPTexts.documents(with:)) + VMAPTexts.large,
            contentType: "text/xml", accented: first.replacing("\"a0\"", with: "\"a0\u{E9}\""),
            growth: VMAPTexts.growth, paging: .none, rolling: .init(document: VMAPTexts.window),
            distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
    }()

    /// Segments of 6 s with dates; second 0 is the first one.
    static let dated: StreamFacts = {
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60), at: 1)
        return StreamFacts(timeline: viewer.timeline)
    }()
}

enum VMAPTexts {
    static let namespaces = #"xmlns:vmap="http://www.iab.net/videosuite/vmap" xmlns:uo="urn:uo" version="1.0""#

    /// Breaks each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(breaks: Int) -> String {
        document((0..<breaks).map { adBreak($0) })
    }

    private static func document(_ breaks: [String]) -> String {
        let manifest = #"<vmap:Extensions><uo:unicornOnce contenturi="https://once.example/m.m3u8"/></vmap:Extensions>"#
        return "<vmap:VMAP \(namespaces)>\(breaks.joined())\(manifest)</vmap:VMAP>"
    }

    private static func adBreak(_ number: Int) -> String {
        let time = [number / 60, number % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return adBreak(
            at: "\(time):12", name: "b\(number)", ads: ad("a\(number)", 15) + ad("c\(number)", 10))
    }

    static let growth = [
        document([adBreak(at: "00:00:12", name: "b0", ads: ad("a0", 15, without: "start"))]), document(breaks: 1),
    ]

    @Sendable static func window(_ number: Int) -> String { document([adBreak(number), adBreak(number + 1)]) }

    static func adBreak(at offset: String, name: String, ads: String, more: String = "") -> String {
        let data =
            ads.isEmpty
            ? ""
            : "<vmap:AdSource><vmap:VASTAdData><VAST version=\"3.0\">\(ads)</VAST></vmap:VASTAdData></vmap:AdSource>"
        return
            "<vmap:AdBreak breakId=\"\(name)\" breakType=\"linear\" timeOffset=\"\(offset)\">\(data)\(more)</vmap:AdBreak>"
    }

    /// - Parameters:
    ///   - media: `AdID` of its creative; its own id if nil.
    ///   - missing: an event that it does not have.
    static func ad(_ id: String, _ seconds: Int, media: String? = nil, without missing: String? = nil) -> String {
        let names = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        let events = names.filter { $0 != missing }.map {
            "<Tracking event=\"\($0)\">https://t.example/\(id)/\($0)</Tracking>"
        }.joined()
        return "<Ad id=\"\(id)\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>"
            + "<Impression>https://t.example/\(id)/impression</Impression><Creatives><Creative AdID=\"\(media ?? id)\">"
            + "<Linear><Duration>00:00:\(seconds)</Duration><TrackingEvents>\(events)</TrackingEvents></Linear>"
            + "</Creative></Creatives></InLine></Ad>"
    }

    /// Values that belong nowhere.
    static let values = [
        "", "x", "-1", "99:99:99", "9999999999999999999:00:00", "00:00:00.99999999999999999999", "101%", "-1%", "NaN%",
        "1e999%",
        "#1", "00:00:10", String(repeating: "9", count: 5_000),
    ]

    static func documents(with value: String) -> [String] {
        [
            "<vmap:VMAP \(namespaces)>\(adBreak(at: value, name: value, ads: ad("a", 10)))</vmap:VMAP>",
            "<vmap:VMAP \(namespaces)>"
                + adBreak(
                    at: "00:00:01", name: "b",
                    ads: ad("a", 10).replacing("00:00:10", with: value)
                        .replacing("event=\"start\"", with: "event=\"progress\" offset=\"\(value)\""))
                + "</vmap:VMAP>",
            "<VAST version=\"\(value)\">\(ad("a", 10))</VAST>",
        ]
    }

    static let large: [String] = {
        let ads = (0..<2_000).map { ad("a\($0)", 10) }.joined()
        let breaks = (0..<3_000).map { adBreak(at: "00:00:01", name: "b\($0)", ads: "") }.joined()
        let links = String(repeating: "<Impression>https://t.example/</Impression>", count: 3_000)
        return [
            "<vmap:VMAP \(namespaces)>\(adBreak(at: "start", name: "b", ads: ads))</vmap:VMAP>",
            "<vmap:VMAP \(namespaces)>\(breaks)</vmap:VMAP>",
            "<vmap:VMAP \(namespaces)>\(adBreak(at: "start", name: "b", ads: ad("a", 10).replacing("<Impression>", with: links + "<Impression>")))</vmap:VMAP>",
        ]
    }()
}
