package import Ports
package import VAST

/// A rewarded video as its document describes it (000-36): what to play, what to tell to whom, what comes after.
package struct RewardedAd: Sendable, Hashable {
    package var resolved: ResolvedAd
    package var plan: TrackingPlan
    package var rules: RewardRules
    /// The extension as written; nil when the document has none.
    package var rewarded: RewardedVideo?
    package var endCard: EndCard?
    /// Milliseconds.
    package var duration: Int64
    /// Milliseconds after which it may be skipped; nil when never.
    package var skipFrom: Int64?
    package var clickThrough: String?
    package var title: String?

    /// Milliseconds; longer ads are cut to this.
    static let maximumDuration: Int64 = 3_600_000

    /// Throws when there is nothing to play.
    package init(_ resolved: ResolvedAd, bid: JSONValue?, screen: PixelSize) throws(AdError) {
        guard let linear = resolved.linears.first else {
            throw AdError(.internalError, "the VAST document has no linear creative")
        }
        guard let duration = linear.linear.durationMilliseconds, duration > 0 else {
            throw AdError(.internalError, "the linear creative has no duration")
        }
        self.resolved = resolved
        self.duration = min(duration, Self.maximumDuration)
        plan = TrackingPlan(resolved)
        rewarded = RewardedVideo(in: resolved.extensions.map(\.value))
        rules = RewardRules(extension: rewarded, bid: bid)
        endCard = EndCard(
            from: resolved.preferredCompanionAds?.companions ?? [], screenWidth: screen.width,
            screenHeight: screen.height)
        skipFrom = linear.linear.skipOffsetMilliseconds
        clickThrough = linear.clickThrough?.value.url
        title = resolved.ad.title
    }

    /// The files to choose from.
    package var files: [VASTDocument.MediaFile] { resolved.linears.first?.linear.mediaFiles ?? [] }
}

extension EndCard {
    /// The kind in vectors: markup, the address of markup, a frame, a picture (R10).
    package var kindName: String {
        switch content {
        case .html(let text): (try? WebURL(text)) == nil ? "html" : "htmlURL"
        case .frame: "iframe"
        case .image: "static"
        }
    }

    /// Markup or address.
    package var value: String {
        switch content {
        case .html(let text): text
        case .frame(let url), .image(let url, _): url
        }
    }
}
