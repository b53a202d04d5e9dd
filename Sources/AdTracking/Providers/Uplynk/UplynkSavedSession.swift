import Ports

/// Saved answers of one session: that to the preplay request, which has a `playURL`, and those to pings, one of which may end the pings
/// (PRV-43).
struct UplynkSavedSession: SavedSession {
    private var pings = UplynkPings(areWanted: true)
    private var listing = Listing()

    var breaks: [ListedBreak] { listing.breaks }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let value = try MetadataProblem.json(bytes)
        let answer = try UplynkDocument.read(value).answer
        listing.add(answer)
        if value["playURL"] == nil, let finding = pinged(value) { listing.note(finding) }
        return SavedAnswer(answer, nextMethod: nil)
    }

    /// The answer to one more ping. Where the player was is not known, and a jump is reported by a ping from anywhere.
    private mutating func pinged(_ answer: JSONValue) -> Finding? {
        if pings.started(at: .zero) == nil { _ = pings.sought(from: .zero, to: .zero) }
        return pings.answered(answer, ping: pings.newest)
    }
}
