package import Ports

/// The stored data of a rewarded zone apart from the video: the answer of the ad server and the choice of the video
/// (CACHE-15).
package struct ZoneRecord: Hashable, Sendable {
    /// Number of the ad space, as text.
    package var zone: String
    package var storedAt: UnixTime
    /// URL of the answer.
    package var sourceURL: String
    /// The body of the answer: a VAST document.
    package var response: [UInt8]
    /// URL of the stored video.
    package var mediaURL: String
    package var mediaType: String?
    package var mediaBytes: Int
    package var measurement: DownloadMeasurement
    package var etag: String?

    package init(
        zone: String, storedAt: UnixTime, sourceURL: String, response: [UInt8], mediaURL: String, mediaType: String?,
        mediaBytes: Int, measurement: DownloadMeasurement, etag: String? = nil
    ) {
        self.zone = zone
        self.storedAt = storedAt
        self.sourceURL = sourceURL
        self.response = response
        self.mediaURL = mediaURL
        self.mediaType = mediaType
        self.mediaBytes = mediaBytes
        self.measurement = measurement
        self.etag = etag
    }
}

/// Whether a stored zone may be used instead of a request to the ad server.
package enum ZoneVerdict: Hashable, Sendable {
    case hit
    case miss(Reason)

    package enum Reason: String, Hashable, Sendable {
        /// The stored data belongs to another zone.
        case zone
        case responseMissing, mediaMissing
        /// The data is an hour old or more.
        case expired
        /// The data is dated in the future: the clock was set back.
        case clock

        /// The reason as a clause for display.
        package var explanation: String {
            switch self {
            case .zone: "it belongs to another zone"
            case .responseMissing: "the answer is missing"
            case .mediaMissing: "the video is missing"
            case .expired: "it is older than an hour"
            case .clock: "it is dated in the future because the clock was set back"
            }
        }
    }
}

/// The known facts about a zone before its use.
package struct ZonePresence: Hashable, Sendable {
    /// Nil when nothing is stored.
    package var zone: String?
    package var age: Duration
    package var hasResponse: Bool
    package var hasMedia: Bool

    package init(zone: String?, age: Duration, hasResponse: Bool, hasMedia: Bool) {
        self.zone = zone
        self.age = age
        self.hasResponse = hasResponse
        self.hasMedia = hasMedia
    }

    /// How long answer and video may be reused.
    package static let life: Duration = .seconds(3_600)

    /// The rule: both exist and are less than an hour old (CACHE-15).
    package func verdict(for askedZone: String) -> ZoneVerdict {
        guard zone == askedZone else { return .miss(zone == nil ? .responseMissing : .zone) }
        guard hasResponse else { return .miss(.responseMissing) }
        guard hasMedia else { return .miss(.mediaMissing) }
        guard age >= .zero else { return .miss(.clock) }
        return age < Self.life ? .hit : .miss(.expired)
    }
}
