extension VASTDocument {
    /// The content of a companion, a nonlinear ad or an icon.
    package struct Resources: Hashable, Sendable {
        package struct Static: Hashable, Sendable {
            package var url: String
            package var creativeType: String?
            package var position: SourcePosition
        }

        package var statics: [Static] = []
        package var iFrames: [Link] = []
        /// HTML markup as text.
        package var html: [String] = []

        package var isEmpty: Bool { statics.isEmpty && iFrames.isEmpty && html.isEmpty }
    }

    package struct NonLinearAds: Hashable, Sendable {
        package var tracking: [Tracking] = []
        package var nonLinears: [NonLinear] = []
        package var position: SourcePosition
    }

    /// An ad that overlays the content.
    package struct NonLinear: Hashable, Sendable {
        package var id: String?
        package var width: Int?
        package var height: Int?
        package var expandedWidth: Int?
        package var expandedHeight: Int?
        package var isScalable: Bool?
        package var maintainsAspectRatio: Bool?
        package var minimumSuggestedDurationMilliseconds: Int64?
        package var apiFramework: String?
        package var resources = Resources()
        /// This and the next two are from the VAST 4.4 draft, but occur in 4.2 documents (VAST-3).
        package var durationMilliseconds: Int64?
        package var mediaFiles: [MediaFile] = []
        package var interactiveFiles: [InteractiveFile] = []
        package var adParameters: AdParameters?
        package var clickThrough: Link?
        package var clickTracking: [Link] = []
        /// Trackers at the place that VAST 4.3 section 3.14.2 defines, contrary to its own schema.
        package var tracking: [Tracking] = []
        package var position: SourcePosition
    }

    package struct CompanionAds: Hashable, Sendable {
        /// `all`, `any` or `none` as written; nil means that the player decides.
        package var required: String?
        package var companions: [Companion] = []
        package var position: SourcePosition
    }

    /// An ad beside the content, or its end card after the video.
    package struct Companion: Hashable, Sendable {
        package var id: String?
        /// Width and height of the slot; `asset…` are those of the file.
        package var width: Int?
        package var height: Int?
        package var assetWidth: Int?
        package var assetHeight: Int?
        package var expandedWidth: Int?
        package var expandedHeight: Int?
        package var apiFramework: String?
        /// `adSlotId` or, in 4.0, `adSlotID`.
        package var adSlotID: String?
        package var pixelRatio: String?
        package var renderingMode: String?
        package var resources = Resources()
        package var altText: String?
        package var adParameters: AdParameters?
        package var clickThrough: Link?
        package var clickTracking: [Link] = []
        package var tracking: [Tracking] = []
        package var position: SourcePosition
    }

    /// A small picture over the ad, for example AdChoices.
    package struct Icon: Hashable, Sendable {
        package struct FallbackImage: Hashable, Sendable {
            /// Nil when it has no resource.
            package var url: String?
            package var width: Int?
            package var height: Int?
            package var altText: String?
        }

        package var program: String?
        package var width: Int?
        package var height: Int?
        /// Pixels, or `left` or `right`.
        package var xPosition: String?
        /// Pixels, or `top` or `bottom`.
        package var yPosition: String?
        package var offsetMilliseconds: Int64?
        package var durationMilliseconds: Int64?
        package var apiFramework: String?
        package var pixelRatio: String?
        package var altText: String?
        package var hoverText: String?
        package var resources = Resources()
        package var clickThrough: Link?
        package var clickTracking: [Link] = []
        package var fallbackImages: [FallbackImage] = []
        package var viewTracking: [Link] = []
        package var position: SourcePosition
    }
}
