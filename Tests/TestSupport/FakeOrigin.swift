package import Ports

/// A live SSAI stream as text, computed from the time alone, in the place of a server.
package struct FakeOrigin: Sendable {
    /// The answer to a request, and its delay.
    package struct Reply: Sendable {
        package var exchange: HTTPExchange
        package var delay: Duration = .milliseconds(20)

        package init(exchange: HTTPExchange, delay: Duration = .milliseconds(20)) {
            (self.exchange, self.delay) = (exchange, delay)
        }
    }

    package struct Event: Sendable {
        package var name: String
        /// Offset from the start of the ad in milliseconds.
        package var offset: Int64
        package var duration: Int64 = 0
        package var urls: [String]

        package init(name: String, offset: Int64, duration: Int64 = 0, urls: [String]) {
            (self.name, self.offset, self.duration, self.urls) = (name, offset, duration, urls)
        }
    }

    package struct Ad: Sendable {
        package var id: String
        /// Offset from the start of the stream in milliseconds.
        package var start: Int64
        package var duration: Int64
        package var events: [Event]

        /// An ad with the usual events, one URL each.
        package init(_ id: String, start: Int64, duration: Int64, isUserDriven: Bool = false) {
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

    package struct Break: Sendable {
        package var id: String
        package var ads: [Ad]
        package var start: Int64 { ads.first?.start ?? 0 }
        package var duration: Int64 { ads.reduce(0) { $0 + $1.duration } }

        package init(id: String, ads: [Ad]) {
            (self.id, self.ads) = (id, ads)
        }
    }

    package static let base = "http://127.0.0.1:8080"
    /// Date of the first media.
    package static let start = UnixTime(milliseconds: 1_800_000_000_000)
    package static let segment: Int64 = 4_000

    package static func beacon(_ ad: String, _ event: String) -> String { "\(base)/b?ad=\(ad)&e=\(event)" }

    package var breaks: [Break] = []
    package var segmentsInWindow: Int64 = 8
    package var hasDates = true
    /// Whether the segment of a number has PROGRAM-DATE-TIME, in a stream with dates.
    package var isDated: @Sendable (_ segment: Int64) -> Bool = { _ in true }
    package var hasSession = true
    /// From the segment at `at` on, PROGRAM-DATE-TIME is off by `by`; metadata does not know. Milliseconds.
    package var dateStep: (at: Int64, by: Int64)?
    /// The segment from which on the dates are right again; nil where they stay off.
    package var dateStepEnd: Int64?
    /// Starts of segments with a discontinuity, beside those of the steps. Milliseconds.
    package var discontinuities: Set<Int64> = []
    /// Length of a complete stream in milliseconds; nil for live.
    package var vodDuration: Int64?
    /// Tags placed before the segments.
    package var tags: [String] = []
    /// Answers a request before the stream does; nil leaves it to the stream. The number counts the requests of that
    /// path from 0.
    package var override: (@Sendable (HTTPRequest, Moment, Int) -> Reply?)?

    package init(
        breaks: [Break] = [], segmentsInWindow: Int64 = 8, hasDates: Bool = true, hasSession: Bool = true,
        dateStep: (at: Int64, by: Int64)? = nil, vodDuration: Int64? = nil, tags: [String] = []
    ) {
        (self.breaks, self.segmentsInWindow) = (breaks, segmentsInWindow)
        (self.hasDates, self.hasSession, self.dateStep) = (hasDates, hasSession, dateStep)
        (self.vodDuration, self.tags) = (vodDuration, tags)
    }

    /// Media time by which a viewer who joins at the default position has played everything, plus a reserve.
    package var end: Int64 { breaks.map { $0.start + $0.duration }.max() ?? 0 }

    /// Every timed beacon once.
    package var plan: [String] {
        let timed = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        return breaks.flatMap(\.ads).flatMap(\.events).filter { timed.contains($0.name) }.flatMap(\.urls).sorted()
    }

    package func reply(to request: HTTPRequest, at now: Moment, count: Int) -> Reply {
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

    package func playlist(at now: Moment) -> String {
        let age = max(0, (now.wall - Self.start).inMilliseconds)
        let made = vodDuration.map { $0 / Self.segment } ?? age / Self.segment
        let first = vodDuration == nil ? max(0, made - segmentsInWindow) : 0
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if vodDuration != nil { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        for tag in tags { text += tag + "\n" }
        for number in first..<max(first, made) {
            if hasDates, isDated(number) {
                let media = number * Self.segment
                let isOver = dateStepEnd.map { media >= $0 } ?? false
                let step = dateStep.map { media >= $0.at && !isOver ? $0.by : 0 } ?? 0
                let isStep = media == dateStep?.at || media == dateStepEnd
                if isStep || discontinuities.contains(media) { text += "#EXT-X-DISCONTINUITY\n" }
                text += "#EXT-X-PROGRAM-DATE-TIME:\((Self.start + .milliseconds(media + step)).iso8601)\n"
            }
            text += "#EXTINF:4.000,\nseg\(number).ts\n"
        }
        return text + (vodDuration == nil ? "" : "#EXT-X-ENDLIST\n")
    }

    package func metadata(at now: Moment) -> String {
        let edge = vodDuration ?? (now.wall - Self.start).inMilliseconds
        let shown = breaks.filter { $0.start <= edge }
        return document(shown, from: edge - 600_000, to: edge + 60_000)
    }

    /// Its metadata lists no break before that time since the first media, in milliseconds.
    package mutating func listNothing(until late: Int64) {
        let stream = self
        override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata"), now.wall < FakeOrigin.start + .milliseconds(late) else {
                return nil
            }
            return FakeOrigin.text(
                stream.document([], from: 0, to: 1_000_000), type: "application/json", of: request)
        }
    }

    package func document(_ breaks: [Break], from: Int64, to: Int64) -> String {
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

    package static func text(_ text: String, type: String, of request: HTTPRequest, status: Int = 200) -> Reply {
        Reply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: [HTTPField("Content-Type", type)])],
                body: Array(text.utf8), timings: .init(wait: 15_000, total: 20_000)))
    }

    package static func status(_ status: Int, _ request: HTTPRequest, fields: [HTTPField] = []) -> Reply {
        Reply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: fields)], timings: .init(total: 20_000)))
    }

    package static func failure(_ kind: HTTPFailure.Kind, _ message: String, delay: Duration = .milliseconds(20))
        -> Reply
    {
        Reply(
            exchange: HTTPExchange(failure: HTTPFailure(kind, message), timings: .init(total: delay.inMicroseconds)),
            delay: delay)
    }
}
