/// The elements of VAST 1.0 to 4.4 and VMAP 1.0 by local name.
enum ElementName: String, CaseIterable, Sendable {
    case vast = "VAST"
    case videoAdServingTemplate = "VideoAdServingTemplate"
    case vmap = "VMAP"
    case daast = "DAAST"
    case error = "Error"
    case ad = "Ad"
    case inLine = "InLine"
    case wrapper = "Wrapper"
    case adSystem = "AdSystem"
    case adTitle = "AdTitle"
    case description = "Description"
    case advertiser = "Advertiser"
    case pricing = "Pricing"
    case survey = "Survey"
    case impression = "Impression"
    case category = "Category"
    case adServingId = "AdServingId"
    case expires = "Expires"
    case viewableImpression = "ViewableImpression"
    case viewable = "Viewable"
    case notViewable = "NotViewable"
    case viewUndetermined = "ViewUndetermined"
    case adVerifications = "AdVerifications"
    case verification = "Verification"
    case javaScriptResource = "JavaScriptResource"
    case executableResource = "ExecutableResource"
    case flashResource = "FlashResource"
    case verificationParameters = "VerificationParameters"
    case extensions = "Extensions"
    case `extension` = "Extension"
    case creatives = "Creatives"
    case creative = "Creative"
    case creativeExtensions = "CreativeExtensions"
    case creativeExtension = "CreativeExtension"
    case vastAdTagURI = "VASTAdTagURI"
    case vastAdTagURL = "VASTAdTagURL"
    case url = "URL"
    case blockedAdCategories = "BlockedAdCategories"
    case universalAdId = "UniversalAdId"
    case linear = "Linear"
    case duration = "Duration"
    case trackingEvents = "TrackingEvents"
    case tracking = "Tracking"
    case adParameters = "AdParameters"
    case mediaFiles = "MediaFiles"
    case mediaFile = "MediaFile"
    case mezzanine = "Mezzanine"
    case interactiveCreativeFile = "InteractiveCreativeFile"
    case closedCaptionFiles = "ClosedCaptionFiles"
    case closedCaptionFile = "ClosedCaptionFile"
    case videoClicks = "VideoClicks"
    case clickThrough = "ClickThrough"
    case clickTracking = "ClickTracking"
    case customClick = "CustomClick"
    case icons = "Icons"
    case icon = "Icon"
    case iconClicks = "IconClicks"
    case iconClickThrough = "IconClickThrough"
    case iconClickTracking = "IconClickTracking"
    case iconClickFallbackImages = "IconClickFallbackImages"
    case iconClickFallbackImage = "IconClickFallbackImage"
    case iconViewTracking = "IconViewTracking"
    case altText = "AltText"
    case staticResource = "StaticResource"
    case iFrameResource = "IFrameResource"
    case htmlResource = "HTMLResource"
    case nonLinearAds = "NonLinearAds"
    case nonLinear = "NonLinear"
    case nonLinearClickThrough = "NonLinearClickThrough"
    case nonLinearClickTracking = "NonLinearClickTracking"
    case companionAds = "CompanionAds"
    case companion = "Companion"
    case companionClickThrough = "CompanionClickThrough"
    case companionClickTracking = "CompanionClickTracking"
    // VAST 1.0
    case video = "Video"
    case code = "Code"
    case adID = "AdID"
    // VMAP 1.0
    case adBreak = "AdBreak"
    case adSource = "AdSource"
    case vastAdData = "VASTAdData"
    /// A misprint in the VMAP document that samples repeat (VMAP-1).
    case vastData = "VASTData"
    case adTagURI = "AdTagURI"
    case customAdData = "CustomAdData"
}

/// The attributes of these elements.
enum AttributeName: String, CaseIterable, Sendable {
    case version, id, sequence, conditionalAd, adType, model, currency, type, authority
    case followAdditionalWrappers, allowMultipleAds, fallbackOnNoAd
    case adId, apiFramework, idRegistry, idValue
    case skipoffset, event, offset, xmlEncoded
    case delivery, width, height, bitrate, minBitrate, maxBitrate, scalable, maintainAspectRatio, codec, fileSize
    case mediaType, variableDuration, language
    case program, xPosition, yPosition, duration, pxratio, altText, hoverText, regs
    case expandedWidth, expandedHeight, minSuggestedDuration
    case required, assetWidth, assetHeight, adSlotId, renderingMode, creativeType
    case vendor, browserOptional, mediaFileId, ext
    case resourceType
    case timeOffset, breakType, breakId, repeatAfter, followRedirects, templateType
    case noNamespaceSchemaLocation, schemaLocation

    /// Spellings of other versions, and one that VAST 3.0 itself misprints (VAST-6).
    static let otherSpellings: [(text: String, name: AttributeName)] = [
        ("AdID", .adId), ("adID", .adId), ("adSlotID", .adSlotId),
        (misspeltFollowAdditionalWrappers, .followAdditionalWrappers),
    ]

    static let misspeltFollowAdditionalWrappers = "followAdditonalWrappers"
}
