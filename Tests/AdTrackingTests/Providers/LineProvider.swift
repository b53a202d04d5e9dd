import AdTracking
import Ports
import VAST

/// A dialect that no server has, for testing the contract: the session is opened with POST, documents are lines of words and
/// end with the line `end`.
struct LineProvider: AdMetadataProvider {
    static let name = "line"
    static let contentType = "text/plain"

    /// A way to break the contract.
    enum Defect: CaseIterable, Sendable {
        case opensForEver, asksElsewhere, namesOtherHosts, failsWithoutReason, answersStrays
        case losesIDs, inventsIDs, addsURLs
        case readsGarbage, mumbles, rambles, remembersGarbage, keepsAllURLs
        case failsOnUnknown, warnsOfUnknown
        case startsEarly, pollsWithoutPause, pollsInParallel, ignoresPause, waitsForEver, endsPolling, looksElsewhere,
            idles
        case followsTheWall, losesAfterFailure
        case ignoresTheHeader, keepsTheFirstVersion, forgetsTheToken, insistsOnTheToken, countsRequests, remembersAll
        case complains

        /// The check that finds it.
        var check: String {
            switch self {
            case .namesOtherHosts: "opening"
            case .opensForEver, .asksElsewhere, .failsWithoutReason, .answersStrays: "opening with bad answers"
            case .losesIDs: "documents"
            case .inventsIDs, .addsURLs: "the same document twice"
            case .readsGarbage, .mumbles, .rambles: "bad documents"
            case .remembersGarbage, .keepsAllURLs: "hostile documents"
            case .failsOnUnknown, .warnsOfUnknown: "unknown members"
            case .startsEarly, .pollsWithoutPause, .pollsInParallel, .ignoresPause, .waitsForEver, .endsPolling,
                .looksElsewhere,
                .idles:
                "polls"
            case .followsTheWall: "clocks"
            case .losesAfterFailure: "failed polls and older answers"
            case .ignoresTheHeader: "encodings"
            case .keepsTheFirstVersion: "a break that grows"
            case .forgetsTheToken, .insistsOnTheToken, .countsRequests: "pages"
            case .remembersAll: "memory"
            case .complains: "lint"
            }
        }
    }

    private let options: ProviderOptions
    private let defect: Defect?
    private var metadataURL: WebURL?
    private var isOpening = false
    private var schedule: PollSchedule
    private var reads = 0
    private var documents = 0
    private var hasSeenGarbage = false
    private var hasFailed = false
    private var began: Moment?
    private var planned: Duration?
    /// The token of the newest document, and whether the server rejected one since.
    private var token: String?
    private var isRejected = false
    private var requests = 0
    private var firstVersions: [String: AdBreak] = [:]
    private var texts: [[UInt8]] = []
    /// Whether documents are requested after the first one.
    var isPolled = true

    init(_ options: ProviderOptions) {
        self.init(options, defect: nil)
    }

    init(_ options: ProviderOptions, defect: Defect?) {
        self.options = options
        self.defect = defect
        schedule = PollSchedule(interval: options.interval, seed: options.seed)
    }

    static func recognises(_ mediaURL: WebURL) -> Bool { mediaURL.path.hasSuffix(".lines") }
    static let summary = ProviderSummary(title: "Line", recognition: "the end of the path", supports: [])
    static func savedSession() -> any SavedSession { NoSavedAnswers() }
}

/// No answer of it is saved.
private struct NoSavedAnswers: SavedSession {
    let breaks: [ListedBreak] = []
    let findings: [Finding] = []

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        throw .other("is not saved")
    }
}

// MARK: Opening

extension LineProvider {
    private var elsewhere: WebURL {
        (try? WebURL("https://elsewhere.example/")) ?? options.mediaURL
    }

    mutating func open() -> OpeningStep {
        isOpening = true
        return .request(ProviderRequest(options.mediaURL, method: .post, body: Array("session".utf8)))
    }

    mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        guard isOpening || defect == .answersStrays else { return .failed(SessionInitFailure(steps: [])) }
        if defect == .opensForEver, !exchange.isSuccess { return .request(ProviderRequest(options.mediaURL)) }
        if defect == .asksElsewhere, exchange.status == 503 { return .request(ProviderRequest(elsewhere)) }
        isOpening = false
        let lines = String(decoding: exchange.body, as: UTF8.self).split(separator: "\n").map(String.init)
        guard exchange.status == 200, lines.count == 2, let manifest = try? WebURL(lines[0]),
            let metadata = try? WebURL(lines[1])
        else {
            if defect == .answersStrays { return .request(ProviderRequest(options.mediaURL)) }
            let step = SessionInitFailure.Step(name: "POST init", problem: "has no addresses")
            return .failed(SessionInitFailure(steps: defect == .failsWithoutReason ? [] : [step]))
        }
        metadataURL = metadata
        return .opened(
            SessionAddresses(
                manifestURL: defect == .namesOtherHosts ? elsewhere : manifest, metadataURL: metadata, path: .post,
                sessionID: nil, isRecognised: true))
    }
}

