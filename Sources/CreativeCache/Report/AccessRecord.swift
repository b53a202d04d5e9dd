package import Ports

/// One answered request in the access log (CACHE-4), with only the first part of an id.
package struct AccessRecord: Hashable, Sendable {
    /// Characters of an id in the log; the complete id would grant access to the creative.
    package static let idLength = 8
    /// Most characters of any other text from outside.
    private static let textLength = 80

    package var at: UnixTime
    package var method: String
    /// The start of the id, `cache`, `status`, or the start of any other target.
    package var subject: String
    package var status: Int
    /// Bytes of the body sent.
    package var bytes: Int
    package var microseconds: Int64
    package var origin: String?
    package var isSecure: Bool
    /// Why the request was rejected; nil when it was not.
    package var reason: String?

    /// The record of a parsed request.
    package init(
        _ request: LoopbackRequest, _ answer: LoopbackAnswer, at: UnixTime, took: Duration, isSecure: Bool
    ) {
        self.at = at
        method = Self.logged(request.method.uppercased(), most: Self.idLength)
        let path = request.target.prefix { $0 != "?" }
        subject =
            if let id = LoopbackResponder.creative(wantedBy: request) {
                String(id.text.prefix(Self.idLength))
            } else {
                Self.logged(path.hasPrefix("/") ? path.dropFirst() : path, most: Self.idLength)
            }
        status = answer.status
        bytes = answer.omitsBody ? 0 : answer.body.count
        microseconds = took.inMicroseconds
        origin = request.fields["origin"].map { Self.logged($0, most: Self.textLength) }
        self.isSecure = isSecure
        reason =
            switch answer.status {
            case 403 where answer.body.elementsEqual(LoopbackRefusal.foreignHost.text.utf8):
                request.fields["host"].map { "host \(Self.logged($0, most: Self.textLength))" } ?? "no host"
            case 403, 400: String(decoding: answer.body.prefix(Self.textLength), as: UTF8.self).lowercased()
            default: nil
            }
    }

    /// A text from outside without what would end its field or its line: of each byte that is a blank, a control or beyond ASCII there is
    /// the escape (`%20`).
    private static func logged(_ text: some StringProtocol, most limit: Int) -> String {
        var logged = ""
        for byte in text.utf8.prefix(limit) {
            let isPlain = byte > 0x20 && byte < 0x7F
            let part = isPlain ? String(UnicodeScalar(byte)) : byte.percentEncoded
            guard logged.utf8.count + part.utf8.count <= limit else { break }
            logged += part
        }
        return logged
    }

    /// Creates a record from stored values.
    package init(
        at: UnixTime, method: String, subject: String, status: Int, bytes: Int, microseconds: Int64, origin: String?,
        isSecure: Bool, reason: String?
    ) {
        self.at = at
        self.method = method
        self.subject = subject
        self.status = status
        self.bytes = bytes
        self.microseconds = microseconds
        self.origin = origin
        self.isSecure = isSecure
        self.reason = reason
    }

    /// The record of bytes that are not a request.
    package init(refused answer: LoopbackAnswer, at: UnixTime, isSecure: Bool) {
        self.at = at
        method = "?"
        subject = ""
        status = answer.status
        bytes = answer.body.count
        microseconds = 0
        origin = nil
        self.isSecure = isSecure
        reason = String(decoding: answer.body, as: UTF8.self).lowercased()
    }

    /// The log line without the time: `GET 0a6f0a3e 200 20,480 B 130 us`.
    package var text: String {
        let parts = [
            "\(method) \(subject.isEmpty ? "/" : subject) \(status) \(bytes.grouped) B \(Int(clamping: microseconds).grouped) us",
            reason,
            origin.map { "from \($0)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}

/// Usage of the loopback server since its start.
package struct TrafficRecord: Hashable, Sendable {
    /// Most requests in the log.
    package static let logLength = 50
    /// Number of durations kept for percentiles.
    private static let sampleCount = 512

    package private(set) var requests = 0
    /// Requests that returned a creative.
    package private(set) var hits = 0
    /// Requests for a creative that does not exist.
    package private(set) var misses = 0
    /// Requests answered with 400, 403, 413 or 431.
    package private(set) var refused = 0
    package private(set) var bytesServed = 0
    /// The log, newest last.
    package private(set) var log: [AccessRecord] = []
    private var samples: [Int64] = []
    private var nextSample = 0

    package init() {}

    package mutating func note(_ record: AccessRecord) {
        requests = requests.addingSaturating(1)
        bytesServed = bytesServed.addingSaturating(record.bytes)
        switch record.status {
        case 200 where record.method == "GET" || record.method == "HEAD": hits = hits.addingSaturating(1)
        case 404: misses = misses.addingSaturating(1)
        case 400...: refused = refused.addingSaturating(1)
        default: break
        }
        // Removing the first element moves all others; removing half of the array at once makes that rare.
        if log.count >= Self.logLength * 2 { log.removeFirst(Self.logLength) }
        log.append(record)
        if samples.count < Self.sampleCount { samples.append(0) }
        samples[nextSample] = record.microseconds
        nextSample = (nextSample + 1) % Self.sampleCount
    }

    /// A percentile of the newest requests in microseconds; nil before the first.
    package func percentile(_ share: Double) -> Int64? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.down)))]
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.requests == right.requests && left.bytesServed == right.bytesServed && left.log == right.log
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(requests)
        hasher.combine(log)
    }
}
