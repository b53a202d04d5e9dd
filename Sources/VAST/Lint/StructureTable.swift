/// Which elements and attributes are allowed where, by version (VAST-2).
struct StructureTable {
    /// A child or attribute, and the versions that define it.
    struct Entry<Name: Hashable & Sendable>: Sendable {
        var name: Name
        var since: VASTVersion
        var until: VASTVersion
        /// Whether it may appear at most once.
        var isSingle: Bool

        func isIn(_ version: VASTVersion) -> Bool { since <= version && version <= until }
    }

    let children: [Entry<ElementName>]
    let attributes: [Entry<AttributeName>]

    private static let end = VASTVersion(99, 0)

    private static func one(
        _ name: ElementName, _ since: VASTVersion = .v2, until: VASTVersion = end
    ) -> Entry<ElementName> {
        Entry(name: name, since: since, until: until, isSingle: true)
    }

    private static func many(
        _ name: ElementName, _ since: VASTVersion = .v2, until: VASTVersion = end
    ) -> Entry<ElementName> {
        Entry(name: name, since: since, until: until, isSingle: false)
    }

    private static func at(_ names: AttributeName..., since: VASTVersion = .v2) -> [Entry<AttributeName>] {
        names.map { Entry(name: $0, since: since, until: end, isSingle: true) }
    }

    private static func table(
        _ children: [Entry<ElementName>], _ attributes: [Entry<AttributeName>] = []
    ) -> StructureTable {
        StructureTable(children: children, attributes: attributes)
    }

    private static let resources: [Entry<ElementName>] = [
        many(.staticResource), many(.iFrameResource), many(.htmlResource),
    ]
    private static let shared: [Entry<ElementName>] = [
        one(.adSystem), many(.error), many(.impression), one(.pricing, .v3), one(.viewableImpression, .v4),
        one(.adVerifications, .v4), one(.extensions), one(.creatives),
    ]
    private static let size = at(.width, .height)

