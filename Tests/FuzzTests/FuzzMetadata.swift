import HLS
import Ports

@testable import AdTracking

extension FuzzTarget {
    /// A parsed value can be written and parsed again with the same result; a separately parsed array equals the array
    /// in the document.
    static func readJSON(_ bytes: [UInt8]) {
        var earlier = JSONSplit.Text.none
        for text in texts(bytes) {
            var split = JSONSplit(arrayNamed: "a", after: earlier)
            let whole = Result { () throws(JSONProblem) in try JSONReader.read(text) }
            let parted = Result { () throws(JSONProblem) in try JSONReader.read(text, splitting: &split) }
            switch (whole, parted) {
            case (.failure(let problem), .failure(let other)):
                require(problem == other, "both parsers report the same problem")
            case (.success(let value), .success):
                // A number without a fraction is parsed as an integer, however it was written before.
                let written = value.text()
                require((try? JSONReader.read(written))?.text() == written, "written JSON is read unchanged")
                let array = value["a"]?.arrayValue
                require(split.elements.map(\.count) == array?.count, "both parsers read the same array")
                for (element, value) in zip(split.elements ?? [], array ?? []) {
                    if case .new(let read) = element { require(read == value, "both parsers read the same element") }
                }
                earlier = split.text(text) { _ in true }
            default: fatalError("only one parser accepts the text")
            }
        }
    }

    /// The polls of a session, with a restart before every third. The result of parsing a document does not depend on
    /// earlier ones; tracking stays bounded and requests each URL of a moment once.
    static func followMetadata(_ bytes: [UInt8]) {
        var decoder = MetadataDecoder()
        var course = TrackerCourse()
        for (index, text) in texts(bytes).enumerated() {
            if index % 3 == 2 { course.restart() }
            var fresh = MetadataDecoder()
            let alone = Result { () throws(MetadataProblem) in try fresh.decode(text) }
            let following = Result { () throws(MetadataProblem) in try decoder.decode(text) }
            require(alone == following, "a document is read independently of earlier ones")
            if case .success(let document) = following {
                _ = course.take(document, plays: document.dataRange, isAnswered: index % 2 == 0)
            }
        }
    }

    /// The pages of a MediaTailor session, with a restart before every third. The first byte selects who reports and whether
    /// the stream has dates. What is kept of a page is bounded, and so is tracking; the service's beacons are never claimed.
    static func followTrackingData(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let mode = MediaTailorMode.allCases[Int(choice >> 1) % MediaTailorMode.allCases.count]
        let stream = StreamFacts(timeline: timeline(hasDates: choice & 1 == 0))
        var provider = openedTailor(bytes, mode)
        var course = TrackerCourse()
        let range = DataRange(start: streamStart - .seconds(60), end: streamStart + .seconds(3_600))
        for (index, text) in texts(Array(bytes.dropFirst())).enumerated() {
            if index % 3 == 2 { course.restart() }
            let moment = Moment(wall: streamStart, uptime: .seconds(6 * index))
            _ = provider.request(on: stream, at: moment)
            let hop = HTTPExchange.Hop(url: trackingURL, status: 200, fields: [])
            let page = HTTPExchange(hops: [hop], body: text)
            guard let document = try? provider.read(page, on: stream) else {
                provider.failed(page, retryAfter: nil, at: moment)
                continue
            }
            provider.succeeded(at: moment)
            checkBounds(document)
            require((try? MediaTailorProvider.saved(text)) != nil, "a page that a session reads is a saved answer")
            let outcome = course.take(document, plays: range, isAnswered: index % 2 == 0)
            _ = provider.lint(document, outcome, course.book, on: stream, at: moment)
        }
    }

    static let streamStart = UnixTime(milliseconds: 1_800_000_000_000)
    private static let session = "/0123456789abcdef/channel"
    private static let trackingURL = "https://video.example/v1/tracking\(session)/s-1"

    /// A provider whose session is open: by an answer that names its addresses, after the whole input was one.
    private static func openedTailor(_ bytes: [UInt8], _ mode: MediaTailorMode) -> MediaTailorProvider {
        let reporting = mode == .client ? "" : "?aws.reportingMode=server"
        let text = "https://video.example/v1/session\(session)/index.m3u8\(reporting)"
        guard let url = try? WebURL(text) else { fatalError("the address is one") }
        let hop = HTTPExchange.Hop(url: text, status: 200, fields: [])
        var stranger = MediaTailorProvider(ProviderOptions(mediaURL: url))
        _ = stranger.open()
        _ = stranger.openingAnswered(HTTPExchange(hops: [hop], body: bytes))
        var provider = MediaTailorProvider(ProviderOptions(mediaURL: url))
        _ = provider.open()
        let answer = #"{"manifestUrl":"/v1/master\#(session)/index.m3u8","trackingUrl":"\#(trackingURL)"}"#
        _ = provider.openingAnswered(HTTPExchange(hops: [hop], body: Array(answer.utf8)))
        provider.start(at: Moment(wall: streamStart, uptime: .zero))
        return provider
    }

    /// Ten minutes of segments; second 0 is the first.
    static func timeline(hasDates: Bool) -> Timeline {
        let date = hasDates ? "#EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:00Z\n" : ""
        let segments = (0..<100).map { "#EXTINF:6,\na\($0).ts\n" }.joined()
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(date)\(segments)"
        let parsed = PlaylistParser.parse(Array(text.utf8), uri: "https://video.example/v1/manifest/0.m3u8")
        var follower = PlaylistFollower()
        _ = follower.noteParsed(parsed, ReloadExchange(requested: Moment(wall: streamStart, uptime: .zero)))
        return follower.timeline
    }

