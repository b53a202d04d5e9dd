import AdTracking
import Ports
import Testing
import VAST

/// Short VAST answers for tests.
enum Answer {
    /// An inline ad with one media file, and with the URLs `t/ID/EVENT` for its usual events.
    static func ad(
        _ id: String, seconds: Int, sequence: Int? = nil, linear: String = "", type: String = "video/mp4",
        expires: Int? = nil
    ) -> String {
        let names = ["creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "mute", "skip"]
        let tracking = names.map { "<Tracking event=\"\($0)\"><![CDATA[https://t.example/\(id)/\($0)]]></Tracking>" }
        return """
            <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>s</AdSystem>
            <AdTitle>\(id)</AdTitle><AdServingId>as-\(id)</AdServingId>\(expires.map { "<Expires>\($0)</Expires>" } ?? "")
            <Impression><![CDATA[https://t.example/\(id)/impression]]></Impression>
            <Error><![CDATA[https://t.example/\(id)/error?c=[ERRORCODE]]]></Error>
            <Creatives><Creative><UniversalAdId idRegistry="r">u-\(id)</UniversalAdId>
            <Linear\(linear)><Duration>00:00:\(seconds < 10 ? "0" : "")\(seconds)</Duration>
            <TrackingEvents>\(tracking.joined())</TrackingEvents>
            <MediaFiles><MediaFile delivery="progressive" type="\(type)" width="1280" height="720" bitrate="900">
            <![CDATA[https://m.example/\(id).mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>
            </InLine></Ad>
            """
    }

    static func vast(_ ads: String...) -> String {
        "<VAST version=\"4.2\">\(ads.joined())</VAST>"
    }

    /// The result of resolving a tag with this answer.
    static func resolved(_ text: String) -> ResolutionResult {
        var resolution = WrapperResolution(tag: "https://ads.example/tag", values: MacroValues(), seed: 1)
        for fetch in resolution.start() {
            _ = resolution.answered(fetch.id, with: .body(Array(text.utf8), url: fetch.url.text))
        }
        return resolution.result
    }

    static func layout(_ text: String, length: Duration?, age: Duration = .zero) -> PodLayout {
        PodLayout(resolved(text), length: length, player: .television, age: age)
    }
}

extension PodLayout {
    /// `id offset duration` in seconds.
    var placesText: [String] {
        places.map { "\($0.ad.ad.id ?? "?") \($0.offset.inSeconds) \($0.duration.inSeconds)" }
    }

    /// `id code`.
    var lossesText: [String] { losses.map { "\($0.ad.ad.id ?? "?") \($0.code)" } }
}
