import Ports

/// The breaks of date ranges below the metadata of a session, whatever its provider (TRK-29): what the metadata describes too is a part of
/// it, and the rest are breaks of their own.
struct SignaledLayer: Sendable {
    /// Breaks of the date ranges by name.
    private var breaks: [String: AdBreak] = [:]
    /// Breaks of their own as last placed, by name.
    private var placed: [String: AdBreak] = [:]
    /// The newest document of the metadata, without what date ranges add.
    private(set) var document: DecodedMetadata?
    /// The composition of the newest document and breaks; nil once one of them has changed.
    private var newest: SignaledComposition?

    mutating func take(_ document: DecodedMetadata) {
        guard document != self.document else { return }
        (self.document, newest) = (document, nil)
    }

    mutating func place(_ breaks: [AdBreak]) {
        for adBreak in breaks { self.breaks[adBreak.name ?? ""] = adBreak }
        if !breaks.isEmpty { newest = nil }
    }

    mutating func withdraw(_ names: Set<String>) {
        for name in names { breaks[name] = nil }
        if !names.isEmpty { newest = nil }
    }

    /// Nothing is kept of these breaks any more, which are over.
    mutating func forget(_ names: Set<String>) {
        if !names.isEmpty { newest = nil }
        for name in names {
            breaks[name] = nil
            placed[name] = nil
        }
    }

    /// Metadata and date ranges as one description, and whether it is not that of the last call.
    mutating func composed(
        beside book: BreakBook, _ busters: CacheBusters
    ) -> (composition: SignaledComposition, isNew: Bool) {
        if let newest { return (newest, false) }
        let signaled = breaks.values.sorted { ($0.start, $0.name ?? "") < ($1.start, $1.name ?? "") }
        let composition = SignaledComposition(document, with: signaled, beside: book, busters)
        newest = composition
        return (composition, true)
    }

    /// What changes among the breaks of their own.
    mutating func placing(_ own: [AdBreak]) -> (new: [AdBreak], former: Set<String>) {
        let names = Set(own.map { $0.name ?? "" })
        let former = Set(placed.keys).subtracting(names)
        let new = own.filter { placed[$0.name ?? ""] != $0 }
        for name in former { placed[name] = nil }
        for adBreak in new { placed[adBreak.name ?? ""] = adBreak }
        return (new, former)
    }
}
