/// A media file of an ad, as far as the mapping looks at it.
package struct Rendition: Hashable, Sendable {
    package var url: String
    /// MIME type.
    package var type: String?
    package var delivery: String?
    /// kbit/s; of a range the upper end.
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

    /// The mapping takes complete MP4 files only (CACHE-17).
    package var isPlayable: Bool {
        !url.isEmpty && type?.lowercased() == "video/mp4" && delivery?.lowercased() == "progressive"
    }

    fileprivate var pixels: Double { Double(width ?? 0) * Double(height ?? 0) }
}

/// Which media file is the low, the middle and the high quality of an ad (CACHE-17).
package struct MediaMapping: Hashable, Sendable {
    package let low: Rendition
    package let mid: Rendition
    package let high: Rendition
    /// All that can be played, from the least to the most demanding.
    package let playable: [Rendition]

    /// Error that a player reports when there is no mapping (VAST 4.3 section 2.3.6.3).
    package static let nothingPlayableCode = 403

    /// Nil when nothing can be played.
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
        // The lower median: of two files it is the first.
        mid = playable[(playable.count - 1) / 2]
    }

    package subscript(quality: Quality) -> Rendition {
        switch quality {
        case .low: low
        case .mid: mid
        case .high: high
        }
    }

    /// Share of the line that a file may need, so that it starts without a wait.
    package static let bandwidthShare = 0.8

    /// What a plain bandwidth rule takes: the most demanding file that needs at most 80 % of the line, else the least
    /// demanding. Files of unknown bitrate count as needing nothing.
    package func rendition(forBandwidth kilobitsPerSecond: Int) -> Rendition {
        let allowed = Double(kilobitsPerSecond) * Self.bandwidthShare
        return playable.last { Double($0.bitrate ?? 0) <= allowed } ?? low
    }
}
