/// The capabilities of a player, by which media files and companions are selected.
package struct PlayerProfile: Hashable, Sendable {
    /// MIME types, most preferred first.
    package var types: [String]
    /// Width and height of the area in which the ad plays, in pixels.
    package var width: Int
    package var height: Int
    /// Highest bitrate of a progressive file in kilobits per second; nil for no limit.
    package var maximumBitrate: Int?
    /// Codecs that it can decode, compared without profile (`avc1` for `avc1.640028`); empty for any.
    package var codecs: [String] = []
    /// Accepted deliveries, `progressive` and `streaming`; empty for any.
    package var deliveries: [String] = []

    package init(types: [String], width: Int, height: Int, maximumBitrate: Int? = nil) {
        self.types = types
        self.width = width
        self.height = height
        self.maximumBitrate = maximumBitrate
    }

    /// A television: adaptive streams first, then MP4, in full HD.
    package static let television = PlayerProfile(
        types: ["application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml", "video/mp4"],
        width: 1_920, height: 1_080)

    /// A player without a screen: audio files, then audio in streams (VAST 4.1 section 1.3.5, DAAST).
    package static let radio = PlayerProfile(
        types: [
            "audio/mp4", "audio/aac", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/x-m4a", "audio/mpegurl",
            "application/x-mpegurl", "application/vnd.apple.mpegurl",
        ], width: 0, height: 0)

    /// The player that this one is for an ad: an ad whose `adType` is audio has no video, a hybrid one may have none (VAST 4.1
    /// section 1.3.5).
    package func playing(_ ad: VASTDocument.Ad) -> PlayerProfile {
        switch ad.adType?.lowercased() {
        case "audio": return .radio
        case "hybrid":
            var both = self
            both.types += Self.radio.types
            return both
        default: return self
        }
    }
}
