import AdTracking
import Ports
import Session
import TestSupport

/// An ad server beside a stream with markers, for tests of `--vast` and `--vmap`.
struct AdServer: Sendable {
    struct Marker: Sendable {
        /// Offset from the start of the stream in milliseconds; a multiple of the segment length.
        var start: Int64
        var duration: Int64
        /// End of the break; nil leaves it open until the IN tag.
        var isAnnounced = true
        /// When its IN tag comes, after its start; nil for the end of its duration.
        var endsAfter: Int64?
    }

    static let tag = FakeOrigin.base + "/ads/vast?p=[BREAKPOSITION]&d=[BREAKMAXDURATION]&m=[MEDIAPLAYHEAD]"

    var markers: [Marker] = []
    /// Whether a date range that starts by so many milliseconds later marks each break, too; nil for none.
    var rangesAfter: Int64?
    /// How long before its start a range is listed, and before its start is listed no more, in milliseconds.
    var (rangeLead, rangeGoes): (Int64, Int64?) = (0, nil)
    var hasTags = true
    /// Whether a live playlist has dates, and a complete one.
    var (hasDates, hasDatesWhenComplete) = (true, false)
    /// Where the dates of the stream step, and by how much, in milliseconds.
    var dateStep: (at: Int64, by: Int64)?
    /// Where they are right again; nil where they stay off.
    var dateStepEnd: Int64?
    /// Answers by the path below `/ads/`; the number counts the requests of that path.
    var answers: @Sendable (String, Int) -> String? = { _, _ in nil }
    /// What happens instead of an answer, by the same path.
    var failures: [String: FakeOrigin.Reply] = [:]
    var delay: Duration = .milliseconds(20)
    var vodDuration: Int64?

    /// A stream without metadata.
    func origin() -> FakeOrigin {
        var origin = FakeOrigin()
        origin.hasSession = false
        origin.vodDuration = vodDuration
        let server = self
        origin.override = { request, now, count in server.reply(to: request, at: now, count: count) }
        return origin
    }

    private func reply(to request: HTTPRequest, at now: Moment, count: Int) -> FakeOrigin.Reply? {
        let path = request.url.path
        if path.hasPrefix("/ads/") {
            if let failure = failures[String(path.dropFirst("/ads/".count))] { return failure }
            guard let text = answers(String(path.dropFirst("/ads/".count)), count) else {
                return FakeOrigin.status(404, request)
            }
            var reply = FakeOrigin.text(text, type: "application/xml", of: request)
            reply.delay = delay
            return reply
        }
        guard path.hasSuffix("/high.m3u8") else { return nil }
        return FakeOrigin.text(playlist(at: now), type: "application/vnd.apple.mpegurl", of: request)
    }

