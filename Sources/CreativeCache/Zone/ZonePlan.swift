package import Ports

/// Which zones are evicted when the zone store is full, and what may be stored (CACHE-15).
package enum ZonePlan {
    /// Most bytes of all videos together.
    package static let defaultQuota = 512 << 20
    /// Most bytes of one video; a larger one is rejected.
    package static let maximumMediaBytes = 100 << 20

    /// A stored zone.
    package struct Item: Hashable, Sendable {
        package var zone: String
        package var bytes: Int
        package var lastUsed: UnixTime

        package init(zone: String, bytes: Int, lastUsed: UnixTime) {
            self.zone = zone
            self.bytes = bytes
            self.lastUsed = lastUsed
        }
    }

    /// The zones to delete, least recently used first, so that `bytes` more fit; nil when they can never fit.
    package static func evictions(from items: [Item], toFit bytes: Int, quota: Int) -> [String]? {
        guard bytes <= quota else { return nil }
        var total = items.reduce(0) { $0.addingSaturating($1.bytes) }
        var leaving: [String] = []
        for item in items.sorted(by: { ($0.lastUsed, $0.zone) < ($1.lastUsed, $1.zone) }) {
            guard total.addingSaturating(bytes) > quota else { break }
            total -= item.bytes
            leaving.append(item.zone)
        }
        return leaving
    }

    /// Whether a download is a video: `video/…`, or bytes of unknown type.
    package static func isMedia(contentType: String?) -> Bool {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased()
        return type.hasPrefix("video/") || type == "application/octet-stream"
    }
}
