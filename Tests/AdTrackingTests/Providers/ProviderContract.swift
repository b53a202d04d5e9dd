import AdTracking
import HLS
import Ports

/// What every provider promises a session, as checks that return what is wrong in words; nothing for one that keeps it.
struct ProviderContract: Sendable {
    /// Largest number of requests that open a session.
    static let openingRequests = 8
    /// Longest sentence that a person reads about a document that is none.
    static let longestExplanation = 200

    let make: @Sendable (ProviderOptions) -> any AdMetadataProvider
    let samples: ProviderSamples

    typealias Check = @Sendable (ProviderContract) -> [String]

    /// The checks by name.
    static let checks: [String: Check] = [
        "opening": { $0.opening() },
        "opening with bad answers": { $0.openingWithBadAnswers() },
        "resuming": { $0.resuming() },
        "documents": { $0.documents() },
        "the same document twice": { $0.sameDocumentTwice() },
        "bad documents": { $0.badDocuments() },
        "hostile documents": { $0.hostileDocuments() },
        "unknown members": { $0.unknownMembers() },
        "polls": { $0.polls() },
        "clocks": { $0.clocks() },
        "failed polls and older answers": { $0.disturbed() },
        "encodings": { $0.encodings() },
        "a break that grows": { $0.growth() },
        "pages": { $0.pages() },
        "memory": { $0.memory() },
        "lint": { $0.lint() },
    ]

    func provider(seed: UInt64 = 1) -> any AdMetadataProvider {
        guard let url = try? WebURL(samples.mediaURL) else { preconditionFailure("the sample's media URL is invalid") }
        return make(ProviderOptions(mediaURL: url, seed: seed))
    }

    // MARK: Opening

    /// A server that opens a session, as the samples have it.
    private func opening() -> [String] {
        var (provider, course) = (provider(), OpeningCourse(samples.mediaURL))
        let addresses = course.run(&provider) {
            samples.opening.indices.contains($0) ? samples.opening[$0] : .answer(404)
        }
        guard let addresses else { return course.problems + ["the sample's answers open no session"] }
        if !addresses.isRecognised { course.problems.append("its own session is not recognised") }
        return course.problems
    }

