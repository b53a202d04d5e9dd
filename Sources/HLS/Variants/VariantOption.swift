package import Ports

/// A variant that can be followed.
package struct VariantOption: Hashable, Sendable {
    /// Position in the multivariant playlist, from 1; clones of a pathway follow all written ones.
    package var number: Int
    package var variant: Variant
    package var url: WebURL

    package init(number: Int, variant: Variant, url: WebURL) {
        self.number = number
        self.variant = variant
        self.url = url
    }

    /// PATHWAY-ID; `.` when there is none (rfc8216bis-22 section 4.4.6.2).
    package var pathway: String { variant.pathwayID ?? Self.defaultPathway }

    /// The pathway of variants without PATHWAY-ID.
    package static let defaultPathway = "."
}

extension Variant {
    /// Whether any attribute indicates video; audio-only variants name only audio codecs.
    package var hasVideo: Bool {
        guard resolution == nil else { return true }
        guard let codecs else { return true }
        return codecs.split(separator: ",").contains { codec in
            let name = codec.drop { $0 == " " }
            return !["mp4a", "ac-3", "ec-3", "ac-4", "opus", "fLaC", "stpp", "wvtt"].contains { name.hasPrefix($0) }
        }
    }
}