    /// A document has no more than is kept.
    static func checkBounds(_ document: DecodedMetadata) {
        let ads = document.breaks.flatMap(\.ads)
        require(document.breaks.count <= ListedAnswer.breakLimit, "breaks are bounded")
        require(ads.count <= ListedAnswer.adLimit, "ads are bounded")
        require(document.findings.count <= DecodedMetadata.findingsKept, "findings are bounded")
        let events = ads.flatMap(\.events)
        require(events.allSatisfy { $0.urls.count <= DecodedMetadata.urlsPerEvent }, "URLs are bounded")
        let pairs = zip(document.breaks, document.breaks.dropFirst())
        require(pairs.allSatisfy { $0.start <= $1.start }, "breaks are in order")
    }
}

/// A viewer who plays everything that a document covers, with a journal that survives restarts.
struct TrackerCourse {
    private var tracker = Self.tracker()
    /// The breaks that are known.
    var book: BreakBook { tracker.book }
    private var journal: [URLKey: RestoredBeacon] = [:]
    /// Number of claims.
    private var claimed: [Place: Int] = [:]
    /// The most often that one document listed a beacon: what it lists side by side is sent once for each.
    private var listed: [Beacon: Int] = [:]
    private var polls = 0
    /// The breaks that date ranges signal, by name.
    private var signaled: [String: AdBreak] = [:]
    private var differences = SignaledDifferences()

    private struct Beacon: Hashable {
        var type: String
        var url: String
    }

    /// The key of a claim, which does not depend on the ids of ad and break (docs/adr/0017).
    private struct Place: Hashable {
        var beacon: Beacon
        var start: UnixTime

        init(_ key: URLKey) {
            (beacon, start) = (Beacon(type: key.event.type, url: key.url), key.event.start)
        }
    }

    private static func tracker() -> AdTracker { AdTracker(AdTracker.Settings(sessionID: "fuzz", mode: .fire)) }

    mutating func restart() {
        tracker = Self.tracker()
        signaled = [:]
        differences = SignaledDifferences()
        tracker.restored(Array(journal.values))
    }

    mutating func take(_ document: DecodedMetadata, plays range: DataRange?, isAnswered: Bool) -> AdTracker.Outcome {
        polls += 1
        count(document.breaks)
        let now = self.now
        let outcome = tracker.metadataArrived(document, at: now)
        var effects = outcome.effects
        if let range { effects += play(range) }
        carryOut(effects, isAnswered: isAnswered)
        return outcome
    }

    /// What a playlist changed of the breaks that its date ranges signal.
    mutating func take(_ change: SignaledRanges.Change, plays range: DataRange, isAnswered: Bool) {
        polls += 1
        for name in change.withdrawn { signaled[name] = nil }
        for adBreak in change.placed { signaled[adBreak.name ?? ""] = adBreak }
        count(Array(signaled.values))
        tracker.forgotSignaled(change.forgotten)
        var effects = tracker.placed(change.placed, by: .signaling, at: now).effects
        effects += tracker.withdrawn(change.withdrawn, by: .signaling, at: now).effects
        _ = differences.findings(in: tracker)
        carryOut(effects + play(range), isAnswered: isAnswered)
    }

    private var now: Moment {
        Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(4 * polls))
    }

    private mutating func play(_ range: DataRange) -> [LedgerEffect] {
        tracker.played(PlayedStretch(from: range.start, through: range.end), at: now).effects
    }

    private mutating func carryOut(_ effects: [LedgerEffect], isAnswered: Bool) {
        FuzzTarget.require(tracker.book.nodeCount <= BreakBook.nodeLimit, "the book is bounded")
        for case .writeClaims(let claims) in effects { write(claims, isAnswered: isAnswered, at: now) }
    }

    private mutating func count(_ breaks: [AdBreak]) {
        var counts: [Beacon: Int] = [:]
        for event in breaks.flatMap(\.ads).flatMap(\.events) {
            for url in Set(event.urls) { counts[Beacon(type: event.type.rawValue, url: url), default: 0] += 1 }
        }
        listed.merge(counts) { max($0, $1) }
    }

    private mutating func write(_ claims: [ClaimRecord], isAnswered: Bool, at now: Moment) {
        for claim in claims {
            let outcome = isAnswered ? DeliveryState.acknowledged : nil
            let beacon = RestoredBeacon(key: claim.key, round: claim.round, attempt: claim.attempt, outcome: outcome)
            let place = Place(claim.key)
            claimed[place, default: 0] += 1
            FuzzTarget.require(
                claimed[place, default: 0] <= listed[place.beacon, default: 1], "a URL of a moment is claimed once")
            journal[claim.key] = beacon
        }
        let effects = tracker.claimsWritten(claims.map(\.id), at: now).effects
        guard isAnswered else { return }
        for case .send(let orders) in effects {
            for order in orders {
                let hop = HTTPExchange.Hop(url: order.url.text, status: 204, fields: [])
                _ = tracker.answered(order.claim, HTTPExchange(hops: [hop]), at: now)
            }
        }
    }
}
