import NIOCore
import Ports

/// One request through its redirects: decides each next hop and adds up the times of the hops.
struct RequestCourse {
    struct Hop {
        var url: WebURL
        var method: HTTPMethod
        var fields: [HTTPField]
        var body: [UInt8]
    }

    let request: HTTPRequest
    let deadline: NIODeadline
    private let start: NIODeadline
    private var coming: Hop?
    private var current: Hop
    private(set) var exchange = HTTPExchange()
    /// Where a beacon or ping has arrived; other requests may be led back, as a server does that answers later.
    private var trail = RedirectTrail()
    /// The fields of the program; what a hop carries is decided for each.
    private var fields: [HTTPField]
    private let identity: RequestIdentity
    private let cookies: SessionCookies?

    init(_ request: HTTPRequest, identity: RequestIdentity = RequestIdentity(), cookies: SessionCookies? = nil) {
        self.request = request
        self.identity = identity
        self.cookies = cookies
        start = .now()
        deadline = start + .microseconds(request.totalTimeout.inMicroseconds)
        var fields = request.fields
        // A beacon's answer has no reader, so it need not be compressed.
        let coding = request.cutsLongBody ? Self.uncompressed : HTTPField("Accept-Encoding", "gzip, deflate")
        if fields["accept-encoding"] == nil { fields.append(coding) }
        if request.isSentOnce { fields.append(HTTPField("Connection", "close")) }
        self.fields = fields
        current = Hop(url: request.url, method: request.method, fields: [], body: request.body)
        dress(&current)
        coming = current
    }

    private mutating func isAdmitted(_ hop: Hop) -> Bool {
        !request.isSentOnce || trail.admits(hop.method, hop.url, cookie: hop.fields["cookie"])
    }

    private func dress(_ hop: inout Hop) {
        hop.fields = identity.fields(
            of: fields, for: request.audience, at: hop.url, first: request.url, kept: cookies?.pairs(for: hop.url) ?? []
        )
    }

    /// The next hop; nil when the exchange is complete.
    mutating func next() -> Hop? {
        guard let hop = coming else { return nil }
        coming = nil
        current = hop
        return hop
    }

    mutating func resolved(in span: TimeAmount) {
        exchange.timings.resolve = (exchange.timings.resolve ?? 0) + span.microseconds
    }

    private static let uncompressed = HTTPField("Accept-Encoding", "identity")

    /// The hop failed before its request was sent.
    mutating func failed(_ failure: HTTPFailure) {
        exchange.failure = failure
        exchange.timings.total = (NIODeadline.now() - start).microseconds
    }

    /// The hop ended: with an answer, or with `failure`.
    mutating func answered(_ record: HopDelegate.Record, started: NIODeadline, failure: HTTPFailure?) {
        addTimings(of: record, started: started)
        exchange.timings.total = (NIODeadline.now() - start).microseconds
        if let status = record.status {
            exchange.hops.append(.init(url: current.url.text, status: status, fields: record.fields))
            exchange.version = record.version
            cookies?.store(record.fields, from: current.url)
            trail.answered(record.fields)
        }
        do throws(HTTPFailure) {
            if let redirection = try request.redirection(
                from: current.url, status: record.status ?? 0, record.fields, hops: exchange.hops.count)
            {
                return follow(redirection)
            }
        } catch {
            exchange.failure = error
            return
        }
        exchange.failure = failure ?? Self.notAskedFor(in: record, by: request)
        exchange.body = record.body
        exchange.bodyBytes = record.bodyBytes
        exchange.isBodyCut = record.stop == .bodyCut
    }

    /// A body in a coding that was not asked for cannot be read, and a part is not what was asked for. The answer to a beacon is not read.
    private static func notAskedFor(in record: HopDelegate.Record, by request: HTTPRequest) -> HTTPFailure? {
        guard request.audience != .tracker, !record.body.isEmpty else { return nil }
        let coding = record.fields["content-encoding"]?.lowercased() ?? ""
        let words = coding.split { $0 == "," || $0 == " " }
        if let word = words.first(where: { codings.contains(String($0)) }) {
            return HTTPFailure(.protocolError, "body has the content coding '\(word)', which was not asked for")
        }
        guard record.status == 206, request.fields["range"] == nil, isPart(record) else { return nil }
        return HTTPFailure(.protocolError, "answer is a part (206) that was not asked for")
    }

    /// Whether there is more: `bytes 0-99/100` is all, and of `bytes 0-99/*` nothing is known (RFC 9110 section 14.4).
    private static func isPart(_ record: HopDelegate.Record) -> Bool {
        guard let range = record.fields["content-range"] else { return true }
        return !["\(record.bodyBytes)", "*"].contains { range == "bytes 0-\(record.bodyBytes - 1)/\($0)" }
    }

    /// Compressions that were not asked for. Other words stand before plain bodies as well (`utf-8`, `aws-chunked`, `none`).
    private static let codings: Set<String> = ["br", "zstd", "compress", "x-compress", "dcb", "dcz"]

    private mutating func follow(_ redirection: Redirection) {
        var hop = current
        hop.url = redirection.target
        if !redirection.keepsMethod {
            hop.method = .get
            hop.body = []
            // What describes the body goes with it.
            fields.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        dress(&hop)
        if exchange.hops.count == 1 { _ = isAdmitted(current) }
        guard isAdmitted(hop) else {
            exchange.failure = .redirectedBack
            return
        }
        coming = hop
    }

    private mutating func addTimings(of record: HopDelegate.Record, started: NIODeadline) {
        func add(_ span: TimeAmount, to phase: WritableKeyPath<HTTPExchange.Timings, Int64?>) {
            exchange.timings[keyPath: phase] = (exchange.timings[keyPath: phase] ?? 0) + span.microseconds
        }
        guard let sent = record.requestSent else { return }
        add(sent - started, to: \.connect)
        guard let head = record.headReceived else { return }
        add(head - sent, to: \.wait)
        if let finished = record.finished { add(finished - head, to: \.receive) }
    }
}

extension TimeAmount {
    fileprivate var microseconds: Int64 { nanoseconds / 1_000 }
}
