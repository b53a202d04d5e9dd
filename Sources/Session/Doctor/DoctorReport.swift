package import Ports

/// What `adtop doctor` found: a row for each step, and a verdict. Pure; the sentences are those of the card of a stream
/// that cannot be opened.
package struct DoctorReport: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        case good, warning, failed
        /// Not tried, because a rule forbids it.
        case notAllowed
    }

    /// Whose step it is.
    package enum Part: String, Sendable, CaseIterable {
        case stream, tracker
    }

    package struct Row: Sendable, Equatable {
        package var part: Part
        /// `name`, `connect`, `proxy`, `tls`, `session`, `multivariant playlist`, `media playlist`, `metadata`, `tracker`.
        package var step: String
        /// The host and port of a connection, or the URL of a request; unredacted.
        package var subject: String
        package var state: State
        /// What was found, as a clause.
        package var result: String
        /// Nil where nothing was tried.
        package var took: Duration?
        package var problem: OpeningProblem?
        /// What to change; nil where there is nothing.
        package var advice: String?

        fileprivate mutating func note(_ failure: HTTPFailure, _ text: String) {
            state = failure.kind == .addressNotAllowed ? .notAllowed : .failed
            result = text
            problem = OpeningProblem(HTTPExchange(failure: failure))
            advice = problem?.advice
        }
    }

    package enum Verdict: String, Sendable, CaseIterable {
        /// Everything can be reached.
        case reachable
        /// The stream opens; its metadata or a tracker's host has a problem.
        case limited
        case unreachable
    }

    package private(set) var rows: [Row] = []
    /// Whether a media playlist was read.
    private var isOpen = false
    private var hasMetadata = false
    /// The rows whose answer is a document where a session was asked for.
    private var documents: [Int] = []
    /// Hosts of trackers, and those beyond the limit.
    private var trackers: (tried: Int, failed: Int, omitted: Int) = (0, 0, 0)

    /// What requests carry of what the user gave.
    private let additions: [RequestAddition]

    package init(additions: [RequestAddition] = []) {
        self.additions = additions
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.rows == right.rows && left.isOpen == right.isOpen && left.trackers == right.trackers
    }

    /// A connection to a host of the stream was tried: a row for each step.
    package mutating func note(_ course: ConnectionCourse, to url: WebURL) {
        for stage in course.stages {
            var row = Row(
                part: .stream, step: stage.step.rawValue, subject: Self.place(url), state: .good,
                result: stage.found, took: stage.took)
            if let failure = stage.failure { row.note(failure, failure.message) }
            if stage.step == .tls, course.isUnverified { row.state = .warning }
            rows.append(row)
        }
    }

    /// A connection to the host of a tracker was tried: one row. No request was sent.
    package mutating func noteTracker(_ course: ConnectionCourse, to url: WebURL) {
        let found = course.stages.filter { $0.step != .connect }.map(\.found).filter { !$0.isEmpty }
        var row = Row(
            part: .tracker, step: "tracker", subject: Self.place(url), state: course.isUnverified ? .warning : .good,
            result: found.joined(separator: ", "), took: course.stages.map(\.took).reduce(.zero, +))
        if let stage = course.stages.first(where: { $0.failure != nil }), let failure = stage.failure {
            row.note(failure, "\(stage.step.rawValue): \(failure.message)")
        }
        rows.append(row)
        noteTracker(hasFailed: course.failure != nil)
    }

    private static func place(_ url: WebURL) -> String {
        AddressOverrides.Endpoint(host: url.host, port: url.port).text
    }

    /// A tracker's host was not tried: `--allow-host` does not name it.
    package mutating func noteForbidden(_ url: WebURL) {
        rows.append(
            Row(
                part: .tracker, step: "tracker", subject: Self.place(url), state: .notAllowed,
                result: "not connected: --allow-host does not name it",
                advice: "Beacons go only to the hosts of --allow-host; add --allow-host \(url.host)."))
        noteTracker(hasFailed: true)
    }

    private mutating func noteTracker(hasFailed: Bool) {
        trackers.tried += 1
        if hasFailed { trackers.failed += 1 }
    }

    /// A request was answered.
    package mutating func note(_ answer: Examination.Answer) {
        let exchange = answer.exchange
        var row = Row(
            part: .stream, step: Self.step(answer), subject: answer.request.url.text, state: .good,
            result: Self.result(exchange), took: .microseconds(exchange.timings.total))
        if answer.purpose == .sessionInit, Self.isDocument(exchange) { documents.append(rows.count) }
        if answer.request.method != .get { row.step += " (\(answer.request.method.rawValue))" }
        if let problem = Self.problem(answer) {
            row.state = problem == .notAllowed ? .notAllowed : .failed
            (row.problem, row.advice) = (problem, problem.advice(of: row.subject, with: additions))
        }
        rows.append(row)
    }

    /// The requests are complete.
    /// - Parameters:
    ///   - isOpen: a media playlist was read.
    ///   - metadata: nil where none was requested.
    ///   - problem: what the session could not do, for a failure that no answer shows.
    package mutating func conclude(isOpen: Bool, metadata: Examination.Metadata?, problem: String?) {
        self.isOpen = isOpen
        hasMetadata = metadata == .good
        for index in rows.indices where rows[index].part == .stream {
            // A stream without a session of its own rejects the request for one, and plays.
            if isOpen, rows[index].step.hasPrefix("session"), rows[index].state == .failed {
                (rows[index].state, rows[index].advice) = (.warning, nil)
            }
            guard rows[index].step.hasPrefix("metadata"), let metadata, metadata != .good else { continue }
            if rows[index].state == .good { rows[index].result += ", not ad metadata" }
            if metadata == .guessed {
                (rows[index].state, rows[index].advice) = (.warning, nil)
                rows[index].result += " (its URL is a guess: the stream names none)"
            } else if rows[index].state == .good {
                (rows[index].state, rows[index].advice) = (.failed, problem.map { "\($0)." })
            }
        }
        if !isOpen { explainAnswers() }
        if !isOpen, let problem, !rows.contains(where: { $0.state == .failed || $0.state == .notAllowed }) {
            rows.append(
                Row(part: .stream, step: "playlist", subject: "", state: .failed, result: problem))
        }
    }

    /// Names what was answered instead of a playlist or a session.
    private mutating func explainAnswers() {
        // A playlist is requested once there is a session.
        if !rows.contains(where: { $0.step.hasSuffix("playlist") }) {
            for index in documents {
                rows[index].state = .failed
                (rows[index].problem, rows[index].advice) = (.json, OpeningProblem.json.advice)
            }
        }
        for index in rows.indices {
            if let found = rows[index].problem?.found { rows[index].result += ", \(found)" }
        }
    }

    /// So many hosts of trackers are beyond the limit.
    package mutating func noteOmitted(_ count: Int) { trackers.omitted = count }

    private static func step(_ answer: Examination.Answer) -> String {
        switch answer.purpose {
        case .multivariant, .mediaPlaylist:
            let isMultivariant = answer.exchange.body.prefix(1 << 16).firstRange(of: Array("#EXT-X-STREAM-INF".utf8))
            return isMultivariant == nil ? "media playlist" : "multivariant playlist"
        default: return answer.purpose.name
        }
    }

    /// `200 application/json, 1 redirect` or the failure.
    private static func result(_ exchange: HTTPExchange) -> String {
        if let failure = exchange.failure { return failure.message }
        guard let status = exchange.status else { return "no answer" }
        var text = "\(status)"
        if let type = exchange.contentType { text += " \(type)" }
        let redirects = exchange.hops.count - 1
        if redirects > 0, let last = exchange.finalURL.flatMap({ try? WebURL($0) }) {
            text += ", \(redirects) redirect\(redirects == 1 ? "" : "s"), to \(last.host)"
        }
        return text
    }

    /// A document opens a session, and metadata is one.
    private static func problem(_ answer: Examination.Answer) -> OpeningProblem? {
        switch answer.purpose {
        case .sessionInit: isDocument(answer.exchange) ? nil : OpeningProblem(answer.exchange)
        // The session judges what it reads.
        case .metadata: answer.exchange.isSuccess ? nil : OpeningProblem(answer.exchange)
        default: OpeningProblem(answer.exchange)
        }
    }

    private static func isDocument(_ exchange: HTTPExchange) -> Bool {
        exchange.isSuccess && exchange.body.first { $0 > 0x20 } == UInt8(ascii: "{")
    }

    package var verdict: Verdict {
        guard isOpen else { return .unreachable }
        let hasProblem = rows.contains { $0.state == .failed || $0.state == .notAllowed }
        return hasProblem ? .limited : .reachable
    }

    /// The verdict as a sentence.
    package var sentence: String {
        switch verdict {
        case .unreachable:
            let first = rows.first { $0.part == .stream && ($0.state == .failed || $0.state == .notAllowed) }
            return "The stream cannot be opened: \(first.map { "\($0.step): \($0.result)" } ?? "no answer")."
        case .limited:
            let broken = rows.filter { $0.part == .stream && $0.state == .failed }
            var parts = broken.map { "\($0.step): \($0.result)" }
            if trackers.failed > 0 { parts.append("\(trackers.failed) of \(hosts) cannot be reached") }
            return "The stream opens, with limits: \(parts.joined(separator: "; "))."
        case .reachable:
            guard trackers.tried > 0 else {
                return hasMetadata
                    ? "The stream opens. Its metadata names no tracker now." : "The stream opens, without ad metadata."
            }
            return "The stream opens, and \(hosts) \(trackers.tried == 1 ? "accepts" : "accept") connections."
        }
    }

    private var hosts: String {
        let count = trackers.tried
        let more = trackers.omitted > 0 ? " (\(trackers.omitted) more were not tried)" : ""
        return "\(count) tracker host\(count == 1 ? "" : "s")\(more)"
    }

    /// Schema `adtop-doctor/1`. URLs are redacted.
    package func json(of url: WebURL) -> JSONValue {
        let list = rows.map { row -> JSONValue in
            [
                "part": .string(row.part.rawValue), "step": .string(row.step),
                "subject": .string(Redaction.url(row.subject)), "state": .string(row.state.rawValue),
                "result": .string(Redaction.text(row.result)), "tookUs": .optional(row.took?.inMicroseconds),
                "problem": .optional(row.problem?.rawValue), "advice": .optional(row.advice.map(Redaction.text)),
            ]
        }
        return [
            "schema": "adtop-doctor/1", "url": .string(Redaction.url(url.text)), "verdict": .string(verdict.rawValue),
            "sentence": .string(Redaction.text(sentence)), "rows": .array(list),
        ]
    }
}
