/// A decimal-resolution (rfc8216bis-22 section 4.2).
package struct Resolution: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}

/// EXT-X-STREAM-INF with its URI line, or EXT-X-I-FRAME-STREAM-INF (rfc8216bis-22 sections 4.4.6.2 and 4.4.6.3).
package struct Variant: Hashable, Sendable {
    /// Resolved against the URI of the playlist.
    package var uri: String
    /// Whether the playlist ends with the URI, without the line end that rfc8216bis-22 section 4.1 wants. Many servers leave it
    /// out; but so ends a playlist of which a part was lost on the way, and then the URI may be the beginning of one.
    package var mayBeCut = false
    /// BANDWIDTH: peak bit/s; nil when the required attribute is missing.
    package var bandwidth: Int?
    package var averageBandwidth: Int?
    /// CODECS as written.
    package var codecs: String?
    package var supplementalCodecs: String?
    /// RESOLUTION in pixels.
    package var resolution: Resolution?
    /// FRAME-RATE: maximum frames per second.
    package var frameRate: Double?
    /// SCORE; higher is better.
    package var score: Double?
    package var hdcpLevel: String?
    package var videoRange: String?
    /// AUDIO, and below VIDEO, SUBTITLES and CLOSED-CAPTIONS: group IDs of EXT-X-MEDIA renditions.
    package var audio: String?
    package var video: String?
    package var subtitles: String?
    /// Nil when absent or the enumerated value NONE; see `hasNoClosedCaptions`.
    package var closedCaptions: String?
    /// CLOSED-CAPTIONS=NONE.
    package var hasNoClosedCaptions = false
    /// Nil when absent, which means `.`.
    package var pathwayID: String?
    package var stableVariantID: String?
    /// REQ-VIDEO-LAYOUT.
    package var requiredVideoLayout: String?
    /// 1-based line of the tag.
    package var line = 0

    package init(uri: String) {
        self.uri = uri
    }
}

/// EXT-X-MEDIA (rfc8216bis-22 section 4.4.6.1).
package struct Rendition: Hashable, Sendable {
    /// TYPE.
    package enum Kind: String, Hashable, Sendable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    package var kind: Kind
    /// GROUP-ID and NAME; empty when the required attribute is missing.
    package var groupID: String
    package var name: String
    package var language: String?
    package var associatedLanguage: String?
    /// Resolved against the URI of the playlist.
    package var uri: String?
    package var isDefault = false
    package var isAutoselect = false
    package var isForced = false
    package var instreamID: String?
    package var channels: String?
    package var characteristics: String?
    package var stableRenditionID: String?
    package var bitDepth: Int?
    package var sampleRate: Int?
    /// 1-based line of the tag.
    package var line = 0

    package init(kind: Kind, groupID: String, name: String) {
        self.kind = kind
        self.groupID = groupID
        self.name = name
    }
}

/// EXT-X-SESSION-DATA (rfc8216bis-22 section 4.4.6.4).
package struct SessionData: Hashable, Sendable {
    /// DATA-ID; empty when the required attribute is missing.
    package var dataID: String
    package var value: String?
    /// Resolved against the URI of the playlist.
    package var uri: String?
    /// FORMAT, `JSON` or `RAW`; nil when there is a VALUE.
    package var format: String?
    package var language: String?

    package init(dataID: String, value: String?, uri: String?, format: String?, language: String?) {
        self.dataID = dataID
        self.value = value
        self.uri = uri
        self.format = format
        self.language = language
    }
}

/// EXT-X-CONTENT-STEERING (rfc8216bis-22 section 4.4.6.6).
package struct ContentSteering: Hashable, Sendable {
    /// Resolved against the URI of the playlist; may be a data: URI.
    package var serverURI: String
    package var pathwayID: String?

    package init(serverURI: String, pathwayID: String?) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
    }
}

/// The parse of one multivariant playlist text (rfc8216bis-22 section 4.4.6).
package struct MultivariantPlaylist: Hashable, Sendable {
    /// The base of relative URIs, after redirects.
    package var uri: String
    package var version: Int?
    package var hasIndependentSegments = false
    package var start: StartPoint?
    package var variants: [Variant] = []
    package var iFrameVariants: [Variant] = []
    package var renditions: [Rendition] = []
    package var sessionData: [SessionData] = []
    package var sessionKeys: [EncryptionKey] = []
    package var contentSteering: ContentSteering?
    /// The variables defined here, which media playlists may IMPORT.
    package var definitions: [String: String] = [:]

    package init(uri: String) {
        self.uri = uri
    }
}
