/// A native ad as a publisher receives it: six fields to lay out, and two actions to report (FMT-22).
///
/// Trackers are not accessible. They are returned only when an impression or a click makes them due, so that wrong use
/// cannot cause charges (FMT-22).
package struct NativeAd: Sendable, Hashable {
    /// The trackers that an action makes due.
    package enum Outcome: Sendable, Hashable {
        /// URLs to request, each once.
        case due([String])
        /// The action was already reported.
        case duplicate
    }

    /// The landing page of a click and its trackers.
    package struct Click: Sendable, Hashable {
        package var trackers: [String]
        package var url: String
    }

    private let markup: NativeMarkup
    private var reported: Set<Int> = []

    /// Throws the reason when the markup cannot be shown.
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
    /// For example `80x80`; empty when unknown.
    package var iconSize: String { markup.icon?.sizeText ?? "" }
    package var imageSize: String { markup.image?.sizeText ?? "" }
    package var warnings: [String] { markup.warnings }
    package var clickURL: String { markup.clickURL ?? "" }

    /// Reports that the ad is visible.
    package mutating func trackImpression() -> Outcome {
        report(1, more: markup.impressionTrackers)
    }

    /// Reports that half of the ad was visible for one second.
    package mutating func trackViewable50() -> Outcome { report(2) }
    /// Reports that the whole ad was visible for one second.
    package mutating func trackViewable100() -> Outcome { report(3) }

    /// Reports a click; every click counts.
    package func openClick() -> Click {
        Click(trackers: markup.clickTrackers, url: clickURL)
    }

    /// See ``NativeMarkup/unsupportedTrackers``.
    package var unsupportedTrackers: [String] { markup.unsupportedTrackers }

    private mutating func report(_ event: Int, more: [String] = []) -> Outcome {
        guard reported.insert(event).inserted else { return .duplicate }
        return .due(more + markup.eventTrackers.filter { $0.event == event && $0.method == 1 }.map(\.url))
    }
}
