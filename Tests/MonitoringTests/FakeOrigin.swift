import Ports

/// A live SSAI stream as text, computed from the time alone, in the place of a server.
struct FakeOrigin: Sendable {
    /// The answer to a request, and its delay.
    struct Reply: Sendable {
        var exchange: HTTPExchange
        var delay: Duration = .milliseconds(20)
    }

    struct Event: Sendable {
        var name: String
        /// Offset from the start of the ad in milliseconds.
        var offset: Int64
        var duration: Int64 = 0
        var urls: [String]
    }

    struct Ad: Sendable {
        var id: String
        /// Offset from the start of the stream in milliseconds.
        var start: Int64
        var duration: Int64
        var events: [Event]

        /// An ad with the usual events, one URL each.
        init(_ id: String, start: Int64, duration: Int64, isUserDriven: Bool = false) {
            self.id = id
            self.start = start
            self.duration = duration
            let moments: [(String, Int64, Int64)] = [
                ("impression", 0, duration), ("start", 0, 0), ("firstQuartile", duration / 4, 0),
                ("midpoint", duration / 2, 0),
                ("thirdQuartile", duration * 3 / 4, 0), ("complete", duration, 0),
            ]
            events = moments.map { name, offset, length in
                Event(name: name, offset: offset, duration: length, urls: [FakeOrigin.beacon(id, name)])
            }
            guard isUserDriven else { return }
            for name in ["mute", "unmute", "pause", "resume"] {
                events.append(Event(name: name, offset: 0, duration: duration, urls: [FakeOrigin.beacon(id, name)]))
            }
        }
    }

    struct Break: Sendable {
        var id: String
        var ads: [Ad]
        var start: Int64 { ads.first?.start ?? 0 }
        var duration: Int64 { ads.reduce(0) { $0 + $1.duration } }
    }

    static let base = "http://127.0.0.1:8080"
    /// Date of the first media.
    static let start = UnixTime(milliseconds: 1_800_000_000_000)
    static let segment: Int64 = 4_000

    static func beacon(_ ad: String, _ event: String) -> String { "\(base)/b?ad=\(ad)&e=\(event)" }

    var breaks: [Break] = []
    var segmentsInWindow: Int64 = 8
    var hasDates = true
    var hasSession = true
    /// From the segment at `at` on, PROGRAM-DATE-TIME is off by `by`; metadata does not know. Milliseconds.
    var dateStep: (at: Int64, by: Int64)?
    /// Length of a complete stream in milliseconds; nil for live.
    var vodDuration: Int64?
    /// Tags placed before the segments.
    var tags: [String] = []
    /// Answers a request before the stream does; nil leaves it to the stream. The number counts the requests of that
    /// path from 0.
    var override: (@Sendable (HTTPRequest, Moment, Int) -> Reply?)?

    /// Media time by which a viewer who joins at the default position has played everything, plus a reserve.
    var end: Int64 { breaks.map { $0.start + $0.duration }.max() ?? 0 }

    /// Every timed beacon once.
    var plan: [String] {
        let timed = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        return breaks.flatMap(\.ads).flatMap(\.events).filter { timed.contains($0.name) }.flatMap(\.urls).sorted()
    }

    func reply(to request: HTTPRequest, at now: Moment, count: Int) -> Reply {
        if let reply = override?(request, now, count) { return reply }
        let path = request.url.path
        if path.hasSuffix("/b") { return Self.text("", type: "image/gif", of: request) }
        if path.hasSuffix("/metadata") {
            return hasSession
                ? Self.text(metadata(at: now), type: "application/json", of: request) : Self.status(404, request)
        }
        if request.url.query?.contains("initSession=true") == true, hasSession {
            let addresses = #"{"manifestUrl":"/s/index.m3u8?sessid=S1","trackingUrl":"/s/metadata?sessid=S1"}"#
            return Self.text(addresses, type: "application/json", of: request)
        }
        if request.method == .post { return Self.status(405, request) }
        if path.hasSuffix("/index.m3u8") {
            let text =
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360\nlow.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720\nhigh.m3u8\n"
            return Self.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        return Self.text(playlist(at: now), type: "application/vnd.apple.mpegurl", of: request)
    }

    func playlist(at now: Moment) -> String {
        let age = max(0, (now.wall - Self.start).inMilliseconds)
        let made = vodDuration.map { $0 / Self.segment } ?? age / Self.segment
        let first = vodDuration == nil ? max(0, made - segmentsInWindow) : 0
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if vodDuration != nil { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        for tag in tags { text += tag + "\n" }
        for number in first..<max(first, made) {
            if hasDates {
                let media = number * Self.segment
                let step = dateStep.map { media >= $0.at ? $0.by : 0 } ?? 0
                if let dateStep, media == dateStep.at { text += "#EXT-X-DISCONTINUITY\n" }
                text += "#EXT-X-PROGRAM-DATE-TIME:\((Self.start + .milliseconds(media + step)).iso8601)\n"
            }
            text += "#EXTINF:4.000,\nseg\(number).ts\n"
        }
        return text + (vodDuration == nil ? "" : "#EXT-X-ENDLIST\n")
    }

    func metadata(at now: Moment) -> String {
        let edge = vodDuration ?? (now.wall - Self.start).inMilliseconds
        let shown = breaks.filter { $0.start <= edge }
        return document(shown, from: edge - 600_000, to: edge + 60_000)
    }

    func document(_ breaks: [Break], from: Int64, to: Int64) -> String {
        func date(_ offset: Int64) -> String { String(Self.start.milliseconds + offset) }
        let nodes = breaks.map { adBreak -> String in
            let ads = adBreak.ads.map { ad -> String in
                let events = ad.events.map { event in
                    let urls = event.urls.map { "\"\($0)\"" }.joined(separator: ",")
                    return #"{"event":"\#(event.name)","startTime":\#(date(ad.start + event.offset)),"#
                        + #""duration":\#(event.duration),"signalingUrls":[\#(urls)]}"#
                }
                return #"{"id":"\#(ad.id)","startTime":\#(date(ad.start)),"duration":\#(ad.duration),"#
                    + #""clickThrough":"\#(Self.base)/landing?ad=\#(ad.id)","#
                    + #""trackingEvents":[\#(events.joined(separator: ","))]}"#
            }
            return #"{"id":"\#(adBreak.id)","startTime":\#(date(adBreak.start)),"duration":\#(adBreak.duration),"#
                + #""ads":[\#(ads.joined(separator: ","))]}"#
        }
        return
            #"{"dataRange":{"start":\#(date(from)),"end":\#(date(to))},"adBreaks":[\#(nodes.joined(separator: ","))]}"#
    }

    static func text(_ text: String, type: String, of request: HTTPRequest, status: Int = 200) -> Reply {
        Reply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: [HTTPField("Content-Type", type)])],
                body: Array(text.utf8), timings: .init(wait: 15_000, total: 20_000)))
    }

    static func status(_ status: Int, _ request: HTTPRequest, fields: [HTTPField] = []) -> Reply {
        Reply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: fields)], timings: .init(total: 20_000)))
    }

    static func failure(_ kind: HTTPFailure.Kind, _ message: String, delay: Duration = .milliseconds(20)) -> Reply {
        Reply(
            exchange: HTTPExchange(failure: HTTPFailure(kind, message), timings: .init(total: delay.inMicroseconds)),
            delay: delay)
    }
}
