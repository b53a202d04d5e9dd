import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A live session of Google DAI (PRV-44, PRV-45).
    static let dai: ProviderSamples = {
        let first = DAITexts.document(breaks: 1)
        let asked = "https://dai.google.com/linear/v1/hls/event/KEY/stream?iu=%2F1%2Fad"
        var samples = ProviderSamples(
            mediaURL: asked,
            opening: [
                HTTPExchange(
                    hops: [
                        HTTPExchange.Hop(
                            url: "https://dai.google.com/linear/v1/hls/event/KEY/stream", status: 201, fields: [])
                    ],
                    body: Array(DAITexts.opening().utf8))
            ],
            documents: (1...3).map { DAITexts.document(breaks: $0) }, empty: #"{"tags":{},"ads":{},"ad_breaks":{}}"#,
            truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("{\"ad\":", with: "{\"new\":[{}],\"ad\":")
                .replacing("{\"duration\":", with: "{\"new\":null,\"duration\":")
                .replacing("{\"tags\":", with: "{\"new\":1,\"tags\":"),
            hostile: MediaTailorTexts.values.flatMap(DAITexts.documents(with:)) + DAITexts.large,
            contentType: "application/json", accented: first.replacing("\"a0\"", with: "\"a0\u{E9}\""),
            growth: DAITexts.growth, paging: .none, rolling: DAITexts.rolling,
            distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
        samples.marks = (0..<3).flatMap(DAITexts.marks(ofBreak:))
        return samples
    }()
}

enum DAITexts {
    static let prefix = "https://dai.google.com/view/p/service/linear/stream/S/loc/ATL/network/1/event/KEY/media/"
    private static let names = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
    /// Letter, distance from the start of the break, and length of each ad of a break.
    private static let ads: [(name: String, start: Int, length: Int)] = [("a", 0, 15_000), ("c", 15_000, 10_000)]

    static func opening(_ more: String = "") -> String {
        #"{"stream_id":"S:ATL","stream_manifest":"https://dai.google.com/linear/hls/pa/event/KEY/stream/S:ATL/master.m3u8","#
            + #""media_verification_url":"\#(prefix)","metadata_url":"/linear/v1/pa/event/KEY/stream/S:ATL/metadata","#
            + #""polling_frequency":4\#(more)}"#
    }

    /// Breaks each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(breaks: Int) -> String {
        document(0..<breaks)
    }

    /// - Parameters:
    ///   - count: number of ads that are listed of each break.
    ///   - missing: an event that has no tag yet.
    private static func document(_ breaks: Range<Int>, ads count: Int = 2, without missing: String? = nil) -> String {
        let all = breaks.flatMap { number in ads.prefix(count).map { (number, $0) } }
        let tags = all.flatMap { number, ad in
            (names + ["progress"]).filter { $0 != missing }.map {
                #""google_\#(number)\#(ad.name)_\#($0)":{"ad":"\#(ad.name)\#(number)","ad_break_id":"b\#(number)","type":"\#($0)"}"#
            }
        }
        let listed = all.map { number, ad in
            #""\#(ad.name)\#(number)":{"duration":\#(ad.length / 1_000),"ad_break_id":"b\#(number)"}"#
        }
        let length = ads.prefix(count).reduce(0) { $0 + $1.length } / 1_000
        let entries = breaks.map {
            #""b\#($0)":{"duration":\#(length),"expected_duration":25,"ads":\#(count),"type":"mid"}"#
        }
        return
            #"{"tags":{\#(tags.joined(separator: ","))},"ads":{\#(listed.joined(separator: ","))},"ad_breaks":{\#(entries.joined(separator: ","))}}"#
    }

    /// The ids of a break, each at its place in ``ProviderSamples/dated``.
    static func marks(ofBreak number: Int) -> [MediaMark] {
        ads.flatMap { ad in
            names.enumerated().map { quarter, name in
                mark(
                    "google_\(number)\(ad.name)_\(name)_77",
                    at: 12_000 + number * 60_000 + ad.start + ad.length * quarter / 4)
            }
        }
    }

    static let growth = [document(0..<1, ads: 1, without: "thirdquartile"), document(breaks: 1)]

    /// The metadata of a day: most of it is of ads that the viewer does not see. Each document fills a good part of what is remembered.
    static let rolling = ProviderSamples.Rolling(
        polls: 64,
        document: { number in
            let unseen = (0..<1_800).map { "\(number)_\($0)" }
            let tags = unseen.map { #""google_x\#($0)_":{"ad":"x\#($0)","ad_break_id":"x\#($0)","type":"start"}"# }
            let ads = unseen.prefix(450).map { #""x\#($0)":{"duration":10,"ad_break_id":"x\#($0)"}"# }
            let breaks = unseen.prefix(100).map { #""x\#($0)":{"duration":10}"# }
            return document(number..<number + 2)
                .replacing(#"{"tags":{"#, with: #"{"tags":{\#(tags.joined(separator: ",")),"#)
                .replacing(#""ads":{"#, with: #""ads":{\#(ads.joined(separator: ",")),"#)
                .replacing(#""ad_breaks":{"#, with: #""ad_breaks":{\#(breaks.joined(separator: ",")),"#)
        },
        marks: { number in
            (number == 0 ? [0, 1] : [number + 1]).flatMap { number in
                let progress = (0..<450).map {
                    mark("google_\(number)a_progress_\($0)", at: 12_000 + number * 60_000 + $0)
                }
                return marks(ofBreak: number) + progress
            }
        })

    static func mark(_ text: String, at milliseconds: Int) -> MediaMark {
        MediaMark(
            TimedMetadata(at: .zero, .message(scheme: "urn:google:dai:2018", value: "", data: Array(text.utf8))),
            at: MediaMoment(UnixTime.second(0) + .milliseconds(Int64(milliseconds))))
    }

    static func documents(with value: String) -> [String] {
        let entry =
            #"{"ad":\#(value),"ad_break_id":\#(value),"type":\#(value),"duration":\#(value),"expected_duration":\#(value),"ads":\#(value),"position":\#(value),"slate":\#(value)}"#
        return [
            #"{"tags":\#(value),"ads":\#(value),"ad_breaks":\#(value)}"#,
            #"{"tags":{"hostile_":\#(entry),"other":\#(value)},"ads":{"x":\#(entry),"y":\#(value)},"ad_breaks":{"x":\#(entry)}}"#,
        ]
    }

    static let large: [String] = {
        let tags = (0..<30_000).map { #""t\#($0)":{"ad":"a","ad_break_id":"b","type":"start"}"# }.joined(separator: ",")
        let breaks = (0..<8_000).map { #""n\#($0)":{"duration":1}"# }.joined(separator: ",")
        return [#"{"tags":{\#(tags)}}"#, #"{"tags":{},"ad_breaks":{\#(breaks)}}"#]
    }()
}