// MARK: Requests for documents

extension LineProvider {
    var pollInterval: Duration? { isPolled ? options.interval : nil }

    var nextPoll: NextPoll? {
        if !isPolled, documents > 0 { return NextPoll(at: nil, reason: .complete) }
        return due(with: defect).map { NextPoll(at: $0, reason: schedule.reason) }
    }

    /// Uptime of the next request with a defect.
    private func due(with defect: Defect?) -> Duration? {
        switch defect {
        case .startsEarly: schedule.nextPollAt ?? .zero
        case .pollsInParallel: planned ?? schedule.nextPollAt
        case .pollsWithoutPause: schedule.isInFlight ? nil : planned ?? schedule.nextPollAt
        default: schedule.nextPollAt
        }
    }

    mutating func start(at now: Moment) {
        began = now
        schedule.started(at: now)
    }

    mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let metadataURL, defect != .idles else { return nil }
        _ = schedule.shouldPoll(at: defect == .pollsWithoutPause ? now.advanced(by: .seconds(3_600)) : now)
        planned = now.uptime
        requests += 1
        var body = token.map { "from \($0)" } ?? ""
        if defect == .forgetsTheToken { body = "" }
        if defect == .countsRequests { body = "request \(requests)" }
        return ProviderRequest(
            defect == .looksElsewhere ? elsewhere : metadataURL, body: Array(body.utf8), timeout: schedule.timeout)
    }

    mutating func succeeded(at now: Moment) {
        documents += 1
        schedule.succeeded(at: defect == .followsTheWall ? byWall(now) : now)
    }

    /// The uptime as the wall clock has it.
    private func byWall(_ now: Moment) -> Moment {
        guard let began else { return now }
        return Moment(wall: now.wall, uptime: began.uptime + (now.wall - began.wall))
    }

    mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        hasFailed = true
        if defect == .endsPolling { return }
        let late = now.advanced(by: defect == .waitsForEver ? .seconds(3_600) : .zero)
        schedule.failed(
            retryAfter: defect == .ignoresPause ? nil : retryAfter, answered: exchange.fields["date"], at: late)
        guard exchange.status == 410, token != nil, defect != .insistsOnTheToken else { return }
        (token, isRejected) = (nil, true)
        schedule.started(at: now)
    }
}

// MARK: Documents

extension LineProvider {
    mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        reads += 1
        if defect == .remembersAll { texts.append(exchange.body) }
        let text = DecodedText(exchange.body, charset: defect == .ignoresTheHeader ? nil : exchange.charset)
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: " ")
        }
        guard lines.first == ["ads"], lines.last == ["end"] else {
            hasSeenGarbage = true
            if defect == .readsGarbage { return DecodedMetadata() }
            let clause = "is not a list of ads that ends with 'end'"
            throw .other(
                defect == .mumbles ? "" : defect == .rambles ? String(repeating: clause, count: 9) : clause)
        }
        token = lines.first { $0.first == "next" && $0.count == 2 }.map { String($0[1]) }
        var document = DecodedMetadata()
        document.keepsUnlisted = token != nil
        for line in lines.dropFirst().dropLast() { try take(line, &document) }
        document.breaks.sort { $0.start < $1.start }
        if defect == .keepsTheFirstVersion {
            for adBreak in document.breaks {
                firstVersions[adBreak.name ?? ""] = firstVersions[adBreak.name ?? ""] ?? adBreak
            }
            document.breaks = document.breaks.map { firstVersions[$0.name ?? ""] ?? $0 }
        }
        if defect == .remembersGarbage, hasSeenGarbage { document.breaks = [] }
        if defect == .losesAfterFailure, hasFailed { document.breaks = document.breaks.dropLast() }
        return document
    }

    private func take(_ words: [Substring], _ document: inout DecodedMetadata) throws(MetadataProblem) {
        let count = document.breaks.count
        let (start, length) = words.count == 4 ? (Int64(words[2]), Int64(words[3])) : (nil, nil)
        switch words.first {
        case "break" where words.count == 4:
            let name = defect == .losesIDs ? nil : "\(words[1])\(defect == .inventsIDs ? "\(reads)" : "")"
            guard let times = Self.times(start, length) else { return }
            document.breaks.append(AdBreak(name: name, start: times.start, duration: times.length))
        case "ad" where words.count == 4 && count > 0:
            guard let times = Self.times(start, length) else { return }
            document.breaks[count - 1].ads.append(
                Ad(name: String(words[1]), start: times.start, duration: times.length))
        case "event" where words.count > 3 && count > 0 && !document.breaks[count - 1].ads.isEmpty:
            guard let times = Self.times(Int64(words[2]), 0) else { return }
            var urls = words.dropFirst(3).map(String.init)
            if defect == .addsURLs { urls.append("https://t.example/\(reads)") }
            if defect != .keepsAllURLs { urls = Array(urls.prefix(DecodedMetadata.urlsPerEvent)) }
            let ad = document.breaks[count - 1].ads.count - 1
            document.breaks[count - 1].ads[ad].events.append(
                TrackingEvent(
                    type: EventType(name: String(words[1])), rawName: String(words[1]), start: times.start,
                    duration: .zero, urls: urls))
        case "next": break
        default:
            if defect == .failsOnUnknown { throw .other("has an unknown line") }
            guard document.findings.count < DecodedMetadata.findingsKept else { return }
            let rule = defect == .warnsOfUnknown ? LintRule.wrongType : .unknownKey
            document.findings.append(rule.finding("unknown line"))
        }
    }

    /// Nil when the milliseconds cannot be a date and a duration.
    private static func times(_ start: Int64?, _ length: Int64?) -> (start: UnixTime, length: Duration)? {
        let possible: ClosedRange<Int64> = 0...8_640_000_000_000_000
        guard let start, let length, possible.contains(start), possible.contains(length) else { return nil }
        return (UnixTime(milliseconds: start), .milliseconds(length))
    }

    mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        defer { isRejected = false }
        if isRejected { return [Finding(rule: "token", severity: .warning, message: "the token was rejected")] }
        return defect == .complains ? [LintRule.frozen.finding("frozen")] : []
    }
}

