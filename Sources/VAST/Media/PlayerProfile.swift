/// What a player can show: the ground on which media files and companions are chosen.
package struct PlayerProfile: Hashable, Sendable {
    /// MIME types, the most wanted first.
    package var types: [String]
    /// Of the area in which the ad plays, in pixels.
    package var width: Int
    package var height: Int
    /// Kilobits per second that a progressive file may need; nil for no bound.
    package var maximumBitrate: Int?
    /// Codecs it can decode, compared without profile (`avc1` for `avc1.640028`); empty for any.
    package var codecs: [String] = []
    /// `progressive`, `streaming`; empty for any.
    package var deliveries: [String] = []

    package init(types: [String], width: Int, height: Int, maximumBitrate: Int? = nil) {
        self.types = types
        self.width = width
        self.height = height
        self.maximumBitrate = maximumBitrate
    }

    /// A television set: adaptive streams first, then MP4, in full HD.
    package static let television = PlayerProfile(
        types: ["application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml", "video/mp4"],
        width: 1_920, height: 1_080)
}
