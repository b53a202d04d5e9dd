/// A native ad as a publisher gets it: six fields to lay out, and two things to say about them (FMT-22).
///
/// Trackers are not to be had: they come out only as what an impression or a click makes due, so that wrong use cannot cost
/// anybody money (FMT-22).
package struct NativeAd: Sendable, Hashable {
    /// What is to be told to whom.
    package enum Outcome: Sendable, Hashable {
        /// URLs to request, each once.
        case due([String])
        /// It was said before.
        case duplicate
    }

    /// Where a click leads, and who is told.
    package struct Click: Sendable, Hashable {
        package var trackers: [String]
        package var url: String
    }

    private let markup: NativeMarkup
    private var told: Set<Int> = []

    /// Fails with the reason where the markup cannot be shown.
    package init(_ markup: NativeMarkup) throws(AdError) {
        guard !markup.isInvalid, markup.clickURL != nil else {
            let reasons = markup.warnings.isEmpty ? "invalid" : markup.warnings.joined(separator: ", ")
            throw AdError(.internalError, "native markup: \(reasons)")
        }
        self.markup = markup
    }

    package var title: String? { markup.title }
    package var description: String? { markup.description }
    package var rating: String? { markup.rating }
    package var iconURL: String? { markup.icon?.url }
    package var imageURL: String? { markup.image?.url }
    package var buttonText: String? { markup.buttonText }
    /// `80x80`; empty when nobody said.
    package var iconSize: String { markup.icon?.sizeText ?? "" }
    package var imageSize: String { markup.image?.sizeText ?? "" }
    package var warnings: [String] { markup.warnings }
    package var clickURL: String { markup.clickURL ?? "" }

    /// The ad can be seen.
    package mutating func trackImpression() -> Outcome {
        tell(1, more: markup.impressionTrackers)
    }

    /// Half of it was visible for a second.
    package mutating func trackViewable50() -> Outcome { tell(2) }
    /// All of it was.
    package mutating func trackViewable100() -> Outcome { tell(3) }

    /// The ad was touched; every touch counts.
    package func openClick() -> Click {
        Click(trackers: markup.clickTrackers, url: clickURL)
    }

    /// See ``NativeMarkup/unsupportedTrackers``.
    package var unsupportedTrackers: [String] { markup.unsupportedTrackers }

    private mutating func tell(_ event: Int, more: [String] = []) -> Outcome {
        guard told.insert(event).inserted else { return .duplicate }
        return .due(more + markup.eventTrackers.filter { $0.event == event && $0.method == 1 }.map(\.url))
    }
}
