package import Ports

/// A variant that can be followed.
package struct VariantOption: Hashable, Sendable {
    /// Its place in the multivariant playlist, from 1; clones of a pathway come after all that are written there.
    package var number: Int
    package var variant: Variant
    package var url: WebURL

    package init(number: Int, variant: Variant, url: WebURL) {
        self.number = number
        self.variant = variant
        self.url = url
    }

    /// PATHWAY-ID, `.` where there is none (rfc8216bis-22 section 4.4.6.2).
    package var pathway: String { variant.pathwayID ?? Self.defaultPathway }

    /// The pathway of variants that name none.
    package static let defaultPathway = "."
}

extension Variant {
    /// Whether anything says that it shows pictures; audio-only variants name only audio codecs.
    package var hasVideo: Bool {
        guard resolution == nil else { return true }
        guard let codecs else { return true }
        return codecs.split(separator: ",").contains { codec in
            let name = codec.drop { $0 == " " }
            return !["mp4a", "ac-3", "ec-3", "ac-4", "opus", "fLaC", "stpp", "wvtt"].contains { name.hasPrefix($0) }
        }
    }
}
