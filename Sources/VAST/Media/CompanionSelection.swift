/// A place beside the player that can show companions.
package struct CompanionSlot: Hashable, Sendable {
    package var id: String?
    package var width: Int
    package var height: Int

    package init(id: String? = nil, width: Int, height: Int) {
        self.id = id
        self.width = width
        self.height = height
    }
}

/// Assigns companions to slots: by slot id, then exact size, then the largest that fits (VAST-17).
package struct CompanionSelection: Hashable, Sendable {
    package enum Match: String, Hashable, Sendable {
        case slotID = "slot-id"
        case exactSize = "exact-size"
        case fits
    }

    package struct Choice: Hashable, Sendable {
        /// Index of the slot.
        package var slot: Int
        /// Index of the companion.
        package var companion: Int
        package var match: Match
    }

    /// The assignments in the order of slots.
    package var choices: [Choice] = []
    /// Indices of the companions without a slot.
    package var unplaced: [Int] = []
    /// Whether `required` is met; otherwise the ad is lost with error 602 (VAST 4.3 section 3.13).
    package var isRequirementMet: Bool

    /// The error code of an ad whose required companion cannot be shown.
    package static let requirementCode = 602

    package init(of list: VASTDocument.CompanionAds, for slots: [CompanionSlot]) {
        let companions = list.companions
        var open = Set(slots.indices)
        var left = companions.indices.filter { !companions[$0].resources.isEmpty }
        for match in [Match.slotID, .exactSize, .fits] {
            for slot in slots.indices where open.contains(slot) {
                let candidates = left.filter { Self.isMatch(companions[$0], slots[slot], match) }
                guard let best = candidates.max(by: { Self.area(companions[$0]) < Self.area(companions[$1]) }) else {
                    continue
                }
                choices.append(Choice(slot: slot, companion: best, match: match))
                open.remove(slot)
                left.removeAll { $0 == best }
            }
        }
        choices.sort { $0.slot < $1.slot }
        let placed = Set(choices.map(\.companion))
        unplaced = companions.indices.filter { !placed.contains($0) }
        isRequirementMet =
            switch list.required?.lowercased() {
            case "all": unplaced.isEmpty
            case "any": !choices.isEmpty || companions.isEmpty
            default: true
            }
    }

    private static func isMatch(_ companion: VASTDocument.Companion, _ slot: CompanionSlot, _ match: Match) -> Bool {
        switch match {
        case .slotID: return companion.adSlotID != nil && companion.adSlotID == slot.id
        case .exactSize: return companion.width == slot.width && companion.height == slot.height
        case .fits:
            guard let width = companion.width, let height = companion.height else { return false }
            return width <= slot.width && height <= slot.height
        }
    }

    private static func area(_ companion: VASTDocument.Companion) -> Int {
        let (area, overflow) = (companion.width ?? 0).multipliedReportingOverflow(by: companion.height ?? 0)
        return overflow ? .max : area
    }
}