    /// The lines of the plain stream, with OUT and IN tags at their segments.
    private func playlist(at now: Moment) -> String {
        var origin = FakeOrigin()
        origin.vodDuration = vodDuration
        origin.hasDates = vodDuration == nil ? hasDates : hasDatesWhenComplete
        (origin.dateStep, origin.dateStepEnd) = (dateStep, dateStepEnd)
        let first =
            vodDuration == nil
            ? max(0, (now.wall - FakeOrigin.start).inMilliseconds / FakeOrigin.segment - origin.segmentsInWindow) : 0
        var number = first
        var lines: [Substring] = []
        for line in origin.playlist(at: now).split(separator: "\n") {
            if line.hasPrefix("#EXTINF") {
                lines += tags(before: number * FakeOrigin.segment)
                number += 1
            }
            lines.append(line)
            if line == "#EXTM3U" { lines += ranges(at: now) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func ranges(at now: Moment) -> [Substring] {
        guard let rangesAfter else { return [] }
        let time = (now.wall - FakeOrigin.start).inMilliseconds
        return markers.filter { marker in
            marker.start - rangeLead <= time && rangeGoes.map { time < marker.start - $0 } ?? true
        }.map { marker in
            let start = FakeOrigin.start + .milliseconds(marker.start + rangesAfter)
            return "#EXT-X-DATERANGE:ID=\"\(marker.start)\",START-DATE=\"\(start.iso8601)\",SCTE35-OUT=0xFC00"
        }
    }

    private func tags(before time: Int64) -> [Substring] {
        guard hasTags else { return [] }
        return markers.flatMap { marker -> [Substring] in
            if marker.start == time {
                return [marker.isAnnounced ? "#EXT-X-CUE-OUT:DURATION=\(marker.duration / 1_000)" : "#EXT-X-CUE-OUT"]
            }
            return marker.start + (marker.endsAfter ?? marker.duration) == time ? ["#EXT-X-CUE-IN"] : []
        }
    }

    // MARK: Documents

    static let usual = [
        "impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
    ]

    static func beacon(_ ad: String, _ event: String) -> String { "\(FakeOrigin.base)/b?ad=\(ad)&e=\(event)" }

    static func beacons(_ ads: String...) -> [String] { ads.flatMap { ad in usual.map { beacon(ad, $0) } } }

    /// An inline ad with the usual events.
    static func ad(_ id: String, seconds: Int, sequence: Int? = nil, type: String = "video/mp4") -> String {
        let tracking = usual.dropFirst().map { name in
            "<Tracking event=\"\(name)\"><![CDATA[\(beacon(id, name))]]></Tracking>"
        }
        return """
            <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>s</AdSystem>
            <AdTitle>Title \(id)</AdTitle><Impression><![CDATA[\(beacon(id, "impression"))]]></Impression>
            <Error><![CDATA[\(FakeOrigin.base)/b?ad=\(id)&c=[ERRORCODE]]]></Error>
            <Creatives><Creative><Linear skipoffset="00:00:03"><Duration>00:00:\(seconds < 10 ? "0" : "")\(seconds)</Duration>
            <TrackingEvents>\(tracking.joined())<Tracking event="skip"><![CDATA[\(beacon(id, "skip"))]]></Tracking>
            </TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="\(type)" width="1280" height="720">
            <![CDATA[https://m.example/\(id).mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>
            </InLine></Ad>
            """
    }

    static func vast(_ ads: String...) -> String { "<VAST version=\"4.2\">\(ads.joined())</VAST>" }

    static func noAd() -> String {
        "<VAST version=\"4.2\"><Error><![CDATA[\(FakeOrigin.base)/b?ad=none&c=[ERRORCODE]]]></Error></VAST>"
    }

    static func wrapper(to url: String) -> String {
        """
        <VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>s</AdSystem>
        <VASTAdTagURI><![CDATA[\(url)]]></VASTAdTagURI>
        <Error><![CDATA[\(FakeOrigin.base)/b?ad=w&c=[ERRORCODE]]]></Error>
        <Impression><![CDATA[\(beacon("w", "impression"))]]></Impression></Wrapper></Ad></VAST>
        """
    }
}

extension MonitorHarness {
    /// A viewer of the stream whose ads are requested from `source`.
    init(
        _ server: AdServer, _ source: DecisionSource = .vast(tag: AdServer.tag), joinAt: Int64 = 60_000,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws {
        try self.init(server.origin(), joinAt: joinAt) { configuration in
            configuration.provider = .none
            configuration.decision = source
            change(&configuration)
        }
    }

    /// Number of requests for tags and wrappers.
    var adRequests: [String] { requested.filter { $0.contains("/ads/") } }

    /// Beacons sent, except error beacons.
    var tracking: [String] { urls.filter { $0.contains("&e=") } }
    /// Error beacons sent, as `ad code`.
    var errorsTold: [String] {
        urls.filter { $0.contains("&c=") }.map { url in
            let parts = url.split(separator: "?").last?.split(separator: "&") ?? []
            return parts.map { $0.dropFirst($0.hasPrefix("ad=") ? 3 : 2) }.joined(separator: " ")
        }
    }
}
