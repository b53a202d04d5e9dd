import Ports

@testable import Session

/// Creatives of ads: found through a chain of wrappers, or in the metadata alone.
enum CreativeSamples {
    static let inline = """
        <VAST version="4.2"><Ad id="8812"><InLine><AdSystem>dsp-9</AdSystem><AdTitle>brandx summer</AdTitle>\
        <Impression><![CDATA[https://px.example-ssp.io/i?sid=7f3a91c2&c=8812]]></Impression>\
        <Creatives><Creative><Linear><Duration>00:00:30</Duration><MediaFiles>\
        <MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="2000">\
        <![CDATA[https://cdn.example.net/a2/720.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>\
        </InLine></Ad></VAST>
        """

    /// Two wrappers, one of them slow, and an inline answer.
    static var chain: CreativeView {
        var view = CreativeView()
        view.facts = [.init("ad id", "8812"), .init("system", "dsp-9"), .init("title", "brandx summer")]
        view.hops = [
            hop(.wrapper, "https://ads.example.net/vast?sid=7f3a91c2&pos=mid&dur=60", depth: 0, 200, 48, 1_210),
            hop(.wrapper, "https://ssp.example-ssp.io/tag?w=1", depth: 1, 200, 512, 2_004),
            hop(.inline, "https://dsp.example-dsp.com/v?id=8812", depth: 2, 200, 31, 12_430),
        ]
        view.hops[1].redirects = 1
        view.hops[1].findings = [
            Finding(
                rule: "version-mismatch", severity: .warning,
                message: "a VAST 3.0 wrapper leads to a 4.2 document", line: 1, section: "VAST-2")
        ]
        view.hops[2].version = "4.2"
        view.hops[2].body = Array(inline.utf8)
        view.media = [
            media(.media, "720.mp4", 1_280, 720, 2_000, isChosen: true, "the highest bitrate up to 3000 kbit/s"),
            media(.media, "1080.mp4", 1_920, 1_080, 5_000, "bitrate above 3000 kbit/s"),
            media(.mezzanine, "mezz.mov", 3_840, 2_160, nil, "a source for transcoding, not for players"),
        ]
        view.companions = [companion(300, 250), companion(728, 90)]
        var icon = CreativeView.Icon(program: "AdChoices")
        (icon.width, icon.height, icon.position) = (60, 20, "right top")
        icon.resources = [.init("static image/png", "https://cdn.example.net/choices.png")]
        view.icons = [icon]
        var verification = CreativeView.Verification(vendor: "example-verify.net-omid")
        verification.resources = [.init("javascript omid", "https://m.example-verify.net/omid.js")]
        verification.parameters = "{\"c\":8812}"
        view.verifications = [verification]
        view.findings = [
            Finding(
                rule: "insecure-url", severity: .warning, message: "1080.mp4 is served over http", line: 14,
                section: "VAST-27")
        ]
        return view
    }

    /// The answer to the tag was unusable.
    static var failed: CreativeView {
        var view = CreativeView()
        view.hops = [
            hop(.wrapper, "https://ads.example.net/vast?pos=mid", depth: 0, 200, 48, 1_210),
            hop(.failed, "https://slow.example-dsp.com/v", depth: 1, nil, 5_000, nil),
        ]
        view.hops[1].problem = "no answer within 5.0s"
        view.hops[1].code = 301
        view.pixels = [.init(url: "https://ads.example.net/error?code=[ERRORCODE]", code: 301)]
        return view
    }

    /// The creative signals of an ad in the metadata.
    static var ofMetadata: CreativeView {
        var view = CreativeView()
        view.facts = [.init("system", "dsp-9")]
        view.companions = [companion(300, 250)]
        return view
    }

    private static func hop(
        _ outcome: CreativeView.Hop.Outcome, _ url: String, depth: Int, _ status: Int?, _ milliseconds: Int64,
        _ bytes: Int?
    ) -> CreativeView.Hop {
        var hop = CreativeView.Hop(outcome: outcome, url: url, depth: depth)
        hop.status = status
        hop.took = .milliseconds(milliseconds)
        hop.bytes = bytes
        hop.version = "3.0"
        return hop
    }

    private static func media(
        _ kind: CreativeView.Media.Kind, _ name: String, _ width: Int, _ height: Int, _ bitrate: Int?,
        isChosen: Bool = false, _ reason: String
    ) -> CreativeView.Media {
        var media = CreativeView.Media(
            kind: kind, url: "https://cdn.example.net/a2/\(name)", isChosen: isChosen, reason: reason)
        (media.width, media.height, media.bitrate) = (width, height, bitrate)
        media.type = name.hasSuffix("mp4") ? "video/mp4" : "video/quicktime"
        media.delivery = "progressive"
        return media
    }

    private static func companion(_ width: Int, _ height: Int) -> CreativeView.Companion {
        var companion = CreativeView.Companion(width: width, height: height)
        companion.slot = "side"
        companion.required = "any"
        companion.resources = [.init("static image/png", "https://cdn.example.net/a2/\(width)x\(height).png")]
        companion.clickThrough = "https://brandx.example/landing?utm_source=banner"
        return companion
    }
}
