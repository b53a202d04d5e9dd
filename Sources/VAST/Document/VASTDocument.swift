/// A VAST document as written: VAST 2.0 to 4.3, NonLinear of the 4.4 draft, and an extract of VAST 1.0.
///
/// Elements are read wherever any version defines them, regardless of the declared version, because documents often
/// declare too low or too high a version (VAST-6). Nothing is sorted, merged or expanded here.
package struct VASTDocument: Hashable, Sendable {
    /// Local name of the root element.
    package var root: String
    package var namespace: String?
    package var version: String?
    /// `Error` elements of the root, for a response without ads.
    package var errors: [Link] = []
    /// The ads in document order. An Ad without InLine and Wrapper is dropped.
    package var ads: [Ad] = []
    /// The ads of VAST 1.0; nil for later versions.
    package var legacyAds: [LegacyAd]?
    package var position: SourcePosition

    /// The declared version as numbers; nil when missing or not a number.
    package var versionNumber: VASTVersion? { version.flatMap { VASTVersion($0) } }
}

/// A version of the standard.
package struct VASTVersion: Hashable, Comparable, Sendable {
    package var major: Int
    package var minor: Int

    package init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses `3`, `3.0`, `2.0.1`.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let major = Int(parts[0]), (0...99).contains(major) else { return nil }
        guard let minor = parts.count > 1 ? Int(parts[1]) : 0, (0...99).contains(minor) else { return nil }
        self.init(major, minor)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    package static let v2 = VASTVersion(2, 0)
    package static let v3 = VASTVersion(3, 0)
    package static let v4 = VASTVersion(4, 0)
    package static let v41 = VASTVersion(4, 1)
    package static let v42 = VASTVersion(4, 2)
    package static let v43 = VASTVersion(4, 3)
    /// VAST 4.4, a draft (VAST-3).
    package static let v44 = VASTVersion(4, 4)
}

extension VASTDocument {
    /// The extract of a VAST 1.0 ad that is shown with the unsupported-version error.
    package struct LegacyAd: Hashable, Sendable {
        package var id: String?
        package var isWrapper: Bool
        package var system: String?
        package var title: String?
        package var impressions: [Link] = []
        package var durations: [Int64?] = []
        package var mediaFiles: [Link] = []
        package var trackingEvents: [String] = []
        package var companions = 0
        package var nonLinears = 0
        package var position: SourcePosition
    }
}