    /// The tables by parent element. An element without an entry has no children.
    static let byElement: [ElementName: StructureTable] = [
        .vast: table([many(.ad), many(.error, .v3)], at(.version, .schemaLocation, .noNamespaceSchemaLocation)),
        .ad: table(
            [one(.inLine), one(.wrapper)],
            at(.id) + at(.sequence, since: .v3) + at(.conditionalAd, since: .v4) + at(.adType, since: .v41)),
        .inLine: table(
            shared + [
                one(.adTitle), one(.description), one(.advertiser, .v3), many(.survey), many(.category, .v4),
                one(.adServingId, .v41), one(.expires, .v41),
            ]),
        .wrapper: table(
            shared + [one(.vastAdTagURI), one(.vastAdTagURL), many(.blockedAdCategories, .v41)],
            at(.followAdditionalWrappers, .allowMultipleAds, .fallbackOnNoAd, since: .v3)),
        .adSystem: table([], at(.version)),
        .advertiser: table([], at(.id, since: .v41)),
        .pricing: table([], at(.model, .currency)),
        .survey: table([], at(.type)),
        .impression: table([], at(.id)),
        .category: table([], at(.authority)),
        .blockedAdCategories: table([], at(.authority)),
        .viewableImpression: table([many(.viewable), many(.notViewable), many(.viewUndetermined)], at(.id)),
        .adVerifications: table([many(.verification)]),
        .verification: table(
            [
                many(.javaScriptResource), many(.executableResource, .v41), many(.flashResource, until: .v4),
                one(.trackingEvents), one(.verificationParameters), one(.viewableImpression, until: .v4),
            ], at(.vendor)),
        .javaScriptResource: table([], at(.apiFramework, .browserOptional)),
        .executableResource: table([], at(.apiFramework, .type, .language)),
        .flashResource: table([], at(.apiFramework)),
        .extensions: table([many(.extension)]),
        .creatives: table([many(.creative)]),
        .creative: table(
            [
                one(.linear), one(.nonLinearAds), one(.companionAds), one(.creativeExtensions, .v3),
                many(.universalAdId, .v4),
            ], at(.id, .sequence, .adId) + at(.apiFramework, since: .v4)),
        .creativeExtensions: table([many(.creativeExtension)]),
        .universalAdId: table([], at(.idRegistry, .idValue)),
        .linear: table(
            [
                one(.duration), many(.trackingEvents), one(.adParameters), one(.mediaFiles), one(.videoClicks),
                one(.icons, .v3), one(.creativeExtensions, .v3),
            ], at(.skipoffset, since: .v3)),
        .trackingEvents: table([many(.tracking)]),
        .tracking: table([], at(.event) + at(.offset, since: .v3)),
        .adParameters: table([], at(.xmlEncoded, since: .v3)),
        .mediaFiles: table(
            [
                many(.mediaFile), many(.mezzanine, .v4), many(.interactiveCreativeFile, .v4),
                one(.closedCaptionFiles, .v41),
            ]),
        .mediaFile: table(
            [],
            at(
                .id, .delivery, .type, .width, .height, .bitrate, .scalable, .maintainAspectRatio, .apiFramework)
                + at(.minBitrate, .maxBitrate, .codec, since: .v3) + at(.fileSize, .mediaType, since: .v41)),
        .mezzanine: table([], at(.id, .delivery, .type, .width, .height, .codec, .fileSize, .mediaType)),
        .interactiveCreativeFile: table([], at(.type, .apiFramework) + at(.variableDuration, since: .v41)),
        .closedCaptionFiles: table([many(.closedCaptionFile)]),
        .closedCaptionFile: table([], at(.type, .language)),
        .videoClicks: table([one(.clickThrough), many(.clickTracking), many(.customClick)]),
        .clickThrough: table([], at(.id)),
        .clickTracking: table([], at(.id)),
        .customClick: table([], at(.id)),
        .icons: table([many(.icon)]),
        .icon: table(
            resources + [one(.iconClicks), many(.iconViewTracking)],
            size + at(.program, .xPosition, .yPosition, .duration, .offset, .apiFramework)
                + at(.pxratio, since: .v4) + at(.altText, .hoverText, since: .v42) + at(.regs)),
        .iconClicks: table(
            [one(.iconClickThrough), many(.iconClickTracking), one(.iconClickFallbackImages, .v42)]),
        .iconClickTracking: table([], at(.id)),
        .iconClickFallbackImages: table([many(.iconClickFallbackImage)]),
        .iconClickFallbackImage: table([one(.altText), one(.staticResource)], size),
        .staticResource: table([], at(.creativeType)),
        .htmlResource: table([], at(.xmlEncoded)),
        .nonLinearAds: table([many(.trackingEvents), many(.nonLinear)]),
        .nonLinear: table(
            resources + [
                one(.adParameters), one(.nonLinearClickThrough), many(.nonLinearClickTracking, .v3),
                one(.duration, .v4), one(.mediaFiles, .v4), many(.trackingEvents), one(.creativeExtensions, .v3),
            ],
            size
                + at(
                    .id, .expandedWidth, .expandedHeight, .scalable, .maintainAspectRatio, .minSuggestedDuration,
                    .apiFramework)),
        .nonLinearClickTracking: table([], at(.id)),
        .companionAds: table([many(.companion)], at(.required, since: .v3)),
        .companion: table(
            resources + [
                one(.altText), one(.adParameters), one(.companionClickThrough), many(.companionClickTracking),
                one(.trackingEvents), one(.creativeExtensions, .v3),
            ],
            size + at(.id, .expandedWidth, .expandedHeight, .apiFramework)
                + at(.assetWidth, .assetHeight, .adSlotId, since: .v3) + at(.pxratio, since: .v4)
                + at(.renderingMode, since: .v41)),
        .companionClickTracking: table([], at(.id)),
    ]

    /// Elements whose content is not checked.
    static let opaque: Set<ElementName> = [
        .extension, .creativeExtension, .adParameters, .htmlResource, .verificationParameters,
    ]
}