    /// Servers that answer with anything else, in any order: few requests, and an end that names the reason.
    private func openingWithBadAnswers() -> [String] {
        let bodies = Self.garbage + samples.opening.map { String(decoding: $0.body, as: UTF8.self) }
        var answers: [HTTPExchange] = [.answer(404), .answer(503), .failure(.timeout), HTTPExchange()]
        answers += bodies.map { .answer(200, $0, url: samples.mediaURL) } + samples.opening
        answers.append(
            HTTPExchange(
                hops: [
                    HTTPExchange.Hop(url: samples.mediaURL, status: 302, fields: []),
                    HTTPExchange.Hop(url: "https://other.example/x.m3u8", status: 200, fields: []),
                ], body: Array("#EXTM3U\n".utf8)))
        var problems: [String] = []
        for (index, answer) in answers.enumerated() {
            var (provider, course) = (provider(), OpeningCourse(samples.mediaURL))
            _ = course.run(&provider) { _ in answer }
            problems += course.problems.map { "answer \(index): \($0)" }
        }
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var (provider, course) = (provider(), OpeningCourse(samples.mediaURL))
            _ = course.run(&provider) { _ in answers[Int(random.next() % UInt64(answers.count))] }
            problems += course.problems.map { "seed \(seed): \($0)" }
        }
        return problems
    }

    /// A provider whose session is open.
    func opened(seed: UInt64 = 1) -> any AdMetadataProvider {
        var (provider, course) = (provider(seed: seed), OpeningCourse(samples.mediaURL))
        _ = course.run(&provider) { samples.opening.indices.contains($0) ? samples.opening[$0] : .answer(404) }
        if !samples.marks.isEmpty { provider.mediaRead(samples.marks, on: samples.stream) }
        return provider
    }

    /// A session that another process continues requests and reads what the one that opened it does.
    private func resuming() -> [String] {
        guard var successor = successor() else { return [] }
        var provider = opened()
        let now = Moment(wall: UnixTime(microseconds: 0), uptime: .seconds(10))
        provider.start(at: now)
        successor.start(at: now)
        let wanted = provider.request(on: samples.stream, at: now)
        guard wanted == successor.request(on: samples.stream, at: now) else {
            return ["a resumed session requests something else"]
        }
        // Answers that do not belong to the session, or too many of them, open none.
        let foreign = [[HTTPExchange.answer(404)], samples.opening + [.answer(200)]].contains { answers in
            var other = self.provider(seed: 3)
            return other.reopen(with: answers) != nil
        }
        if foreign { return ["answers of another session are taken for its own"] }
        return samples.documents.filter { read($0, by: &provider) != read($0, by: &successor) }
            .map { "a resumed session reads another document: \($0.prefix(80))" }
    }

    /// A provider that continues a session by the answers that opened it; nil for one that cannot.
    func successor() -> (any AdMetadataProvider)? {
        var (provider, course, answers) = (provider(), OpeningCourse(samples.mediaURL), [HTTPExchange]())
        let addresses = course.run(&provider) {
            answers.append(samples.opening.indices.contains($0) ? samples.opening[$0] : .answer(404))
            return answers[$0]
        }
        var successor = self.provider(seed: 2)
        guard let addresses, successor.reopen(with: answers) == addresses else { return nil }
        if !samples.marks.isEmpty { successor.mediaRead(samples.marks, on: samples.stream) }
        return successor
    }

    // MARK: Documents

    func read(
        _ text: String, on stream: StreamFacts? = nil, by provider: inout any AdMetadataProvider
    ) -> Result<DecodedMetadata, MetadataProblem> {
        read(Array(text.utf8), on: stream, by: &provider)
    }

    /// - Parameters:
    ///   - type: the content type of the answer; that of the samples if nil.
    ///   - stream: that of the samples if nil.
    func read(
        _ bytes: [UInt8], type: String? = nil, on stream: StreamFacts? = nil, by provider: inout any AdMetadataProvider
    ) -> Result<DecodedMetadata, MetadataProblem> {
        var answer = HTTPExchange.answer(200, url: samples.mediaURL, type: type ?? samples.contentType)
        answer.body = bytes
        do throws(MetadataProblem) {
            return .success(try provider.read(answer, on: stream ?? samples.stream))
        } catch {
            return .failure(error)
        }
    }

    private func documents() -> [String] {
        var (provider, problems) = (opened(), [String]())
        for (index, text) in (samples.documents + [samples.empty]).enumerated() {
            guard case .success(let document) = read(text, by: &provider) else {
                problems.append("document \(index) is not read")
                continue
            }
            let isEmpty = index == samples.documents.count
            if document.breaks.isEmpty != isEmpty {
                problems.append("document \(index): \(document.breaks.count) breaks")
            }
            let names = document.breaks.map(\.name)
            if names.contains(nil) || Set(names).count != names.count {
                problems.append("document \(index): breaks without an id of their own")
            }
            if document.breaks.contains(where: { $0.ads.contains { $0.name == nil } }) {
                problems.append("document \(index): ads without id")
            }
            if document.breaks.map(\.start) != document.breaks.map(\.start).sorted() {
                problems.append("document \(index): breaks are not in order")
            }
            guard index == 0 else { continue }
            let events = document.breaks.flatMap(\.ads).flatMap(\.events)
            if events.isEmpty || events.contains(where: \.urls.isEmpty) { problems.append("events without URLs") }
        }
        return problems
    }

    /// What is polled again changes nothing, by the same value and by that of another run: no beacon is sent twice.
    private func sameDocumentTwice() -> [String] {
        var (provider, problems) = (opened(), [String]())
        var viewer = AdViewer()
        var sent = 0
        for (index, text) in (samples.documents + samples.documents).enumerated() {
            var other = opened(seed: 2)
            let (first, again) = (read(text, by: &provider), read(text, by: &provider))
            if first != again { problems.append("document \(index) is read differently the second time") }
            if read(text, by: &other) != first {
                problems.append("document \(index) is read differently in another run")
            }
            guard case .success(let document) = first, case .success(let same) = again else { continue }
            viewer.metadata(document)
            viewer.play(document)
            let before = viewer.requests.count
            if viewer.metadata(same).merge.changesAnything {
                problems.append("document \(index) changes its own breaks")
            }
            viewer.play(same)
            if viewer.requests.count != before {
                problems.append("document \(index) sends new beacons the second time")
            }
            if index == samples.documents.count - 1 { sent = viewer.requests.count }
        }
        if sent == 0 { problems.append("no beacon was sent") }
        if viewer.requests.count != sent { problems.append("the documents send new beacons the second time") }
        if Set(viewer.requests).count != viewer.requests.count { problems.append("a beacon was sent twice") }
        return problems
    }

    /// What is no document in any dialect is an error that a person can read.
    private func badDocuments() -> [String] {
        var (provider, problems) = (opened(), [String]())
        for (index, text) in (Self.garbage + [samples.truncated]).enumerated() {
            switch read(text, by: &provider) {
            case .success: problems.append("bad document \(index) is read")
            case .failure(let problem): problems += Self.unreadable(problem).map { "bad document \(index): \($0)" }
            }
        }
        return problems
    }

    /// Nothing traps, limits hold, and a good document means the same afterwards.
    private func hostileDocuments() -> [String] {
        var (provider, problems) = (opened(), [String]())
        var fresh = opened()
        guard let good = samples.documents.first else { return ["no document"] }
        let expected = read(good, by: &fresh)
        for (index, bytes) in hostile(good).enumerated() {
            switch read(bytes, by: &provider) {
            case .failure(let problem): problems += Self.unreadable(problem).map { "hostile document \(index): \($0)" }
            case .success(let document):
                problems += Self.beyondLimits(document).map { "hostile document \(index): \($0)" }
                var viewer = AdViewer()
                let outcome = viewer.metadata(document)
                _ = provider.lint(document, outcome, viewer.tracker.book, on: samples.stream, at: viewer.now)
            }
            if index % 50 == 0, read(good, by: &provider) != expected {
                problems.append("a good document is read differently after hostile document \(index)")
            }
        }
        return problems
    }

    private func hostile(_ good: String) -> [[UInt8]] {
        let bytes = Array(good.utf8)
        let cut = stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)).map { Array(bytes[..<$0]) }
        let changed = (1...200 as ClosedRange<UInt64>).map { seed -> [UInt8] in
            var (random, bytes) = (SplitMix64(seed: seed), bytes)
            for _ in 0...(seed % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            return bytes
        }
        return (Self.garbage + Self.deep + samples.hostile).map { Array($0.utf8) } + cut + changed + [
            [0xFF, 0xFE, 0x00, 0xC3]
        ]
    }

    private func unknownMembers() -> [String] {
        var provider = opened()
        guard let good = samples.documents.first, good != samples.unknown else {
            return ["the sample has nothing unknown"]
        }
        guard case .success(let plain) = read(good, by: &provider),
            case .success(let document) = read(samples.unknown, by: &provider)
        else { return ["a document with unknown members is not read"] }
        var problems: [String] = []
        if document.dataRange != plain.dataRange || document.breaks.map(\.facts) != plain.breaks.map(\.facts) {
            problems.append("unknown members change the breaks")
        }
        let serious = document.findings.filter { $0.severity != .info }
        return problems + serious.map { "an unknown member is more than information: \($0.message)" }
    }

    // MARK: Lint

    /// Documents without a fault have no findings, each in its turn.
    private func lint() -> [String] {
        var (provider, problems) = (opened(), [String]())
        var viewer = AdViewer()
        // The clock is right: the newest segment is of now.
        let now = Moment(wall: samples.stream.timeline.window?.endDate ?? viewer.now.wall, uptime: .zero)
        for (index, text) in samples.documents.enumerated() {
            guard case .success(let document) = read(text, by: &provider) else {
                return ["document \(index) is not read"]
            }
            let outcome = viewer.metadata(document)
            let found = provider.lint(document, outcome, viewer.tracker.book, on: samples.stream, at: now)
            problems += (document.findings + found).map { "document \(index): \($0.rule) \($0.message)" }
        }
        let answer = HTTPExchange.answer(200, url: samples.mediaURL, type: samples.contentType)
        let expected = type(of: provider).contentType
        if expected != expected.lowercased() { problems.append("the content type is not in lower case") }
        problems += DeliveryLint.metadataAnswered(answer, problem: nil, expecting: expected).map(\.message)
        return problems
    }
}

