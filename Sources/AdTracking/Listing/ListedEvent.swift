package import Ports

/// A tracking event as an answer lists it.
package struct ListedEvent: Hashable, Sendable {
    /// The documented spelling of a known name; an unknown name as it was written (PRV-4).
    package var name: String
    package var type: EventType
    /// Seconds from the start of its ad or break; nil where the answer has none (PRV-5).
    package var statedOffset: ExactDecimal?
    /// Length in seconds of the span in which it is valid; nil for an instant.
    package var window: ExactDecimal?
    package var urls: [String]
    /// Whether the service reports it, and no player may.
    package var isReportedByService = false
    /// Whether its URLs verify ids of the media.
    package var isVerification = false

    package init(_ name: String, statedOffset: ExactDecimal? = nil, window: ExactDecimal? = nil, urls: [String] = []) {
        type = EventType(listed: name)
        self.name = type == .unknown ? name : type.rawValue
        self.statedOffset = statedOffset
        self.window = window
        self.urls = urls
    }

    /// Seconds from the start of an owner of this length; nil where only the player or the viewer decides (PRV-5).
    package func offset(inLength length: ExactDecimal?) -> ExactDecimal? {
        if let statedOffset { return statedOffset }
        switch type {
        case .impression, .start, .creativeView, .loaded, .breakStart, .podStart: return .zero
        case .breakEnd, .podEnd: return length
        case .firstQuartile: return positive(length)?.quarters(1)
        case .midpoint: return positive(length)?.quarters(2)
        case .thirdQuartile: return positive(length)?.quarters(3)
        case .complete: return positive(length)
        default: return nil
        }
    }

    private func positive(_ length: ExactDecimal?) -> ExactDecimal? {
        length.flatMap { $0.isPositive ? $0 : nil }
    }

    /// Whether both are one event of an owner of this length: same type, offsets at most 10 ms apart (PRV-8).
    func isSame(as other: ListedEvent, inLength length: ExactDecimal?) -> Bool {
        guard name == other.name else { return false }
        switch (offset(inLength: length), other.offset(inLength: length)) {
        case (nil, nil): return true
        case (let left?, let right?): return left.distance(to: right) <= .sameOffset
        default: return false
        }
    }
}

extension Array where Element == ListedEvent {
    /// Keeps of the events only those whose names a newer answer lacks, and takes the others from it.
    mutating func replace(with newer: [ListedEvent]) {
        let names = Set(newer.map(\.name))
        self = filter { !names.contains($0.name) } + newer
    }

    /// By offset, those without one last, else as they arrived (PRV-10).
    package func inOrder(inLength length: ExactDecimal?) -> [ListedEvent] {
        sortedStably { left, right in
            switch (left.offset(inLength: length), right.offset(inLength: length)) {
            case (let left?, let right?): left < right
            case (_?, nil): true
            default: false
            }
        }
    }
}

extension EventType {
    /// Names that only answers of providers have beside those of metadata (PRV-4); compared without regard to case.
    private static let listed: [String: EventType] = {
        let own: [EventType] = [
            .breakStart, .breakEnd, .podStart, .podEnd, .error, .progress, .closeLinear, .acceptInvitation,
            .otherAdInteraction, .adExpand, .adCollapse, .mediaVerification,
        ]
        var names = Dictionary(uniqueKeysWithValues: own.map { ($0.rawValue.lowercased(), $0) })
        names["acceptinvitationlinear"] = .acceptInvitation
        return names
    }()

    /// Reads the name of an event in an answer.
    package init(listed name: String) {
        let metadata = EventType(name: name)
        self = metadata == .unknown ? Self.listed[name.lowercased()] ?? .unknown : metadata
    }
}
