import AdTracking
import Ports
import VAST

extension GrowthCase {
    /// VAST and VMAP: reading, findings, resolution, events of every ad, layout in a break.
    package static let vast: [GrowthCase] = [
        inLinear("progress trackings", from: 2_000) {
            "<Tracking event=\"progress\" offset=\"\(clock($0))\">https://t/p\($0)</Tracking>"
        },
        inLinear("trackings of one event", from: 4_000) { "<Tracking event=\"start\">https://t/s\($0)</Tracking>" },
        inLinear("trackings with unknown names", from: 2_000) {
            "<Tracking event=\"e\($0)\">https://t/s\($0)</Tracking>"
        },
        inAd("impressions", from: 4_000) { "<Impression>https://t/i\($0)</Impression>" },
        inAd("errors", from: 4_000) { "<Error>https://t/e\($0)?[ERRORCODE]</Error>" },
        inAd("extensions", from: 4_000, "Extensions") { "<Extension type=\"t\($0)\"><A b=\"\($0)\"/></Extension>" },
        inAd("categories", from: 4_000) { "<Category authority=\"a\($0)\">\($0)</Category>" },
        inAd("verifications", from: 2_000, "AdVerifications") {
            "<Verification vendor=\"v\($0)\"><JavaScriptResource apiFramework=\"omid\">https://v/\($0).js</JavaScriptResource></Verification>"
        },
        inAd("unknown elements", from: 4_000) { "<X\($0)/>" },
        inAd("faulty elements", from: 4_000) { "<Impression id=\"\($0)\">not a URL \($0)</Impression>" },
        inAd("creatives", from: 1_000, creatives: true) {
            "<Creative id=\"c\($0)\" sequence=\"\($0)\"><Linear><Duration>00:00:01</Duration><TrackingEvents><Tracking event=\"start\">https://t/\($0)</Tracking></TrackingEvents></Linear></Creative>"
        },
        inAd(
            "companions", from: 1_000, creatives: true, head: "<Creative><CompanionAds>",
            tail: "</CompanionAds></Creative>"
        ) {
            "<Companion width=\"300\" height=\"\($0)\"><StaticResource creativeType=\"image/png\">https://c/\($0)</StaticResource></Companion>"
        },
        inAd(
            "media files", from: 2_000, creatives: true,
            head: "<Creative><Linear><Duration>00:00:10</Duration><MediaFiles>",
            tail: "</MediaFiles></Linear></Creative>"
        ) {
            "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"\($0)\" height=\"10\" bitrate=\"\($0)\">https://c/\($0).mp4</MediaFile>"
        },
        inAd(
            "icons", from: 2_000, creatives: true, head: "<Creative><Linear><Duration>00:00:10</Duration><Icons>",
            tail: "</Icons></Linear></Creative>"
        ) {
            "<Icon program=\"p\($0)\" width=\"10\" height=\"10\" xPosition=\"left\" yPosition=\"top\" offset=\"\(clock($0))\"><StaticResource creativeType=\"image/png\">https://c/\($0)</StaticResource><IconViewTracking>https://t/v\($0)</IconViewTracking></Icon>"
        },
        document("ads of a pod", from: 500) {
            "<Ad id=\"a\($0)\" sequence=\"\($0 + 1)\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t/\($0)</Impression><Creatives><Creative><Linear><Duration>00:00:01</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1\" height=\"1\">https://c/\($0).mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
        },
        document("unplayable ads of a pod, and spares", from: 500) {
            "<Ad id=\"a\($0)\" \($0 % 2 == 0 ? "sequence=\"\($0 + 1)\"" : "")><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t/\($0)</Impression><Creatives><Creative><Linear><Duration>00:00:01</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"video/x-flv\" width=\"1\" height=\"1\">https://c/\($0).flv</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
        },
        document("wrappers", from: 500) {
            "<Ad id=\"a\($0)\" sequence=\"\($0 + 1)\"><Wrapper fallbackOnNoAd=\"true\"><AdSystem>s</AdSystem><VASTAdTagURI>https://w/\($0)</VASTAdTagURI><Impression>https://t/\($0)</Impression></Wrapper></Ad><Ad id=\"s\($0)\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle></InLine></Ad>"
        },
        document("attributes and text", from: 4_000, head: "<Ad id=\"") {
            "&#x\(String(97 + $0 % 20, radix: 16));"
        } tail: {
            "\"><InLine><AdTitle>&lt;&amp;&gt;</AdTitle></InLine></Ad>"
        },
        document("namespaces", from: 2_000) { "<n:A xmlns:n=\"urn:\($0)\" n:b=\"c\"/>" },
        vmap("breaks", from: 1_000) {
            "<vmap:AdBreak timeOffset=\"\(clock($0 * 1_000))\" breakType=\"linear\" breakId=\"b\($0)\"><vmap:AdSource id=\"s\($0)\"><vmap:AdTagURI templateType=\"vast4\">https://t/\($0)</vmap:AdTagURI></vmap:AdSource><vmap:TrackingEvents><vmap:Tracking event=\"breakStart\">https://t/b\($0)</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>"
        },
        vmap("repeated breaks", from: 20) {
            "<vmap:AdBreak timeOffset=\"\(clock($0))\" breakType=\"linear\" repeatAfter=\"00:00:10\"><vmap:AdSource><vmap:AdTagURI templateType=\"vast4\">https://t/\($0)</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>"
        },
    ]

    private static func clock(_ milliseconds: Int) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction = String(String(rest + 1_000).dropFirst())
        return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
    }

    private static func inLinear(
        _ name: String, from size: Int, _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        inAd(
            name, from: size, creatives: true,
            head: "<Creative><Linear><Duration>10:00:00</Duration><TrackingEvents>",
            tail: "</TrackingEvents></Linear></Creative>", unit)
    }

    private static func inAd(
        _ name: String, from size: Int, _ holder: String? = nil, creatives: Bool = false, head: String = "",
        tail: String = "", _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        let holder = creatives ? "Creatives" : holder
        let begin = "<Ad id=\"a\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>" + (holder.map { "<\($0)>" } ?? "")
        let end = (holder.map { "</\($0)>" } ?? "") + "</InLine></Ad>"
        return document(name, from: size, head: begin + head, unit) { tail + end }
    }

    private static func document(
        _ name: String, from size: Int, head: String = "", _ unit: @escaping @Sendable (Int) -> String,
        tail: @escaping @Sendable () -> String = { "" }
    ) -> GrowthCase {
        GrowthCase("VAST: \(name)", from: size) { size in
            let text = "<VAST version=\"4.2\">" + head + (0..<size).map(unit).joined() + tail() + "</VAST>"
            let bytes = Array(text.utf8)
            return { resolve(bytes) }
        }
    }

    private static func resolve(_ bytes: [UInt8]) {
        _ = VASTReader.read(bytes).findings()
        var resolution = WrapperResolution(tag: "https://t.example.test/", values: MacroValues(), seed: 1)
        let base = "https://t.example.test/"
        for fetch in resolution.start() {
            for wrapped in resolution.answered(fetch.id, with: .body(bytes, url: base)) {
                _ = resolution.answered(wrapped.id, with: .httpStatus(404))
            }
        }
        resolution.timedOut()
        let result = resolution.result
        for ad in result.ads {
            let frame = DecidedEvents.Frame(
                start: FedSession.start, creativeEnd: FedSession.start + .seconds(30), values: MacroValues())
            _ = DecidedEvents.events(of: TrackingPlan(ad), in: frame)
            for list in ad.companionAds {
                _ = CompanionSelection(of: list.value, for: [CompanionSlot(width: 300, height: 250)])
            }
        }
        _ = PodLayout(result, length: nil, player: .television)
    }

    private static func vmap(
        _ name: String, from size: Int, _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase("VMAP: \(name)", from: size) { size in
            let text =
                "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">"
                + (0..<size).map(unit).joined() + "</vmap:VMAP>"
            let bytes = Array(text.utf8)
            return {
                let reading = VASTReader.read(bytes)
                _ = reading.findings()
                if let document = reading.vmap { _ = VMAPSchedule(document, duration: 30_000_000) }
            }
        }
    }
}
