/// The request of a slot (FMT-1).
package struct AdConfig: Sendable, Hashable {
    /// Allowed number of characters in a unit or zone id.
    package static let unitLength = 1...128

    /// The id of the ad space at the ad server: a number or name.
    package var unit: String
    package var format: AdFormat
    package var placement: AdPlacementKind
    /// For example `BOX_BANNER`; nil uses the profile's banner.
    package var sizeName: String?
    /// An explicit size, which overrides the name.
    package var size: PixelSize?
    /// Additional parameters of the ad call, in order.
    package var extra: [Parameter] = []

    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        unit: String, format: AdFormat, placement: AdPlacementKind? = nil, sizeName: String? = nil,
        size: PixelSize? = nil
    ) {
        self.unit = unit
        self.format = format
        self.placement = placement ?? (format.isFullScreen ? .interstitial : .inlineBanner)
        self.sizeName = sizeName
        self.size = size
    }

    /// Why the request is invalid; nil when it is valid.
    package var problem: AdError? {
        if unit.isEmpty { return AdError(.invalidRequest, "the unit is missing") }
        if !Self.unitLength.contains(unit.count) {
            return AdError(.invalidRequest, "the unit has more than \(Self.unitLength.upperBound) characters")
        }
        return nil
    }

    /// The size to request; nil when the format has no size, or the name is unknown.
    package func size(_ sizes: NamedSizes, on profile: DeviceProfile) -> PixelSize? {
        if let size { return size }
        if let sizeName { return sizes.size(of: sizeName, on: profile) }
        return format == .banner ? profile.banner : nil
    }
}
