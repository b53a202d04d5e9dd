import VAST

/// The video that was got ready for an ad: which file, from where, and why that one.
package struct PreparedMedia: Sendable, Hashable {
    package var url: String
    /// `low`, `mid` or `high`.
    package var quality: String
    package var width: Int?
    package var height: Int?
    /// kbit/s.
    package var bitrate: Int?
    /// As its server says, and its size in bytes; nil where nobody said.
    package var type: String?
    package var bytes: Int?
    /// Milliseconds by the file's own header; nil where it could not be read.
    package private(set) var fileDuration: Int64?
    /// What its player will say of it.
    package private(set) var status = PlayerStatus.readyToPlay
    /// Of the zone store's copy; nil when it was just loaded.
    package var age: Duration?
    /// Why this quality, one clause.
    package var reason: String

    package init(
        url: String, quality: String, width: Int? = nil, height: Int? = nil, bitrate: Int? = nil, age: Duration? = nil,
        reason: String
    ) {
        self.url = url
        self.quality = quality
        self.width = width
        self.height = height
        self.bitrate = bitrate
        self.age = age
        self.reason = reason
    }

    /// Looks at the beginning of the file, as a player does before it plays.
    package mutating func examine(_ beginning: [UInt8]) {
        fileDuration = MP4Header(beginning)?.duration
        status = PlayerStatus(beginning: beginning, type: type)
    }

    /// With what a document says of the file, where the store did not keep it.
    func described(by files: [VASTDocument.MediaFile]) -> PreparedMedia {
        guard let file = files.first(where: { $0.url == url }) else { return self }
        var media = self
        media.width = width ?? file.width
        media.height = height ?? file.height
        media.bitrate = bitrate ?? file.bitrate ?? file.maximumBitrate
        return media
    }
}

/// What the zone store had for a unit: answer and video of less than an hour ago (CACHE-15).
package struct StoredZone: Sendable, Hashable {
    package var response: [UInt8]
    package var sourceURL: String
    package var media: PreparedMedia

    package init(response: [UInt8], sourceURL: String, media: PreparedMedia) {
        self.response = response
        self.sourceURL = sourceURL
        self.media = media
    }
}