extension LineProvider {
    static let samples = ProviderSamples(
        mediaURL: "https://h.example/live.lines",
        opening: [
            .answer(200, "https://h.example/live.m3u8\nhttps://h.example/ads\n", url: "https://h.example/live.lines")
        ],
        documents: [document(breaks: 1), document(breaks: 2)], empty: "ads\nend\n",
        truncated: String(document(breaks: 1).dropLast(30)),
        unknown: document(breaks: 1).replacing("ad ", with: "new thing\nad "),
        hostile: [
            document(breaks: 1).replacing("20000", with: "9223372036854775807"),
            document(breaks: 1).replacing("20000", with: "99999999999999999999"),
            document(breaks: 1).replacing("15000", with: "-1"), "ads\nad\nevent\nbreak\nend",
            "ads\nbreak b 1 2\nad a 1 2\nevent start 1\(String(repeating: " https://t.example/", count: 5_000))\nend",
            "ads\n" + String(repeating: "new\n", count: 5_000) + "end",
        ],
        contentType: "text/plain; charset=utf-8",
        accented: document(breaks: 1).replacing("ad a0", with: "ad a0\u{E9}"),
        growth: [document([adBreak(0, ads: 0..<1, without: "start")]), document([adBreak(0, ads: 0..<2)])],
        paging: .tokens(pages), rolling: .init(document: { document([adBreak($0), adBreak($0 + 1)]) }),
        distances: .milliseconds(3_800)...(.milliseconds(18_000)))

    static let pages = ProviderSamples.Pages(
        pages: [
            ("t1", document([adBreak(0, ads: 0..<2)], next: "t1")),
            ("t2", document([adBreak(0, ads: 1..<2), adBreak(1)], next: "t2")),
            ("t3", document([adBreak(1)], next: "t3")),
        ], last: document([adBreak(1)]), rejection: 410, finding: "token")

    private static func document(breaks: Int) -> String { document((0..<breaks).map { adBreak($0) }) }

    private static func document(_ breaks: [String], next token: String? = nil) -> String {
        "ads\n\(breaks.joined(separator: "\n"))\n\(token.map { "next \($0)\n" } ?? "")end\n"
    }

    /// - Parameter missing: an event that is not listed yet.
    private static func adBreak(_ number: Int, ads: Range<Int> = 0..<1, without missing: String? = nil) -> String {
        let start = 20_000 + number * 60_000
        let lines = ads.flatMap { ad -> [String] in
            let (name, start) = ("\(["a", "c"][ad])\(number)", start + ad * 15_000)
            let events = [("start", start), ("complete", start + 15_000)].filter { $0.0 != missing }
            return ["ad \(name) \(start) 15000"]
                + events.map { "event \($0.0) \($0.1) https://t.example/\(name)/\($0.0)" }
        }
        return (["break b\(number) \(start) \(ads.upperBound * 15_000)"] + lines).joined(separator: "\n")
    }
}
