package import Ports

/// One answered request, for the access log (CACHE-4): of an id only what does not give it away.
package struct AccessRecord: Hashable, Sendable {
    /// Characters of an id in a log: who knows all of it may read the creative.
    package static let idLength = 8
    /// Characters of anything else that came from outside.
    private static let textLength = 80

    package var at: UnixTime
    package var method: String
    /// The first characters of the id, `cache`, `status` or the beginning of a target that is none of these.
    package var subject: String
    package var status: Int
    /// Of the body sent.
    package var bytes: Int
    package var microseconds: Int64
    package var origin: String?
    package var isSecure: Bool
    /// Why it was refused; nil for the ordinary.
    package var reason: String?

    /// Of a request that was understood.
    package init(
        _ request: LoopbackRequest, _ answer: LoopbackAnswer, at: UnixTime, took: Duration, isSecure: Bool
    ) {
        self.at = at
        method = String(request.method.uppercased().prefix(Self.idLength))
        let path = String(request.target.prefix { $0 != "?" }.dropFirst())
        subject =
            if let id = LoopbackResponder.creative(wantedBy: request) {
                String(id.text.prefix(Self.idLength))
            } else {
                String(path.prefix(Self.idLength))
            }
        status = answer.status
        bytes = answer.omitsBody ? 0 : answer.body.count
        microseconds = took.inMicroseconds
        origin = request.fields["origin"].map { String($0.prefix(Self.textLength)) }
        self.isSecure = isSecure
        reason =
            switch answer.status {
            case 403 where answer.body.elementsEqual(LoopbackRefusal.foreignHost.text.utf8):
                "host \(String((request.fields["host"] ?? "").prefix(Self.textLength)))"
            case 403, 400: String(decoding: answer.body.prefix(Self.textLength), as: UTF8.self).lowercased()
            default: nil
            }
    }

    /// As it was.
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

    /// Of bytes that are no request.
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

    /// The line of the log, without the time: `GET 0a6f0a3e 200 41 B 130 us`.
    package var text: String {
        let parts = [
            "\(method) \(subject.isEmpty ? "/" : subject) \(status) \(bytes) B \(microseconds) us", reason,
            origin.map { "from \($0)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}

/// How the loopback server was used since it began.
package struct TrafficRecord: Hashable, Sendable {
    /// Requests kept for the log.
    package static let logLength = 50
    /// Durations kept for the percentiles.
    private static let sampleCount = 512

    package private(set) var requests = 0
    /// A creative was sent.
    package private(set) var hits = 0
    /// There was none.
    package private(set) var misses = 0
    /// 400, 403, 413, 431.
    package private(set) var refused = 0
    package private(set) var bytesServed = 0
    /// The newest last.
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
        // Removing the first of a list moves the rest; half a list at a time keeps that rare.
        if log.count >= Self.logLength * 2 { log.removeFirst(Self.logLength) }
        log.append(record)
        if samples.count < Self.sampleCount { samples.append(0) }
        samples[nextSample] = record.microseconds
        nextSample = (nextSample + 1) % Self.sampleCount
    }

    /// Of the newest requests, in microseconds; nil before the first.
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
