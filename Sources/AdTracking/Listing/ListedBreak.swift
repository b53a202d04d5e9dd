package import Ports

/// An ad as answers list it.
package struct ListedAd: Hashable, Sendable {
    package var id: String?
    /// Seconds on the provider's clock.
    package var start: ExactDecimal
    /// The date that the answer lists, or that the placement found; nil while unknown.
    package var date: UnixTime?
    /// Seconds; nil while unknown.
    package var length: ExactDecimal?
    /// Whether the length was derived from its neighbours (PRV-11).
    package var isLengthDerived = false
    package var creative: String?
    /// Landing page; never an event (PRV-6).
    package var clickThrough: String?
    package var isLinear = true
    package var isSlate = false
    /// Whether it is only expected at its start: nothing in the media has shown it yet.
    package var isPlanned = false
    /// Whether the viewer joined in its middle and only the media shows its events: those before are not known.
    package var isSeenInPart = false
    package var events: [ListedEvent] = []
    package var parts = ListedParts()
    /// Members that are only shown, unchanged.
    package var extras = JSONObject()

    package init(id: String?, start: ExactDecimal, length: ExactDecimal? = nil) {
        self.id = id
        self.start = start
        self.length = length
    }

    /// Seconds on the provider's clock; nil while the length is unknown.
    var end: ExactDecimal? { length.map { start.plus($0) } }
}

/// A break as answers list it.
package struct ListedBreak: Hashable, Sendable {
    package var id: String?
    /// The id that it shares with other breaks of its answer; nil where ``id`` is as it was written.
    package var name: String?
    /// Seconds on the provider's clock.
    package var start: ExactDecimal
    package var date: UnixTime?
    /// The length that the answer lists; nil if it lists none.
    package var statedDuration: ExactDecimal?
    /// The length that the marker promised; nil if unknown.
    package var planned: ExactDecimal?
    package var isLinear = true
    /// Whether more of it may follow, so that its length is unknown.
    package var isOpen = false
    package var ads: [ListedAd] = []
    package var events: [ListedEvent] = []

    package init(id: String?, start: ExactDecimal, statedDuration: ExactDecimal? = nil, date: UnixTime? = nil) {
        self.id = id
        self.start = start
        self.statedDuration = statedDuration
        self.date = date
    }

    /// The length listed if it is positive, else up to the end of the last linear ad, else as listed (PRV-12).
    package var length: ExactDecimal? {
        if isOpen { return nil }
        if let statedDuration, statedDuration.isPositive { return statedDuration }
        let linear = ads.filter(\.isLinear)
        return linear.compactMap(\.end).max().map { $0.minus(start) } ?? statedDuration
    }

    /// Whether nothing of it has a place yet.
    package var isExpected: Bool { !ads.isEmpty && ads.allSatisfy(\.isPlanned) }

    /// The id as it was written, by which a session calls it.
    var writtenID: String? { name ?? id }

    /// The id of a break whose own is that of an earlier one in its answer, too.
    static func ownID(of id: String, at start: ExactDecimal) -> String { "\(id) at \(start)" }

    /// What findings call it; empty without an id.
    var node: String { id ?? "" }

    /// What findings call one of its ads.
    func node(of ad: ListedAd) -> String { [id, ad.id].compactMap(\.self).joined(separator: "/") }
}

extension ListedAd {
    /// Takes what a newer answer lists (PRV-9).
    /// - Returns: whether the length shrank.
    mutating func take(_ newer: ListedAd) -> Bool {
        id = newer.id ?? id
        start = newer.start
        date = newer.date ?? date
        creative = newer.creative ?? creative
        clickThrough = newer.clickThrough ?? clickThrough
        isSlate = isSlate || newer.isSlate
        isPlanned = newer.isPlanned
        if !newer.parts.isEmpty { parts = newer.parts }
        if !newer.extras.members.isEmpty { extras = newer.extras }
        var hasShrunk = false
        if let stated = newer.length, stated.isPositive || length == nil, isLengthDerived || !newer.isLengthDerived {
            hasShrunk = !isLengthDerived && (length.map { $0.minus(stated) > .listedTolerance } ?? false)
            (length, isLengthDerived) = (stated, newer.isLengthDerived)
        }
        events.add(newer.events, inLength: length)
        return hasShrunk
    }
}
