/// The device data of an ad call: neutral values, never those of the machine (FMT-7).
package struct DeviceProfile: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case phone, tablet, tv, terminal
    }

    /// Area in which a touch closes a full-screen ad: a corner, in points (FMT-2).
    package static let closeRegion = PixelSize(width: 65, height: 65)

    package var kind: Kind
    package var screen: PixelSize
    /// The default size of banners (FMT-2).
    package var banner: PixelSize
    package var os: String
    package var osVersion: String
    package var model: String

    package init(
        kind: Kind, screen: PixelSize, banner: PixelSize, os: String, osVersion: String, model: String
    ) {
        self.kind = kind
        self.screen = screen
        self.banner = banner
        self.os = os
        self.osVersion = osVersion
        self.model = model
    }

    package static let phone = DeviceProfile(
        kind: .phone, screen: PixelSize(width: 375, height: 667), banner: PixelSize(width: 320, height: 50),
        os: "generic", osVersion: "1", model: "phone")
    package static let tablet = DeviceProfile(
        kind: .tablet, screen: PixelSize(width: 768, height: 1_024), banner: PixelSize(width: 728, height: 90),
        os: "generic", osVersion: "1", model: "tablet")
    package static let tv = DeviceProfile(
        kind: .tv, screen: PixelSize(width: 1_920, height: 1_080), banner: PixelSize(width: 728, height: 90),
        os: "generic", osVersion: "1", model: "tv")
    package static let terminal = DeviceProfile(
        kind: .terminal, screen: PixelSize(width: 960, height: 640), banner: PixelSize(width: 728, height: 90),
        os: "generic", osVersion: "1", model: "terminal")

    package init(_ kind: Kind) {
        switch kind {
        case .phone: self = .phone
        case .tablet: self = .tablet
        case .tv: self = .tv
        case .terminal: self = .terminal
        }
    }
}