// MARK: What is bad in any dialect

extension ProviderContract {
    /// Texts that no dialect has as documents.
    static let garbage = [
        "", " \r\n\t", "\u{FEFF}", "<!DOCTYPE html><html><body>Log in</body></html>", "\u{0}\u{0}\u{0}", "#EXTM3U\n",
        "{", "]",
        "nonsense", "\u{1B}[31mred", "<a>", "404 page not found",
    ]

    /// Nesting and length that a careless reader pays for with its stack or with its time.
    fileprivate static let deep = [
        String(repeating: "[", count: 200_000), String(repeating: #"{"a":"#, count: 50_000),
        String(repeating: "<a>", count: 50_000), "\"" + String(repeating: "x", count: 1_000_000),
        String(repeating: "9", count: 100_000), String(repeating: "\n", count: 100_000),
    ]

    /// Why a person cannot read the explanation.
    static func unreadable(_ problem: MetadataProblem) -> [String] {
        let text = problem.explanation
        if text.isEmpty { return ["the explanation is empty"] }
        if text.count > longestExplanation { return ["the explanation has \(text.count) characters"] }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            return ["the explanation has control characters"]
        }
        return []
    }

    fileprivate static func beyondLimits(_ document: DecodedMetadata) -> [String] {
        var problems: [String] = []
        if document.findings.count > DecodedMetadata.findingsKept + 1 {
            problems.append("\(document.findings.count) findings")
        }
        let events = document.breaks.flatMap(\.ads).flatMap(\.events)
        let urls = events.map(\.urls.count).max() ?? 0
        if urls > DecodedMetadata.urlsPerEvent { problems.append("\(urls) URLs in an event") }
        return problems
    }
}

extension AdBreak {
    /// What beacons depend on.
    fileprivate var facts: [String] {
        ["\(name ?? "-") \(start) \(duration)"]
            + ads.flatMap { ad in
                ["\(ad.name ?? "-") \(ad.start) \(ad.duration)"]
                    + ad.events.map { "\($0.type) \($0.start) \($0.duration) \($0.urls)" }
            }
    }
}

extension AdViewer {
    /// Plays everything that a document lists.
    mutating func play(_ document: DecodedMetadata) {
        guard let first = document.breaks.first, let end = document.breaks.map(\.plannedEnd).max() else { return }
        play(first.start.milliseconds - 1_000, end.milliseconds + 1_000)
    }
}
