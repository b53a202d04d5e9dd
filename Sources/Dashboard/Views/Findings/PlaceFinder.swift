import Ports
package import Session

/// Finds the breaks, ads and events that findings are about among those of a snapshot.
package struct PlaceFinder: Sendable {
    /// How far the start of a break without an id may have moved.
    private static let reach: Duration = .seconds(1)

    private let breaks: [BreakView]
    private let byName: [String: [Int]]

    /// - Parameter breaks: those of the snapshot.
    package init(_ breaks: [BreakView]) {
        self.breaks = breaks
        byName = Dictionary(grouping: breaks.indices) { breaks[$0].name }
    }

    /// The index of the break, nil when it is not known any more. Ids may return; the nearest in time counts.
    func index(of place: FindingPlace) -> Int? {
        if let named = byName[place.adBreak] {
            return named.min {
                (breaks[$0].start - place.start).magnitude < (breaks[$1].start - place.start).magnitude
            }
        }
        return breaks.firstIndex { ($0.start - place.start).magnitude <= PlaceFinder.reach }
    }

    /// The node, as deep as it is known.
    func path(of place: FindingPlace) -> NodePath? {
        guard let index = index(of: place) else { return nil }
        let view = breaks[index]
        guard let name = place.ad, let ad = view.ads.first(where: { $0.name == name }) else {
            return NodePath(breakID: view.id)
        }
        let event = place.event.flatMap { name in ad.events.first { $0.event == name } }
        return NodePath(breakID: view.id, adID: ad.id, eventID: event?.id)
    }

    /// `B4/A2 midpoint`; ids of the metadata where the break is not known any more.
    func label(of place: FindingPlace) -> String {
        guard let index = index(of: place) else {
            return [place.adBreak, place.ad].compactMap { $0 }.joined(separator: "/")
        }
        let view = breaks[index]
        let ad = place.ad.map { name in view.ads.first { $0.name == name }?.label ?? name }
        let node = [view.label, ad].compactMap { $0 }.joined(separator: "/")
        return [node, place.event].compactMap { $0 }.joined(separator: " ")
    }
}
