import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A live session of Yospace (PRV-30 to PRV-33).
    static let yospace: ProviderSamples = {
        let first = YospaceTexts.document(breaks: 1)
        var samples = ProviderSamples(
            mediaURL: YospaceTexts.master,
            opening: [.answer(200, YospaceTexts.playlist, url: YospaceTexts.master)],
            documents: (1...3).map(YospaceTexts.document), empty: YospaceTexts.document(breaks: 0),
            truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("<Creatives>", with: "<New a=\"1\">2</New><Creatives>")
                .replacing("<vmap:AdSource>", with: "<New/><vmap:AdSource new=\"1\">"),
            hostile: VMAPTexts.values.flatMap(VMAPTexts.documents(with:)) + VMAPTexts.large,
            contentType: "text/xml", accented: first.replacing("\"a0\"", with: "\"a0\u{E9}\""),
            growth: YospaceTexts.growth, paging: .none,
            rolling: .init(document: YospaceTexts.window, marks: YospaceTexts.marks(ofWindow:)),
            distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
        samples.marks = (0..<3).flatMap(YospaceTexts.marks(ofBreak:))
        return samples
    }()
}

enum YospaceTexts {
    static let master = "https://csm.example/csm/live/ch1.m3u8;jsessionid=AB.1?token=9"
    static let playlist = """
        #EXTM3U
        #EXT-X-YOSPACE-ANALYTICS-URL:"https://csm-e.example/csm/analytics;jsessionid=AB.1?id=3"
        #EXT-X-STREAM-INF:BANDWIDTH=900000
        v0.m3u8

        """

    /// Breaks of one ad of 15 s and one of 10 s, without times.
    static func document(breaks: Int) -> String { document((0..<breaks).map { adBreak($0) }) }

    static func document(_ breaks: [String]) -> String {
        "<vmap:VMAP \(VMAPTexts.namespaces) xmlns:yospace=\"urn:y\">\(breaks.joined())</vmap:VMAP>"
    }

    static func adBreak(_ number: Int, more: String = "") -> String {
        let ads = [("a", 15), ("c", 10)].map { VMAPTexts.ad("\($0)\(number)", $1, media: "1_YO_\($0)\(number)") }
        return VMAPTexts.adBreak(at: "00:00:00", name: "b\(number)", ads: ads.joined(), more: more)
    }

    static let growth = [
        document([
            VMAPTexts.adBreak(
                at: "00:00:00", name: "b0", ads: VMAPTexts.ad("a0", 15, media: "1_YO_a0", without: "start"))
        ]), document(breaks: 1),
    ]

    @Sendable static func window(_ number: Int) -> String { document([adBreak(number), adBreak(number + 1)]) }

    @Sendable static func marks(ofWindow number: Int) -> [MediaMark] {
        (number == 0 ? [0, 1] : [number + 1]).flatMap(marks(ofBreak:))
    }

    /// The records of a break, which begins at second 12 of each minute.
    static func marks(ofBreak number: Int) -> [MediaMark] {
        [("a", 0, 15), ("c", 15, 10)].flatMap { name, start, length in
            let at = (12 + number * 60 + start) * 1_000
            return [
                mark("\(name)\(number)", "S", "1:3", at: at), mark("\(name)\(number)", "M", "2:3", at: at + 4_000),
                mark("\(name)\(number)", "E", "3:3", at: at + length * 1_000 - 500),
            ]
        }
    }

    static func mark(
        _ media: String, _ part: String, _ sequence: String, _ offset: String = "0.0", at milliseconds: Int
    ) -> MediaMark {
        mark("YMID=\(media),YTYP=\(part),YSEQ=\(sequence),YDUR=\(offset)", at: milliseconds)
    }

    static func mark(_ message: String, at milliseconds: Int) -> MediaMark {
        MediaMark(
            TimedMetadata(
                at: .zero, .message(scheme: "urn:yospace:a:id3:2016", value: "", data: Array(message.utf8))),
            at: MediaMoment(UnixTime.second(0) + .milliseconds(Int64(milliseconds))))
    }
}
