import Ports

/// Texts for measuring, written for this purpose and not taken from a stream.
enum SampleTexts {
    /// 2027-01-01T00:00:00Z
    static let start = UnixTime(milliseconds: 1_798_761_600_000)

    /// A live media playlist of 4 s segments with a date on each; with 5,400 of them it is a six-hour window.
    static func playlist(segments: Int, first: Int = 0, dateRanges: Int = 0) -> [UInt8] {
        var text = head(first: first, version: 6)
        for index in first..<first + segments {
            text += dateRange(before: index, of: segments, count: dateRanges)
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date(of: index).iso8601)\n#EXTINF:4.000,\nseg-\(index).ts\n"
        }
        return Array(text.utf8)
    }

    /// The delta update of such a window: all but the last `listed` segments are skipped and every date range is present,
    /// as for a client that sends `_HLS_skip=YES`.
    static func deltaUpdate(segments: Int, first: Int, listed: Int, dateRanges: Int) -> [UInt8] {
        var text = head(first: first, version: 9)
        for index in first..<first + segments { text += dateRange(before: index, of: segments, count: dateRanges) }
        text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(segments - listed)\n"
        for index in first + segments - listed..<first + segments {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date(of: index).iso8601)\n#EXTINF:4.000,\nseg-\(index).ts\n"
        }
        return Array(text.utf8)
    }

    private static func head(first: Int, version: Int) -> String {
        "#EXTM3U\n#EXT-X-VERSION:\(version)\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"
            + "#EXT-X-MEDIA-SEQUENCE:\(first)\n"
    }

    private static func date(of index: Int) -> UnixTime { start + .seconds(4 * index) }

    private static func dateRange(before index: Int, of segments: Int, count: Int) -> String {
        guard count > 0, index % max(1, segments / count) == 0 else { return "" }
        return "#EXT-X-DATERANGE:ID=\"break-\(index)\",START-DATE=\"\(date(of: index).iso8601)\",PLANNED-DURATION=30.0,"
            + "SCTE35-OUT=0xFC302500000000000000FFF01405000012347FEFFE0034BC00FE00293C7D0001010000A7C6D5E4\n"
    }

    /// Ad metadata: breaks of two ads with eight timed and user events each, 24 kB per 10 breaks or so.
    static func metadata(breaks: Int, from first: Int = 0, every spacing: Int = 60) -> [UInt8] {
        let list = (first..<first + breaks).map { number -> JSONValue in
            let begin = start.milliseconds + Int64(number * spacing * 1_000)
            return [
                "id": .string("break-\(number)"), "startTime": .integer(begin), "duration": 30_000,
                "ads": .array((0..<2).map { ad(break: number, index: $0, start: begin + Int64($0) * 15_000) }),
            ]
        }
        let end = start.milliseconds + Int64((first + breaks) * spacing * 1_000)
        let document: JSONValue = [
            "dataRange": ["start": .integer(start.milliseconds), "end": .integer(end)], "adBreaks": .array(list),
        ]
        return Array(document.text().utf8)
    }

    /// Tracking data of MediaTailor: avails of two ads with eight events each, 5 kB per avail or so.
    static func tracking(avails: Int, every spacing: Int = 60) -> [UInt8] {
        let list = (0..<avails).map { number -> JSONValue in
            let begin = Int64(number * spacing)
            let date = (start + .seconds(begin)).iso8601
            return [
                "availId": .string("avail-\(number)"), "startTime": .string("PT\(begin)S"),
                "startTimeInSeconds": .integer(begin), "duration": "PT30S", "durationInSeconds": 30,
                "availProgramDateTime": .string(date), "adMarkerDuration": "PT30S", "nonLinearAdsList": [],
                "ads": .array((0..<2).map { tailored(avail: number, index: $0, start: begin + Int64($0) * 15) }),
            ]
        }
        let document: JSONValue = ["avails": .array(list), "nonLinearAvails": [], "nextToken": "dG9rZW4="]
        return Array(document.text().utf8)
    }

    private static func tailored(avail number: Int, index: Int, start: Int64) -> JSONValue {
        let names = [
            "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "mute", "pause",
        ]
        let events = names.enumerated().map { place, name -> JSONValue in
            [
                "eventId": .string("\(number)-\(index)-\(place)"), "eventType": .string(name),
                "startTime": .string("PT\(start)S"), "startTimeInSeconds": .integer(start + Int64(min(place, 5)) * 3),
                "duration": "PT0S", "durationInSeconds": 0,
                "beaconUrls": [
                    .string(
                        "https://ads.example.com/b?avail=\(number)&ad=\(index)&e=\(name)&cb=0123456789abcdef"
                            + "&campaign=spring-2027&sid=9f8e7d6c5b4a39281706f5e4d3c2b1")
                ],
            ]
        }
        return [
            "adId": .string("ad-\(number)-\(index)"), "startTime": .string("PT\(start)S"),
            "startTimeInSeconds": .integer(start), "duration": "PT15S", "durationInSeconds": 15,
            "creativeId": .string("creative-\(index)"), "adSystem": "DSP", "adTitle": "A title",
            "trackingEvents": .array(events),
        ]
    }

    private static func ad(break number: Int, index: Int, start: Int64) -> JSONValue {
        let points: [(String, Int64, Int64)] = [
            ("impression", 0, 15_000), ("start", 0, 0), ("firstQuartile", 3_750, 0), ("midpoint", 7_500, 0),
            ("thirdQuartile", 11_250, 0), ("complete", 15_000, 0), ("mute", 0, 15_000), ("pause", 0, 15_000),
        ]
        let events = points.map { event, offset, duration -> JSONValue in
            [
                "event": .string(event), "startTime": .integer(start + offset), "duration": .integer(duration),
                "signalingUrls": .array([
                    .string("https://ads.example.com/b?break=\(number)&ad=\(index)&e=\(event)&cb=0123456789abcdef")
                ]),
            ]
        }
        return [
            "id": .string("ad-\(number)-\(index)"), "startTime": .integer(start), "duration": 15_000,
            "trackingEvents": .array(events),
        ]
    }
}
