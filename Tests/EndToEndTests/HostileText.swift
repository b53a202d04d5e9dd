import Foundation
import TestSupport

/// Text that would take control of a terminal, and documents that have it in their fields.
enum HostileText {
    /// Visible at the start of each hostile text: output with it has shown the text.
    static let mark = "zqx"
    /// A C1 control sequence and command, two bidirectional controls and a right-to-left mark.
    static let notASCII = "\u{9B}31m\u{9D}\u{202E}\u{2066}\u{200F}"
    /// The same with DEL.
    static let others = notASCII + "\u{7F}"
    /// ESC and OSC sequences, BEL and the others.
    static let argument = "\(mark)\u{1B}[31m\u{1B}]0;t\u{7}\(others)"
    /// The same with NUL.
    static let raw = argument + "\u{0}"

    /// The first scalar of the text that no output may have; tabs and line ends may. In `ansi`, colour sequences may be
    /// there, too.
    static func firstOffender(in text: String, isANSI: Bool = false) -> Unicode.Scalar? {
        let text = isANSI ? text.replacing(/\u{1B}\[[0-9;]*m/, with: "") : text
        return text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    /// A document with the hostile text for each `§`, as its format can carry it.
    static func document(_ template: String, name: String) -> String {
        switch name.split(separator: ".").last {
        case "json", "yaml": template.replacing("§", with: escaped)
        // XML 1.0 has no C0 controls.
        case "xml": template.replacing("§", with: mark + others)
        default: template.replacing("§", with: raw)
        }
    }

    /// As in a JSON string; YAML reads the same escapes.
    private static var escaped: String {
        raw.unicodeScalars.map { scalar in
            guard !(0x20..<0x7F).contains(scalar.value) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// A folder with hostile documents of each kind that a verb reads.
enum HostileFolder {
    static func make() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(metadata(at: Date(), port: 1), to: "metadata.json")
        for (name, template) in documents {
            try folder.write(HostileText.document(template, name: name), to: name)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.file("plugins/acme.py"))
        return folder
    }

    /// A document of the folder without the folder.
    static func text(of name: String) -> String { HostileText.document(documents[name] ?? "", name: name) }

    private static let documents: [String: String] = [
        "ad.xml": ad, "vmap.xml": schedule, "media.m3u8": media, "multi.m3u8": multivariant, "inter.m3u8": interstitial,
        "bid.json": bid, "tracking.json": tracking, "auction.json": auction, "native.json": native,
        "lineitems.json": lineItems,
        "plugins/a.json": manifest, "bad-plugins/a.json": #"{"identifier":"§","name":"§","type":"§"}"#,
        "plugins/acme.py": "#!/bin/sh\n", "steps.txt": "loaded\nopen https://x.example/§\n",
        "bid-only.json": #"{"id":"§","impid":"1","price":1,"language":"§","adomain":["§"],"adm":"x"}"#,
        "creative.html":
            "<script src='mraid.js'></script><script>mraid.open('https://x.example/§');</script><img src='http://§'>§",
        "theme.yaml": "name: \"§\"\n\"§\": \"§\"\n", "config.yaml": "theme: \"§\"\n\"§\": 1\n",
        "scenario.yaml": "name: \"§\"\n\"§\": \"§\"\n", "ads.yaml": ads,
        "options.txt": "a http://127.0.0.1:1/x poll=§\n",
        "names.txt": "a§ http://127.0.0.1:1/x\n",
    ]

    private static let ad = """
        <VAST version="4.2"><Ad id="§"><InLine><AdSystem version="§">§</AdSystem><AdTitle>§</AdTitle>
        <Error>https://t.example/e§</Error><Impression id="§">https://t.example/i§</Impression><Creatives>
        <Creative id="§" adId="§"><UniversalAdId idRegistry="§">§</UniversalAdId><Linear skipoffset="§">
        <Duration>00:00:20</Duration><AdParameters>§</AdParameters><TrackingEvents>
        <Tracking event="start">https://t.example/s§</Tracking><Tracking event="§">https://t.example/o</Tracking>
        <Tracking event="progress" offset="§">https://t.example/p</Tracking></TrackingEvents>
        <VideoClicks><ClickThrough>https://t.example/c§</ClickThrough></VideoClicks><MediaFiles>
        <MediaFile id="§" delivery="§" type="video/mp4" width="640" height="360" codec="§">https://m.example/a§.mp4
        </MediaFile></MediaFiles></Linear></Creative><Creative><CompanionAds><Companion id="§" width="300" height="250">
        <HTMLResource>§</HTMLResource><CompanionClickThrough>https://c.example/§</CompanionClickThrough></Companion>
        </CompanionAds></Creative></Creatives><Extensions><Extension type="§"><x y="§">§</x></Extension></Extensions>
        </InLine></Ad></VAST>
        """

    private static let schedule = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:AdBreak timeOffset="00:00:05" breakType="linear" breakId="§"><vmap:AdSource id="§">
        <vmap:AdTagURI templateType="§">https://t.example/§</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>
        <vmap:AdBreak timeOffset="§" breakType="§" breakId="§"/></vmap:VMAP>
        """

    private static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z
        #EXT-X-DATERANGE:ID="§",CLASS="§",START-DATE="2027-01-01T00:00:00Z",SCTE35-OUT=0xFC00,X-§="§"
        #EXT-X-KEY:METHOD=§,URI="§"
        #EXT-X-CUE-OUT:§
        #EXT-OATCLS-SCTE35:/AAZAAAAAAAAAP/wCP8bYxtbMzFtWAAAAAAAAA==
        #EXT-X-§:§
        #EXTINF:4,§
        a§.ts
        #EXTINF:§,
        b.ts
        #EXT-X-ENDLIST

        """

    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="§",NAME="§",LANGUAGE="§"
        #EXT-X-STREAM-INF:BANDWIDTH=§,CODECS="§",RESOLUTION=§,AUDIO="§§",PATHWAY-ID="§"
        v§.m3u8
        #EXT-X-SESSION-DATA:DATA-ID="§",VALUE="§"

        """

    private static let interstitial = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z
        #EXT-X-DATERANGE:ID="§",CLASS="com.apple.hls.interstitial",START-DATE="2027-01-01T00:00:02Z",\
        X-ASSET-URI="https://a.example/§.m3u8"
        #EXTINF:4,
        a.ts
        #EXT-X-ENDLIST

        """

    private static let bid = """
        {"id": "§", "cur": "USD", "seatbid": [{"seat": "§", "bid": [{"id": "§", "impid": "§", "price": 1.5,
         "adm": "<b>§</b>", "crid": "§", "cid": "§", "adomain": ["§"], "nurl": "https://n.example/§", "cat": ["IAB9§"],
         "language": "§", "bundle": "§", "w": 320, "h": 50, "ext": {"prebid": {"type": "banner",
         "targeting": {"hb_pb": "1.50§", "§": "§"},
         "cache": {"bids": {"url": "https://c.example/§", "cacheId": "§"}}}}}]}],
         "ext": {"errors": {"§": [{"code": 1, "message": "§"}]}, "responsetimemillis": {"§": 1}}}
        """

    private static let auction = """
        {"auctionId": "§", "placement": {"id": "§", "sizes": [[320, 50]], "floor": {"cpm": "0.50"}},
         "lineItems": [{"id": "§", "cpm": "0.20"}], "rtb": [{"bidder": "§", "latencyMs": 10, "response": {"id": "a",
         "seatbid": [{"seat": "§", "bid": [{"id": "§", "impid": "1", "price": 0.9, "crid": "§", "adomain": ["§"],
         "adm": "<b>§</b>"}]}]}}], "adapters": [{"adapterName": "§", "winningCreativeID": "§", "price": "1.20",
         "currency": "USD", "markup": "<b>§"}], "events": ["display", "click"]}
        """

    private static let native = """
        {"native": {"ver": "1.2", "link": {"url": "https://l.example/§", "clicktrackers": ["https://t.example/§"]},
         "assets": [{"id": 1, "title": {"text": "§"}}, {"id": 2, "img": {"url": "https://i.example/§", "type": 3}},
         {"id": 3, "data": {"type": 2, "value": "§"}}],
         "eventtrackers": [{"event": 1, "method": 1, "url": "https://t.example/§"}], "imptrackers": ["§"]}}
        """

    private static let lineItems = """
        {"schema": "adtop/lineitems/1", "currency": "USD", "lineItems": [
         {"id": "§", "name": "§", "priority": "ecpm", "cpm": "0.10", "keywords": ["hb_pb=§"]},
         {"id": "b§", "priority": "ecpm", "cpm": "0.33", "keywords": ["hb_pb=0.33"]}]}
        """

    private static let manifest = """
        {"identifier": "acme", "name": "§", "type": "advertisement", "api": {"executable": "acme.py", "protocol": 1,
         "capabilities": ["banner", "§"]}, "configuration_fields": [{"key": "§", "type": "text", "default": "§"}]}
        """

    private static let tracking = """
        {"avails": [{"availId": "§", "startTimeInSeconds": 12, "durationInSeconds": 15, "adMarkerDuration": "§",
         "availProgramDateTime": "§", "ads": [{"adId": "§", "creativeId": "§", "adTitle": "§", "§": "§",
         "startTimeInSeconds": 12, "startTime": "§", "durationInSeconds": 15, "duration": "§", "trackingEvents": [
         {"eventType": "start", "startTimeInSeconds": 12, "beaconUrls": ["https://t.example/§", "§"]},
         {"eventType": "§", "beaconUrls": ["https://t.example/o"]},
         {"eventType": "clickThrough", "beaconUrls": ["https://c.example/§"]}]}]}], "nonLinearAvails": [{"availId": "§",
         "startTimeInSeconds": 20, "nonLinearAdsList": [{"nonLinearAdList": [{"adId": "§", "clickThrough": "§"}]}]}],
         "nextToken": "§"}
        """

    /// Ads of a second each, for a minute from 50 s before `now`, whose beacons come to `port` on this machine.
    static func metadata(at now: Date, port: Int) -> String {
        let begin = Int(now.timeIntervalSince1970 * 1_000) - 50_000
        let ads = (0..<60).map { number in
            let start = begin + number * 1_000
            return """
                {"id": "§\(number)", "title": "§", "startTime": \(start), "duration": 1000, "clickThroughUrl": "§",
                 "trackingEvents": [
                  {"event": "impression", "startTime": \(start), "signalingUrls": [
                   "http://127.0.0.1:\(port)/b/\(number)", "http://127.0.0.1:\(port)/b/\(number)/§"]},
                  {"event": "§", "startTime": \(start), "signalingUrls": ["http://§/\(number)", "§"]}]}
                """
        }
        let text = """
            {"dataRange": {"start": \(begin), "end": \(begin + 60_000)}, "§": "§", "adBreaks": [
             {"id": "§", "startTime": \(begin), "duration": 60000, "ads": [\(ads.joined(separator: ","))]}]}
            """
        return HostileText.document(text, name: "metadata.json")
    }

    /// A scenario that runs.
    private static let ads = """
        name: ads
        summary: "§"
        stream: {segment: 2s, window: 60s}
        breaks: {every: 20s, first: 2s, pods: [[a]]}
        ads:
          a: {duration: 5.005s, display-id: "§", more-events: ["§"]}
        "§": 1

        """

    /// A live playlist that began a minute before `now`, with an open break.
    static func livePlaylist(at now: Date) -> String {
        let start = now.addingTimeInterval(-60).ISO8601Format()
        let segments = (0..<10).map { "#EXTINF:6,§\na\($0)§.ts\n" }.joined()
        let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(start)\n"
        let range = "#EXT-X-DATERANGE:ID=\"§\",CLASS=\"§\",START-DATE=\"\(start)\",SCTE35-OUT=0xFC00,X-A=\"§\"\n"
        return HostileText.document(head + range + segments, name: "live.m3u8")
    }

    /// The same with a marked break of 30 s soon after the place at which a viewer joins, and no other one.
    static func markedPlaylist(at now: Date) -> String {
        let start = now.addingTimeInterval(-60).ISO8601Format()
        let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(start)\n"
        let segments = (0..<10).map { "\($0 == 8 ? "#EXT-X-CUE-OUT:30\n" : "")#EXTINF:6,§\na\($0)§.ts\n" }.joined()
        return HostileText.document(head + segments, name: "marked.m3u8")
    }
}
