import AdTracking
package import Monitoring

/// A journal as a value: what is on disk, and what the death of the process would lose.
package struct VirtualJournal: Sendable {
    /// Something that is written when its time comes.
    package enum Write: Sendable {
        case claims([JournalClaim])
        case outcomes([JournalOutcome])
    }

    /// What opening it gives, in the order first claimed.
    package private(set) var entries: [JournalEntry]
    private var places: [JournalBeacon: Int]
    private var claimedURLs: Set<String>
    /// Where the claims of the running process are.
    private var claims: [Int: Int] = [:]
    /// What the running process has claimed.
    private var claimedNow: Set<JournalBeacon> = []

    package init(_ entries: [JournalEntry] = []) {
        self.entries = entries
        places = Dictionary(
            entries.enumerated().map { ($1.beacon, $0) }, uniquingKeysWith: { first, _ in first })
        claimedURLs = Set(entries.map(\.beacon.url))
    }

    /// A new process opens it: claims are numbered anew.
    package mutating func reopen() {
        claims = [:]
        claimedNow = []
    }

    /// What earlier processes left of a beacon that the running one has not claimed; nil for nothing.
    func inherited(_ beacon: JournalBeacon) -> JournalEntry? {
        claimedNow.contains(beacon) ? nil : places[beacon].map { entries[$0] }
    }

    /// Whether a beacon with that URL was ever claimed.
    func hasClaim(of url: String) -> Bool { claimedURLs.contains(url) }

    /// Whether that claim of the running process is on disk and has not ended.
    func holds(_ claim: ClaimID) -> Bool { claims[claim.number] != nil }

    package mutating func write(_ write: Write) {
        switch write {
        case .claims(let records):
            for record in records { claim(record) }
        case .outcomes(let outcomes):
            for outcome in outcomes {
                if let place = claims.removeValue(forKey: outcome.claim) { entries[place].outcome = outcome.state }
            }
        }
    }

    /// Takes what the running process holds and the journal does not know, as one that was lost is made anew.
    mutating func hold(_ holdings: [JournalHolding]) {
        for holding in holdings where places[holding.entry.beacon] == nil {
            if let claim = holding.claim { claims[claim] = entries.count }
            claimedNow.insert(holding.entry.beacon)
            places[holding.entry.beacon] = entries.count
            claimedURLs.insert(holding.entry.beacon.url)
            entries.append(holding.entry)
        }
    }

    private mutating func claim(_ record: JournalClaim) {
        let entry = JournalEntry(beacon: record.beacon, round: record.round, attempt: record.attempt, outcome: nil)
        let place = places[record.beacon] ?? entries.count
        if place == entries.count {
            entries.append(entry)
            places[record.beacon] = place
            claimedURLs.insert(record.beacon.url)
        } else {
            entries[place] = entry
        }
        claims[record.number] = place
        claimedNow.insert(record.beacon)
    }
}
