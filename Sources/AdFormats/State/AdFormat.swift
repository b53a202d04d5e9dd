/// The kind of ad that a slot shows (FMT-1).
package enum AdFormat: String, Sendable, Hashable, CaseIterable {
    case banner, interstitial, rewarded, native

    /// Whether it covers the screen, and only after `show`.
    package var isFullScreen: Bool { self == .interstitial || self == .rewarded }
}

/// Where the host puts an ad (FMT-1).
package enum AdPlacementKind: String, Sendable, Hashable, CaseIterable {
    case inlineBanner, screenBanner, interstitial
}
