import AdTracking
import HLS
import Ports

/// State of the interstitials outside the playhead: requests, breaks and the origins of their clocks.
struct InterstitialPart {
    /// Maximum number of requests kept per interstitial.
    static let requestsKept = 8
    /// Bytes of all asset lists kept at once. A list is kept as long as its interstitial: a playlist can list a thousand.
    static let listBytes = 16 << 20
    /// Assets of all lists kept at once: each is an ad, which takes far more than its text.
    static let assetLimit = 10_000

    /// A request for assets.
    struct Request {
        var url: String
        var at: Moment
        var status: Int?
        var took: Duration?
        /// The problem with the answer.
        var problem: String?
        var isAnswered = false
    }

    struct Record {
        var requests: [Request] = []
        /// Nil until its list arrives.
        var list: AssetList?
        /// Size of its text.
        var listBytes = 0
        /// Findings about its list and signaling.
        var findings: [Finding] = []
        /// The break as last placed in the tracker.
        var placed: AdBreak?
        var hasTracking = false
    }

    /// A request in flight.
    struct Pending {
        var request: InterstitialRequest
        /// The variables that an asset's multivariant playlist defines for the media playlist requested; nil for other requests.
        var definitions: [String: String]?
    }

    private(set) var records: [String: Record] = [:]
    private var pending: [RequestID: Pending] = [:]
    /// `_HLS_primary_id`: the same in all requests of the session.
    let primaryID: String

    init(seed: UInt64) {
        primaryID = Self.uuid(seed: seed)
    }

    subscript(id: String) -> Record {
        get { records[id] ?? Record() }
        set { records[id] = newValue }
    }

    /// Origin of an interstitial's clock; nil before it has a position.
    func clockStart(of id: String) -> UnixTime? { records[id]?.placed?.start }

    mutating func asked(_ id: RequestID, _ asked: Pending, url: String, at now: Moment) {
        pending[id] = asked
        note(Request(url: url, at: now), of: asked.request.id)
    }

    mutating func note(_ request: Request, of id: String) {
        var record = self[id]
        record.requests.append(request)
        if record.requests.count > Self.requestsKept { record.requests.removeFirst() }
        self[id] = record
    }

    /// Keeps a list of an interstitial.
    /// - Returns: why it is not kept: the limit that the lists of the session would exceed together; nil for one that is.
    mutating func keep(_ list: AssetList, bytes: Int, of id: String) -> String? {
        var (sum, assets) = (bytes, list.assets.count)
        for (other, record) in records where other != id {
            sum += record.listBytes
            assets += record.list?.assets.count ?? 0
        }
        guard sum <= Self.listBytes else { return "\(Self.listBytes >> 20) MiB" }
        guard assets <= Self.assetLimit else { return "\(Self.assetLimit) assets" }
        records[id, default: Record()].list = list
        records[id, default: Record()].listBytes = bytes
        return nil
    }

    /// The request that an answer belongs to; nil when the answer is not expected.
    mutating func answered(_ id: RequestID, _ exchange: HTTPExchange) -> Pending? {
        guard let known = pending.removeValue(forKey: id) else { return nil }
        updateLast(of: known.request.id) { request in
            request.isAnswered = true
            request.status = exchange.hops.last?.status
            request.took = .microseconds(exchange.timings.total)
        }
        return known
    }

    mutating func failed(_ id: String, _ problem: String) {
        updateLast(of: id) { request in
            request.isAnswered = true
            request.problem = problem
        }
    }

    private mutating func updateLast(of id: String, _ change: (inout Request) -> Void) {
        guard let last = records[id]?.requests.indices.last else { return }
        if var request = records[id]?.requests[last] {
            change(&request)
            records[id]?.requests[last] = request
        }
    }

    /// Removes the interstitials that the playhead dropped.
    mutating func keep(_ known: Set<String>) {
        guard records.count > known.count else { return }
        records = records.filter { known.contains($0.key) }
    }

    /// A version 4 UUID derived from the session's seed, so that replays use the same one.
    private static func uuid(seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        let bits = [random.next() & ~0xF000 | 0x4000, random.next() & ~(0b11 << 62) | 0b10 << 62]
        let digits = bits.map(\.hexadecimal).joined()
        let parts = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)]
        return parts.map { start, length in String(digits.dropFirst(start).prefix(length)) }.joined(separator: "-")
    }
}
