import Ports

/// Breaks that may still grow, so that what they report at their end waits (PRV-25): the answer that lists one may be the only one
/// (PRV-9).
struct OpenBreaks: Hashable, Sendable {
    /// Most breaks that are remembered; the oldest are forgotten.
    private static let limit = 100
    /// A break that is listed this near may be the same one, listed again.
    private static let reach: Duration = .seconds(60)

    private var breaks: [ListedBreak] = []

    var isEmpty: Bool { breaks.isEmpty }

    /// Takes the breaks of an answer.
    /// - Returns: earlier ones that it does not list, and that do not grow any more, with their ends.
    mutating func closed(besides placed: [ListedBreak], listedUntil edge: ListedEdge?) -> [AdBreak] {
        breaks.removeAll { open in placed.contains { Self.replaces($0, open) } }
        var closed: [AdBreak] = []
        breaks.removeAll { open in
            guard !placed.contains(where: { Self.isNear($0, open) }),
                let adBreak = AdBreak(open, listedUntil: edge), adBreak.hasEnd
            else { return false }
            closed.append(adBreak)
            return true
        }
        breaks += placed.filter { adBreak in
            guard adBreak.events.contains(where: { $0.type.waitsForEnd }) else { return false }
            return AdBreak(adBreak, listedUntil: edge)?.hasEnd == false
        }
        if breaks.count > Self.limit { breaks.removeFirst(breaks.count - Self.limit) }
        return closed
    }

    private static func isNear(_ new: ListedBreak, _ open: ListedBreak) -> Bool {
        guard let new = new.date, let known = open.date else { return true }
        return (new - known).magnitude <= max(reach, open.length?.asSeconds ?? .zero)
    }

    private static func replaces(_ new: ListedBreak, _ open: ListedBreak) -> Bool {
        isNear(new, open) && (new.writtenID != open.writtenID || new.events.contains { $0.type.waitsForEnd })
    }
}

extension AdBreak {
    /// Whether it has what it reports at its end.
    fileprivate var hasEnd: Bool { ads.last?.events.contains { $0.type.waitsForEnd } ?? false }
}

extension EventType {
    /// Whether it is at the start of a break.
    var opensBreak: Bool { self == .breakStart || self == .podStart }

    /// Whether it is at the end of a break, and so waits until that is known.
    package var waitsForEnd: Bool { self == .breakEnd || self == .podEnd }
}
