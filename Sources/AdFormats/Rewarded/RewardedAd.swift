package import Ports
package import VAST

/// A rewarded video as its document describes it (FMT-16): media, trackers and end card.
package struct RewardedAd: Sendable, Hashable {
    package var resolved: ResolvedAd
    package var plan: TrackingPlan
    package var rules: RewardRules
    /// The extension as written; nil when the document has none.
    package var rewarded: RewardedVideo?
    package var endCard: EndCard?
    /// Duration in milliseconds.
    package var duration: Int64
    /// Milliseconds after which it may be skipped; nil means never.
    package var skipFrom: Int64?
    package var clickThrough: String?
    package var title: String?

    /// Longest duration in milliseconds; longer ads are cut to it.
    static let maximumDuration: Int64 = 3_600_000

    /// Throws when there is no playable creative.
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
        if endCard == nil { rules.noteMissingEndCard() }
        skipFrom = linear.linear.skipOffsetMilliseconds
        clickThrough = linear.clickThrough?.value.url
        title = resolved.ad.title
    }

    /// The VAST error of an ad without a playable creative (VAST 4.3 section 2.3.6.3).
    package static func errorCode(of ad: ResolvedAd) -> Int { ad.linears.isEmpty ? 201 : 101 }

    /// Messages shown over the video.
    package var messagesBefore: [String] { rewarded?.messagesBefore ?? [] }
    /// Messages shown after the video.
    package var messagesAfter: [String] { rewarded?.messagesAfter ?? [] }

    /// The media files to choose from.
    package var files: [VASTDocument.MediaFile] { resolved.linears.first?.linear.mediaFiles ?? [] }
}

extension EndCard {
    /// The kind as in vectors: markup, the URL of markup, a frame, a picture (FMT-21).
    package var kindName: String {
        switch content {
        case .html(let text): (try? WebURL(text)) == nil ? "html" : "htmlURL"
        case .frame: "iframe"
        case .image: "static"
        }
    }

    /// The readable text of markup; nil when the card is a URL.
    package var text: [String]? { kindName == "html" ? MarkupText(value).lines : nil }
    /// For example `768x1024`; nil when unknown.
    package var sizeText: String? {
        companion.width.flatMap { width in companion.height.map { "\(width)x\($0)" } }
    }
    /// The card's own landing page, not that of the ad.
    package var clickThroughURL: String? { companion.clickThrough?.url }

    /// The markup or URL.
    package var value: String {
        switch content {
        case .html(let text): text
        case .frame(let url), .image(let url, _): url
        }
    }
}
