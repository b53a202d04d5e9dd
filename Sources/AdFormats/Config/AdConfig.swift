/// What a slot asks for (FMT-1).
package struct AdConfig: Sendable, Hashable {
    /// Characters of a unit or zone id.
    package static let unitLength = 1...128

    /// The ad space: the number or name the ad server gave it.
    package var unit: String
    package var format: AdFormat
    package var placement: AdPlacementKind
    /// `BOX_BANNER`, for example; nil takes the profile's banner.
    package var sizeName: String?
    /// A size said outright; wins over the name.
    package var size: PixelSize?
    /// Further parameters of the ad call, in order.
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

    /// Why nothing can be asked for with it; nil when something can.
    package var problem: AdError? {
        if unit.isEmpty { return AdError(.invalidRequest, "the unit is missing") }
        if !Self.unitLength.contains(unit.count) {
            return AdError(.invalidRequest, "the unit has more than \(Self.unitLength.upperBound) characters")
        }
        return nil
    }

    /// The size to ask for; nil where the format has none of its own, or the name is not known.
    package func size(_ sizes: NamedSizes, on profile: DeviceProfile) -> PixelSize? {
        if let size { return size }
        if let sizeName { return sizes.size(of: sizeName, on: profile) }
        return format == .banner ? profile.banner : nil
    }
}
