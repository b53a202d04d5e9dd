import Ports

/// The variant that a person wants (HLS-31).
package enum VariantWish: Hashable, Sendable {
    /// The highest BANDWIDTH with video.
    case best
    /// The lowest BANDWIDTH with video.
    case worst
    /// The height of a RESOLUTION, or else a BANDWIDTH in bit/s.
    case number(Int)
    /// The height of a RESOLUTION.
    case height(Int)
    /// The address of a variant, or its end.
    case uri(String)

    /// The words of the two that need no value.
    package static let words = ["best", "worst"]
    /// What a wish may be, for help and errors.
    package static let forms = "best, worst, a height such as 720, a bandwidth in bit/s or the end of a variant's URI"
    /// Why there is nothing to choose, as a clause.
    package static let noVariants = "the stream has one playlist and no variants"
    /// Longest text of a wish in bytes: that of a URI.
    package static let longestText = PlaylistLimits.uriBytes

    /// Reads `best`, `worst`, `720`, `720p`, `2400000` or the end of an address. Nil for a text that can be none of them:
    /// one that is empty, has white space or is too long.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longestText, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let isHeight = text.last == "p"
        let digits = isHeight ? text.dropLast() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) {
            guard let number = Int(digits), number > 0 else { return nil }
            self = isHeight ? .height(number) : .number(number)
        } else {
            self = text == "best" ? .best : text == "worst" ? .worst : .uri(text)
        }
    }

    /// The text that reads as this wish.
    package var text: String {
        switch self {
        case .best: "best"
        case .worst: "worst"
        case .number(let number): String(number)
        case .height(let height): "\(height)p"
        case .uri(let uri): uri
        }
    }
}

/// Why no variant is the one that a person wants: a clause that lists what there is.
package struct VariantProblem: Error, Hashable, Sendable {
    package var explanation: String
}

extension VariantWish {
    /// The text for output: an address without its secrets.
    package var shown: String {
        guard case .uri(let uri) = self else { return text }
        return Redaction.url(uri)
    }

    /// Most variants that a problem lists.
    private static let listed = 12

    /// The variant of this wish: of several that fit, the one with the highest BANDWIDTH, and of those the first.
    package func pick(from options: [VariantOption]) throws(VariantProblem) -> VariantOption {
        let fitting = fitting(in: options)
        let isLowest = self == .worst
        let best = fitting.max { isLowest ? $0.bandwidth > $1.bandwidth : $0.bandwidth < $1.bandwidth }
        guard let best else { throw problem("there is none such", options) }
        if case .uri = self, fitting.contains(where: { $0.bandwidth != best.bandwidth }) {
            throw problem("this fits several", fitting)
        }
        return best
    }

    private func fitting(in options: [VariantOption]) -> [VariantOption] {
        switch self {
        case .best, .worst:
            let withVideo = options.filter(\.variant.hasVideo)
            return withVideo.isEmpty ? options : withVideo
        case .height(let height):
            return options.filter { $0.variant.resolution?.height == height }
        case .number(let number):
            let byHeight = options.filter { $0.variant.resolution?.height == number }
            return byHeight.isEmpty ? options.filter { $0.variant.bandwidth.map { $0 <= number } ?? false } : byHeight
        case .uri(let uri):
            let exact = options.filter { $0.url.text == uri }
            guard exact.isEmpty else { return exact }
            return options.filter { option in
                let text = option.url.text
                return text.hasSuffix(uri) || text.prefix { $0 != "?" }.hasSuffix(uri)
            }
        }
    }

    private func problem(_ reason: String, _ options: [VariantOption]) -> VariantProblem {
        let list = options.prefix(Self.listed).map(\.summary).joined(separator: ", ")
        let more = options.count > Self.listed ? " and \(options.count - Self.listed) more" : ""
        return VariantProblem(explanation: "variant '\(shown)': \(reason); choose one of \(list)\(more)")
    }
}

extension VariantOption {
    /// BANDWIDTH, 0 when it is missing.
    var bandwidth: Int { variant.bandwidth ?? 0 }

    /// Resolution, bandwidth and the last part of the path, such as `1280x720 2,400 kbit/s high.m3u8`.
    package var summary: String {
        let rate = variant.bandwidth.map { "\(($0 / 1_000).grouped) kbit/s" }
        return [variant.resolution?.description, rate, fileName].compactMap { $0 }.joined(separator: " ")
    }

    /// The last part of the path, which may contain text from outside.
    package var fileName: String {
        url.path.split(separator: "/").last.map { String($0.prefix(Self.shownName)) } ?? url.path
    }

    private static let shownName = 48
}
