package import Ports

/// What is kept of a rewarded zone besides the video itself: the answer of the ad server and how the video was chosen
/// (CACHE-15).
package struct ZoneRecord: Hashable, Sendable {
    /// Number of an ad space, as text.
    package var zone: String
    package var storedAt: UnixTime
    /// Where the answer came from.
    package var sourceURL: String
    /// The answer: a VAST document.
    package var response: [UInt8]
    /// Of the video that was saved.
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

/// Whether a saved zone may be used instead of asking the ad server.
package enum ZoneVerdict: Hashable, Sendable {
    case hit
    case miss(Reason)

    package enum Reason: String, Hashable, Sendable {
        /// What is saved belongs to another zone.
        case zone
        case responseMissing, mediaMissing
        /// An hour old or more.
        case expired
        /// It is from the future: the clock went back.
        case clock

        /// One clause for people.
        package var explanation: String {
            switch self {
            case .zone: "it belongs to another zone"
            case .responseMissing: "the answer is not there"
            case .mediaMissing: "the video is not there"
            case .expired: "it is older than an hour"
            case .clock: "it is from the future: the clock went back"
            }
        }
    }
}

/// What is known of a zone before it is used.
package struct ZonePresence: Hashable, Sendable {
    /// Nil when nothing at all is saved.
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

    /// How long answer and video are used again.
    package static let life: Duration = .seconds(3_600)

    /// The rule: both are there and younger than an hour (CACHE-15).
    package func verdict(for askedZone: String) -> ZoneVerdict {
        guard zone == askedZone else { return .miss(zone == nil ? .responseMissing : .zone) }
        guard hasResponse else { return .miss(.responseMissing) }
        guard hasMedia else { return .miss(.mediaMissing) }
        guard age >= .zero else { return .miss(.clock) }
        return age < Self.life ? .hit : .miss(.expired)
    }
}
