/// A VAST document as it was written: VAST 2.0 to 4.3, the 4.4 draft's NonLinear, and an extract of VAST 1.0.
///
/// Elements are read where any version has them, whatever version the document declares; documents declare too much and
/// too little all the time (vast-vmap 1.6). Nothing is sorted, merged or expanded in here.
package struct VASTDocument: Hashable, Sendable {
    /// Local name of the root.
    package var root: String
    package var namespace: String?
    package var version: String?
    /// The root's `Error` elements: for an answer without ads.
    package var errors: [Link] = []
    /// In document order. An Ad without InLine and Wrapper is left out.
    package var ads: [Ad] = []
    /// The ads of VAST 1.0; nil for later versions.
    package var legacyAds: [LegacyAd]?
    package var position: SourcePosition

    /// The declared version as numbers; nil when missing or no number.
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

    /// Reads `3`, `3.0`, `2.0.1`.
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
    /// A draft (vast-vmap 1.3).
    package static let v44 = VASTVersion(4, 4)
}

extension VASTDocument {
    /// What of a VAST 1.0 ad is worth showing beside the message that nobody plays it any more.
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
