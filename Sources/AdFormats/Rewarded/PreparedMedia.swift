import VAST

/// The video prepared for an ad: its file, its source, and the reason for the choice.
package struct PreparedMedia: Sendable, Hashable {
    package var url: String
    /// `low`, `mid` or `high`.
    package var quality: String
    package var width: Int?
    package var height: Int?
    /// Bitrate in kbit/s.
    package var bitrate: Int?
    /// Content type according to the server, and below the size in bytes; nil when unknown.
    package var type: String?
    package var bytes: Int?
    /// Duration in milliseconds from the file's own header; nil when unreadable.
    package private(set) var fileDuration: Int64?
    /// The status that a player will report.
    package private(set) var status = PlayerStatus.readyToPlay
    /// Age of the copy in the zone store; nil when the file was just loaded.
    package var age: Duration?
    /// Why this quality was chosen, as a clause.
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

    /// Checks the beginning of the file, as a player does before it plays.
    package mutating func examine(_ beginning: [UInt8]) {
        fileDuration = MP4Header(beginning)?.duration
        status = PlayerStatus(beginning: beginning, type: type)
    }

    /// Adds what a document states about the file, when the store did not keep it.
    func described(by files: [VASTDocument.MediaFile]) -> PreparedMedia {
        guard let file = files.first(where: { $0.url == url }) else { return self }
        var media = self
        media.width = width ?? file.width
        media.height = height ?? file.height
        media.bitrate = bitrate ?? file.bitrate ?? file.maximumBitrate
        return media
    }
}

/// The stored answer and video of a unit, less than an hour old (CACHE-15).
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
