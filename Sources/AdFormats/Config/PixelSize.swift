package import Ports

/// Width and height in pixels.
package struct PixelSize: Sendable, Hashable {
    /// Pixels of one cell of a terminal (FMT-2).
    package static let cell = PixelSize(width: 8, height: 16)
    /// Longest side of an ad; larger numbers are mistakes or attacks.
    package static let maximumSide = 16_384

    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Parses `320x50`; nil unless both sides are 1 to ``maximumSide``.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        self.init(checked: width, height)
    }

    /// Parses `[320, 50]` or `{"w": 320, "h": 50}`; nil unless both sides are 1 to ``maximumSide``.
    package init?(json: JSONValue?) {
        let sides =
            json?.arrayValue.flatMap { $0.count == 2 ? ($0[0].integerValue, $0[1].integerValue) : nil }
            ?? (json?["w"]?.integerValue, json?["h"]?.integerValue)
        guard let width = sides.0.flatMap(Int.init(exactly:)), let height = sides.1.flatMap(Int.init(exactly:)) else {
            return nil
        }
        self.init(checked: width, height)
    }

    private init?(checked width: Int, _ height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else { return nil }
        self.init(width: width, height: height)
    }

    /// The size as `320x50`.
    package var text: String { "\(width)x\(height)" }
    package var area: Int { width * height }
    /// Number of terminal rows it covers.
    package var rows: Int { (height + Self.cell.height - 1) / Self.cell.height }
    /// Number of terminal columns it covers.
    package var columns: Int { (width + Self.cell.width - 1) / Self.cell.width }
}

/// Names that apps use instead of sizes (FMT-3).
package struct NamedSizes: Sendable, Hashable {
    private var byName: [String: PixelSize]

    package init(_ byName: [String: PixelSize] = [:]) {
        self.byName = byName
    }

    /// The size for a name: the plugin's own names first, then the common ones. `SMART_BANNER` is as wide as the
    /// screen.
    package func size(of name: String, on profile: DeviceProfile) -> PixelSize? {
        if let own = byName[name] { return own }
        switch name {
        case "BANNER": return PixelSize(width: 320, height: 50)
        case "BOX_BANNER": return PixelSize(width: 300, height: 250)
        case "SMART_BANNER": return PixelSize(width: profile.screen.width, height: 50)
        case "BILLBOARD_BANNER": return PixelSize(width: 320, height: 150)
        case "SPONSOR": return PixelSize(width: 320, height: 51)
        default: return nil
        }
    }

    /// An object with `[w, h]` by name.
    package var json: JSONValue {
        .object(
            JSONObject(
                byName.sorted { $0.key < $1.key }.map {
                    .init(name: $0.key, value: [.optional($0.value.width), .optional($0.value.height)])
                }))
    }

    /// Adds the names of `other`; own names take precedence.
    package func merging(_ other: NamedSizes) -> NamedSizes {
        NamedSizes(byName.merging(other.byName) { own, _ in own })
    }
}
