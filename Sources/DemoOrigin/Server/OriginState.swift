/// What the origin remembers between requests; everything else follows from scenario, seed and time.
package struct OriginState: Sendable {
    /// What the collector received.
    package internal(set) var receipts: ReceiptLog
    /// Requests for ads.
    package internal(set) var decisions = DecisionLog()
    /// Playlists that fail (`<scenario>/<file>`), and the status they answer; the files that exist bound them.
    var outages: [String: Int] = [:]
    /// Bids that were put into the remote cache.
    var bidCache = BidCache()
    /// What metadata says of ads, as it was written for the last sessions that asked.
    var adTexts = MetadataAdTexts()
    /// Sessions opened so far.
    package internal(set) var sessionCount = 0
    /// Streams of the scenarios asked for under `/s/`, kept because laying one out costs more than an answer.
    var streams: [String: LiveStream] = [:]

    /// Nothing happened yet.
    package init(receiptCapacity: Int = ReceiptLog.defaultCapacity) {
        receipts = ReceiptLog(capacity: receiptCapacity)
    }
}

/// Session ids.
enum SessionId {
    /// Longest id accepted in a request.
    static let longest = 64

    /// The `index`th session of an origin with `seed`: 16 hexadecimal digits.
    static func make(seed: UInt64, index: Int) -> String {
        // Apart from the numbers of the stream itself, which use the first indices.
        let value = SeedMix.value(seed: seed, index: 1_000 &+ UInt64(truncatingIfNeeded: index))
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    /// True for what may be echoed into playlists and URLs: letters, digits, `-` and `_`.
    static func isValid(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == 0x2D || $0 == 0x5F
            }
    }
}
