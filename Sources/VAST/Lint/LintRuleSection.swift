extension LintRule {
    /// The rule of docs/rules that states it.
    package var section: String {
        switch self {
        case .rootNotVast, .versionMissing, .versionUnknown, .wrongNamespace:
            "VAST-31"
        case .versionMismatch, .rootErrorWithAd, .adEmpty, .inlineAndWrapper, .duplicateElement, .unknownElement,
            .unknownAttribute, .elementNotInVersion, .adsystemMissing, .adtitleMissing, .impressionMissing,
            .creativesMissing, .adservingidMissing, .universaladidIdvalue, .wrapperWithoutUri, .legacyVastadtagurl,
            .creativeEmpty, .durationMissing, .mediafilesMissing, .mediafileDelivery, .mediafileType, .mediafileSize,
            .mediafileBitratePair, .mediafileBitrateConflict, .mediafileBitrateOrder, .mezzanineMissing,
            .mezzanineAttributes, .vpaidDeprecated, .apiframeworkDeprecated, .conditionaladDeprecated,
            .surveyDeprecated,
            .interactiveDataURILarge, .clickthroughMissing, .categoryAuthority, .blockedAuthority, .pricingModel,
            .pricingCurrency, .companionClicktrackingId, .resourceCreativetype, .htmlResourceNotCDATA, .expiresFormat:
            "VAST-2"
        case .expiresPast:
            "VAST-9"
        case .versionDraft:
            "VAST-3"
        case .valueFormat, .wrapperBool, .durationFormat, .durationZero, .mediafileBitrateScale,
            .mediafileSingleRendition,
            .mediafileDuplicate, .skipoffsetFormat, .skipoffsetBeyondDuration, .progressOffsetFormat,
            .progressBeyondDuration, .urlNotCDATA:
            "VAST-5"
        case .emptyResponse, .leadingWhitespace, .contentAfterRoot, .undeclaredPrefix, .nameCase, .emptyURL,
            .urlRelative, .doubleEncodedURL, .urlInnerWhitespace:
            "VAST-6"
        case .vast1:
            "VAST-7"
        case .progressOffsetMissing, .offsetOnOtherEvent, .trackingWithoutEvent, .trackingEventUnknown,
            .trackingEventNotInVersion, .trackingEventNotForCreative, .trackingNoQuartiles:
            "VAST-8"
        case .skipEventWithoutSkipoffset, .skippableWithoutSkipEvent, .duplicateTracking, .duplicateImpression:
            "VAST-9"
        case .sequenceDuplicate, .sequenceInvalid, .sequenceGap, .sequenceOnSingle:
            "VAST-11"
        case .wrapperDepth, .wrapperLoop:
            "VAST-10"
        case .wrapperWithMedia:
            "VAST-12"
        case .noAd, .wrapperDeadEnd, .errorWithoutErrorcode:
            "VAST-13"
        case .urlUnescapedCharacters, .macroCase, .macroWrongContext, .macroEncodedBrackets:
            "VAST-14"
        case .macroUnknown, .macroDeprecated, .macroOtherDialect, .cachebusterMissing:
            "VAST-15"
        case .mediafileTypeExtension, .mediafileOnlyVPAID, .mediafileFlash, .interactiveNoFramework, .simidType,
            .simidNotHttps:
            "VAST-16"
        case .companionSize, .companionNoResource, .companionRequiredValue:
            "VAST-17"
        case .nonlinearSize, .nonlinearNoResource:
            "VAST-18"
        case .iconAttributes, .iconNoResource, .iconClickthrough:
            "VAST-19"
        case .universaladidMissing, .universaladidIdregistryMissing, .universaladidEmpty:
            "VAST-20"
        case .pricingValue:
            "VAST-21"
        case .flashResource, .verificationVendor, .verificationNoResource, .verificationFramework,
            .verificationNoReason, .verificationNotHttps:
            "VAST-22"
        case .viewableEmpty:
            "VAST-23"
        case .extensionMisplacedElement:
            "VAST-24"
        case .adparametersXmlencoded:
            "VAST-25"
        case .vmapVersion, .vmapNamespace, .vmapRootChild, .vmapTimeoffsetMissing, .vmapTimeoffsetFormat,
            .vmapTimeoffsetOrder, .vmapBreaktype, .vmapRepeatafter, .vmapAdsourceMissing, .vmapAdsourceMany,
            .vmapVastdata, .vmapVastaddataCDATA, .vmapTemplatetype, .vmapTrackingEvent, .vmapBreakOverlap:
            "VMAP-1"
        case .notWellFormed, .urlTooLong, .adtitlePlaceholder:
            "VAST-26"
        case .responseContentType, .responseNoCORS, .responseRedirects, .responseSlow, .responseLarge,
            .responseUncompressed, .responseDiffers:
            "VAST-28"
        case .encodingInvalid, .encodingMismatch, .doctypeWithEntities, .doctypePresent, .nestingTooDeep,
            .limitExceeded, .valueTooLong, .controlCharacters, .urlScheme, .insecureURL, .urlCredentials,
            .urlPrivateHost:
            "VAST-27"
        }
    }
}
