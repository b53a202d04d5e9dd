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
            if case .success(let document) = following { course.take(document, isAnswered: index % 2 == 0) }
        }
    }
}

/// A viewer who plays everything that a document covers, with a journal that survives restarts.
private struct TrackerCourse {
    private var tracker = Self.tracker()
    private var journal: [Place: RestoredBeacon] = [:]
    private var polls = 0

    /// The key of a claim, which does not depend on the ids of ad and break (docs/adr/0017).
    private struct Place: Hashable {
        var type: String
        var start: UnixTime
        var url: String

        init(_ key: URLKey) { (type, start, url) = (key.event.type, key.event.start, key.url) }
    }

    private static func tracker() -> AdTracker { AdTracker(AdTracker.Settings(sessionID: "fuzz", mode: .fire)) }

    mutating func restart() {
        tracker = Self.tracker()
        tracker.restored(Array(journal.values))
    }

    mutating func take(_ document: DecodedMetadata, isAnswered: Bool) {
        polls += 1
        let now = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(4 * polls))
        var effects = tracker.metadataArrived(document, at: now).effects
        FuzzTarget.require(tracker.book.nodeCount <= BreakBook.nodeLimit, "the book is bounded")
        if let range = document.dataRange {
            effects += tracker.played(PlayedStretch(from: range.start, through: range.end), at: now).effects
        }
        for case .writeClaims(let claims) in effects { write(claims, isAnswered: isAnswered, at: now) }
    }

    private mutating func write(_ claims: [ClaimRecord], isAnswered: Bool, at now: Moment) {
        for claim in claims {
            let outcome = isAnswered ? DeliveryState.acknowledged : nil
            let beacon = RestoredBeacon(key: claim.key, round: claim.round, attempt: claim.attempt, outcome: outcome)
            FuzzTarget.require(
                journal.updateValue(beacon, forKey: Place(claim.key)) == nil, "a URL of a moment is claimed once")
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
