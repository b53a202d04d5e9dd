/// The state of the origin between requests; everything else follows from scenario, seed and time.
package struct OriginState: Sendable {
    /// The receipts of the collector.
    package internal(set) var receipts: ReceiptLog
    /// The requests for ads.
    package internal(set) var decisions = DecisionLog()
    /// Playlists that fail (`<scenario>/<file>`) with the status of their answer; bounded by the number of existing
    /// files.
    var outages: [String: Int] = [:]
    /// The bids in the remote cache.
    var bidCache = BidCache()
    /// The metadata texts of ads for the sessions that requested them last.
    var adTexts = MetadataAdTexts()
    /// Number of metadata documents served so far.
    var metadataPolls = 0
    /// Number of sessions opened so far.
    package internal(set) var sessionCount = 0
    /// When sessions were opened, for scenarios in which they end.
    var openings = SessionOpenings()
    /// Second 0 of each session whose times count from its first playlist, epoch ms.
    var zeros = SessionOpenings()
    /// Streams of the scenarios requested under `/s/`, kept because planning a stream costs more than an answer.
    var streams: [String: LiveStream] = [:]

    /// The initial state.
    package init(receiptCapacity: Int = ReceiptLog.defaultCapacity) {
        receipts = ReceiptLog(capacity: receiptCapacity)
    }

    /// The id of the next session that is opened.
    mutating func newSession(of stream: LiveStream) -> String {
        defer { sessionCount += 1 }
        return SessionId.make(seed: stream.seed, index: sessionCount)
    }
}

/// Session ids.
enum SessionId {
    /// Longest id accepted in a request.
    static let longest = 64

    /// The `index`th session of an origin with `seed`: 16 hexadecimal digits.
    static func make(seed: UInt64, index: Int) -> String {
        // These indices are separate from those of the stream, which uses the first ones.
        let value = SeedMix.value(seed: seed, index: 1_000 &+ UInt64(truncatingIfNeeded: index))
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    /// True for text that is safe in playlists and URLs: letters, digits, `-` and `_`.
    static func isValid(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == 0x2D || $0 == 0x5F
            }
    }
}
