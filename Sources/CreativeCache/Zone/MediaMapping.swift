/// A media file of an ad, with the properties that the mapping uses.
package struct Rendition: Hashable, Sendable {
    package var url: String
    /// MIME type.
    package var type: String?
    package var delivery: String?
    /// Bitrate in kbit/s; the upper end of a range.
    package var bitrate: Int?
    package var width: Int?
    package var height: Int?

    package init(
        url: String, type: String?, delivery: String?, bitrate: Int? = nil, width: Int? = nil, height: Int? = nil
    ) {
        self.url = url
        self.type = type
        self.delivery = delivery
        self.bitrate = bitrate
        self.width = width
        self.height = height
    }

    /// The mapping uses only complete MP4 files (CACHE-17).
    package var isPlayable: Bool {
        !url.isEmpty && bareType == "video/mp4" && delivery?.lowercased() == "progressive"
    }

    /// The type in lower case without parameters, such as those that name codecs (RFC 6381).
    private var bareType: String? {
        type?.prefix { $0 != ";" && $0 != " " }.lowercased()
    }

    fileprivate var pixels: Double { Double(width ?? 0) * Double(height ?? 0) }
}

/// Assigns media files to the low, middle and high quality of an ad (CACHE-17).
package struct MediaMapping: Hashable, Sendable {
    package let low: Rendition
    package let mid: Rendition
    package let high: Rendition
    /// All playable files, by increasing bandwidth demand.
    package let playable: [Rendition]

    /// The error that a player reports when there is no mapping (VAST 4.3 section 2.3.6.3).
    package static let nothingPlayableCode = 403

    /// Nil when no file is playable.
    package init?(_ renditions: [Rendition]) {
        playable = renditions.enumerated().filter { $0.element.isPlayable }
            .sorted { left, right in
                let (a, b) = (left.element, right.element)
                return (a.bitrate ?? 0, a.pixels, left.offset) < (b.bitrate ?? 0, b.pixels, right.offset)
            }
            .map(\.element)
        guard let low = playable.first, let high = playable.last else { return nil }
        self.low = low
        self.high = high
        // The lower median: the first of two files.
        mid = playable[(playable.count - 1) / 2]
    }

    package subscript(quality: Quality) -> Rendition {
        switch quality {
        case .low: low
        case .mid: mid
        case .high: high
        }
    }

    /// Fraction of the bandwidth that a file may need, so that it starts without waiting.
    package static let bandwidthShare = 0.8

    /// The choice of a simple bandwidth rule: the most demanding file that needs at most 80 % of the bandwidth, else
    /// the least demanding. A file of unknown bitrate counts as needing none.
    package func rendition(forBandwidth kilobitsPerSecond: Int) -> Rendition {
        let allowed = Double(kilobitsPerSecond) * Self.bandwidthShare
        return playable.last { Double($0.bitrate ?? 0) <= allowed } ?? low
    }
}
