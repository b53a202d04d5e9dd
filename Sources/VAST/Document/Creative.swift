extension VASTDocument {
    /// One Linear, NonLinearAds or CompanionAds with the attributes of its `Creative`. A Creative with two of them
    /// gives two values.
    package struct Creative: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case linear(Linear)
            case nonLinear(NonLinearAds)
            case companions(CompanionAds)
        }

        package var id: String?
        /// `adId`, `AdID` or `adID`, whichever is present.
        package var adID: String?
        package var sequence: Int?
        package var apiFramework: String?
        package var universalAdIDs: [UniversalAdID] = []
        package var extensions: [Extension] = []
        package var content: Content
        package var position: SourcePosition

        package var linear: Linear? {
            if case .linear(let linear) = content { linear } else { nil }
        }

        package var nonLinear: NonLinearAds? {
            if case .nonLinear(let ads) = content { ads } else { nil }
        }

        package var companionAds: CompanionAds? {
            if case .companions(let ads) = content { ads } else { nil }
        }
    }

    package struct UniversalAdID: Hashable, Sendable {
        package var registry: String?
        package var value: String
        /// `idValue`, which only VAST 4.0 uses.
        package var idValue: String?
        package var position: SourcePosition
    }

    package struct AdParameters: Hashable, Sendable {
        package var value: String
        package var isXMLEncoded: Bool?
    }

    /// A creative that plays instead of the content.
    package struct Linear: Hashable, Sendable {
        /// Nil when missing or unreadable.
        package var durationMilliseconds: Int64?
        /// As written; nil when missing.
        package var durationText: String?
        /// As written.
        package var skipOffset: String?
        /// When the skip control appears; a percentage counts from the duration.
        package var skipOffsetMilliseconds: Int64?
        package var adParameters: AdParameters?
        /// All events but `progress`.
        package var tracking: [Tracking] = []
        package var progress: [ProgressTracking] = []
        package var clickThrough: Link?
        package var clickTracking: [Link] = []
        package var customClicks: [Link] = []
        package var mediaFiles: [MediaFile] = []
        package var mezzanines: [MediaFile] = []
        package var interactiveFiles: [InteractiveFile] = []
        package var closedCaptions: [ClosedCaption] = []
        package var icons: [Icon] = []
        package var position: SourcePosition
    }

    /// A playable file: `MediaFile`, or `Mezzanine`, which has fewer attributes.
    package struct MediaFile: Hashable, Sendable {
        package var id: String?
        package var url: String
        package var delivery: String?
        package var type: String?
        package var codec: String?
        /// Kilobits per second, as are the next two.
        package var bitrate: Int?
        package var minimumBitrate: Int?
        package var maximumBitrate: Int?
        package var width: Int?
        package var height: Int?
        package var isScalable: Bool?
        package var maintainsAspectRatio: Bool?
        package var apiFramework: String?
        /// Size in bytes.
        package var fileSize: Int?
        package var mediaType: String?
        package var position: SourcePosition = .start

        package init(id: String? = nil, url: String) {
            self.id = id
            self.url = url
        }
    }

    package struct InteractiveFile: Hashable, Sendable {
        package var url: String
        package var type: String?
        package var apiFramework: String?
        package var hasVariableDuration: Bool?
        package var position: SourcePosition
    }

    package struct ClosedCaption: Hashable, Sendable {
        package var url: String
        package var type: String?
        package var language: String?
        package var position: SourcePosition
    }
}
