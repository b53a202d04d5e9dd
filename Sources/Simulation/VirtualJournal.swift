import AdTracking
package import Session

/// A journal as a value: the entries on disk, and the writes that a kill would lose.
package struct VirtualJournal: Sendable {
    /// A write that takes effect later.
    package enum Write: Sendable {
        case claims([JournalClaim])
        case outcomes([JournalOutcome])
    }

    /// The entries that opening returns, ordered by first claim.
    package private(set) var entries: [JournalEntry]
    private var places: [JournalBeacon: Int]
    /// Number of beacons by the URL that ``name`` makes of theirs.
    private var claimedURLs: [String: Int] = [:]
    /// The URL as the plan has it.
    var name: @Sendable (String) -> String = { $0 }
    /// Indices of the running process's claims.
    private var claims: [Int: Int] = [:]
    /// The beacons that the running process has claimed.
    private var claimedNow: Set<JournalBeacon> = []

    package init(_ entries: [JournalEntry] = []) {
        self.entries = entries
        places = Dictionary(
            entries.enumerated().map { ($1.beacon, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in entries { claimedURLs[entry.beacon.url, default: 0] += 1 }
    }

    /// A new process opens the journal: claim numbers start again.
    package mutating func reopen() {
        claims = [:]
        claimedNow = []
    }

    /// The entry of a beacon from earlier processes, if the running one has not claimed it; nil for none.
    func inherited(_ beacon: JournalBeacon) -> JournalEntry? {
        claimedNow.contains(beacon) ? nil : places[beacon].map { entries[$0] }
    }

    /// Number of beacons with that planned URL that were ever claimed.
    func claims(of url: String) -> Int { claimedURLs[url] ?? 0 }

    /// The same file without entries.
    var emptied: VirtualJournal {
        var journal = VirtualJournal()
        journal.name = name
        return journal
    }

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

    /// Adds the beacons of the running process that the journal does not have, as when a lost journal is rebuilt.
    mutating func hold(_ holdings: [JournalHolding]) {
        for holding in holdings where places[holding.entry.beacon] == nil {
            if let claim = holding.claim { claims[claim] = entries.count }
            claimedNow.insert(holding.entry.beacon)
            places[holding.entry.beacon] = entries.count
            claimedURLs[name(holding.entry.beacon.url), default: 0] += 1
            entries.append(holding.entry)
        }
    }

    private mutating func claim(_ record: JournalClaim) {
        let entry = JournalEntry(beacon: record.beacon, round: record.round, attempt: record.attempt, outcome: nil)
        let place = places[record.beacon] ?? entries.count
        if place == entries.count {
            entries.append(entry)
            places[record.beacon] = place
            claimedURLs[name(record.beacon.url), default: 0] += 1
        } else {
            entries[place] = entry
        }
        claims[record.number] = place
        claimedNow.insert(record.beacon)
    }
}
