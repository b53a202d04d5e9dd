import Ports

@testable import AdTracking

extension FuzzTarget {
    /// What is read can be written and is then read as the same; an array that is read apart is the array that was there.
    static func readJSON(_ bytes: [UInt8]) {
        var earlier = JSONSplit.Text.none
        for text in texts(bytes) {
            var split = JSONSplit(arrayNamed: "a", after: earlier)
            let whole = Result { () throws(JSONProblem) in try JSONReader.read(text) }
            let parted = Result { () throws(JSONProblem) in try JSONReader.read(text, splitting: &split) }
            switch (whole, parted) {
            case (.failure(let problem), .failure(let other)): require(problem == other, "both ways one problem")
            case (.success(let value), .success):
                // A number without a fraction is read as an integer, however it was written before.
                let written = value.text()
                require((try? JSONReader.read(written))?.text() == written, "what is written is read again")
                let array = value["a"]?.arrayValue
                require(split.elements.map(\.count) == array?.count, "both ways one array")
                for (element, value) in zip(split.elements ?? [], array ?? []) {
                    if case .new(let read) = element { require(read == value, "both ways one element") }
                }
                earlier = split.text(text) { _ in true }
            default: fatalError("one way reads what the other does not")
            }
        }
    }

    /// A session's polls: what a document is read as does not depend on those before it, and whatever they say, tracking stays
    /// bounded and asks for each URL of an event once.
    static func followMetadata(_ bytes: [UInt8]) {
        var decoder = MetadataDecoder()
        var tracker = AdTracker(AdTracker.Settings(sessionID: "fuzz", mode: .fire))
        var asked: Set<String> = []
        for (index, text) in texts(bytes).enumerated() {
            let now = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(4 * index))
            var fresh = MetadataDecoder()
            let alone = Result { () throws(MetadataProblem) in try fresh.decode(text) }
            let following = Result { () throws(MetadataProblem) in try decoder.decode(text) }
            require(alone == following, "a document reads as it does alone")
            guard case .success(let document) = following else { continue }
            var effects = tracker.metadataArrived(document, at: now).effects
            require(tracker.book.nodeCount <= BreakBook.nodeLimit, "the book is bounded")
            if let range = document.dataRange {
                effects += tracker.played(PlayedStretch(from: range.start, through: range.end), at: now).effects
            }
            for case .writeClaims(let claims) in effects {
                for claim in claims {
                    let (event, url) = (claim.key.event, claim.key.url)
                    // Whatever ad and break are called (docs/adr/0014).
                    require(
                        asked.insert("\(event.type) \(event.start.microseconds) \(url)").inserted,
                        "a URL of a moment is claimed once")
                }
            }
        }
    }
}
