import Ports

/// The content shown when the video has ended (FMT-21): the companion nearest in size to the screen.
package struct EndCard: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// HTML markup, or a URL if the text is one.
        case html(String)
        case frame(url: String)
        case image(url: String, type: String?)
    }

    package var content: Content
    package var companion: VASTDocument.Companion

    /// Companions marked as end cards come before those of a nearer size. Nil when no companion has content.
    package init?(from companions: [VASTDocument.Companion], screenWidth: Int, screenHeight: Int) {
        let candidates = companions.compactMap { companion in
            Self.content(of: companion.resources).map { (companion: companion, content: $0) }
        }
        let best = candidates.min {
            Self.rank($0.companion, screenWidth, screenHeight) < Self.rank($1.companion, screenWidth, screenHeight)
        }
        guard let best else { return nil }
        (content, companion) = (best.content, best.companion)
    }

    /// HTML comes before pictures, because it can be interactive.
    private static func content(of resources: VASTDocument.Resources) -> Content? {
        if let html = resources.html.first { return .html(html) }
        if let frame = resources.iFrames.first { return .frame(url: frame.url) }
        return resources.statics.first.map { .image(url: $0.url, type: $0.creativeType) }
    }

    private static func rank(_ companion: VASTDocument.Companion, _ width: Int, _ height: Int) -> (Int, UInt) {
        let isMeant = companion.renderingMode == "end-card"
        let distance = companion.width.flatMap { first in
            companion.height.map { Self.distance(first, width).addingSaturating(Self.distance($0, height)) }
        }
        return (isMeant ? 0 : 1, distance ?? .max)
    }

    private static func distance(_ first: Int, _ second: Int) -> UInt {
        first.subtractingSaturating(second).magnitude
    }
}
