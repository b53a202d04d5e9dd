package import Ports

/// The rules for documents (VAST-26).
package enum LintRule: String, Hashable, FindingCode {
    case emptyResponse = "empty-response"
    case notWellFormed = "not-well-formed"
    case encodingInvalid = "encoding-invalid"
    case encodingMismatch = "encoding-mismatch"
    case leadingWhitespace = "leading-whitespace"
    case contentAfterRoot = "content-after-root"
    case undeclaredPrefix = "undeclared-prefix"
    case doctypeWithEntities = "doctype-with-entities"
    case doctypePresent = "doctype-present"
    case nestingTooDeep = "nesting-too-deep"
    case limitExceeded = "limit-exceeded"
    case valueTooLong = "value-too-long"
    case controlCharacters = "control-characters"
    case rootNotVast = "root-not-vast"
    case nameCase = "name-case"
    case valueFormat = "value-format"
    case vast1 = "vast-1"
    case versionMissing = "version-missing"
    case versionUnknown = "version-unknown"
    case versionDraft = "version-draft"
    case versionMismatch = "version-mismatch"
    case wrongNamespace = "wrong-namespace"
    case noAd = "no-ad"
    case rootErrorWithAd = "root-error-with-ad"
    case adEmpty = "ad-empty"
    case inlineAndWrapper = "inline-and-wrapper"
    case duplicateElement = "duplicate-element"
    case unknownElement = "unknown-element"
    case unknownAttribute = "unknown-attribute"
    case elementNotInVersion = "element-not-in-version"
    case sequenceDuplicate = "sequence-duplicate"
    case sequenceInvalid = "sequence-invalid"
    case sequenceGap = "sequence-gap"
    case sequenceOnSingle = "sequence-on-single"
    case adsystemMissing = "adsystem-missing"
    case adtitleMissing = "adtitle-missing"
    case impressionMissing = "impression-missing"
    case creativesMissing = "creatives-missing"
    case adservingidMissing = "adservingid-missing"
    case universaladidMissing = "universaladid-missing"
    case universaladidIdregistryMissing = "universaladid-idregistry-missing"
    case universaladidIdvalue = "universaladid-idvalue"
    case universaladidEmpty = "universaladid-empty"
    case wrapperWithoutUri = "wrapper-without-uri"
    case legacyVastadtagurl = "legacy-vastadtagurl"
    case wrapperWithMedia = "wrapper-with-media"
    case wrapperBool = "wrapper-bool"
    case wrapperDepth = "wrapper-depth"
    case wrapperLoop = "wrapper-loop"
    case wrapperDeadEnd = "wrapper-dead-end"
    case creativeEmpty = "creative-empty"
    case durationMissing = "duration-missing"
    case durationFormat = "duration-format"
    case durationZero = "duration-zero"
    case mediafilesMissing = "mediafiles-missing"
    case mediafileDelivery = "mediafile-delivery"
    case mediafileType = "mediafile-type"
    case mediafileSize = "mediafile-size"
    case mediafileTypeExtension = "mediafile-type-extension"
    case mediafileBitratePair = "mediafile-bitrate-pair"
    case mediafileBitrateConflict = "mediafile-bitrate-conflict"
    case mediafileBitrateOrder = "mediafile-bitrate-order"
    case mediafileBitrateScale = "mediafile-bitrate-scale"
    case mediafileOnlyVPAID = "mediafile-only-vpaid"
    case mediafileFlash = "mediafile-flash"
    case mediafileSingleRendition = "mediafile-single-rendition"
    case mediafileDuplicate = "mediafile-duplicate"
    case mezzanineMissing = "mezzanine-missing"
    case mezzanineAttributes = "mezzanine-attributes"
    case vpaidDeprecated = "vpaid-deprecated"
    case apiframeworkDeprecated = "apiframework-deprecated"
    case conditionaladDeprecated = "conditionalad-deprecated"
    case surveyDeprecated = "survey-deprecated"
    case flashResource = "flash-resource"
    case interactiveNoFramework = "interactive-no-framework"
    case simidType = "simid-type"
    case simidNotHttps = "simid-not-https"
    case interactiveDataURILarge = "interactive-data-uri-large"
    case skipoffsetFormat = "skipoffset-format"
    case skipoffsetBeyondDuration = "skipoffset-beyond-duration"
    case skipEventWithoutSkipoffset = "skip-event-without-skipoffset"
    case skippableWithoutSkipEvent = "skippable-without-skip-event"
    case progressOffsetMissing = "progress-offset-missing"
    case progressOffsetFormat = "progress-offset-format"
    case progressBeyondDuration = "progress-beyond-duration"
    case offsetOnOtherEvent = "offset-on-other-event"
    case trackingWithoutEvent = "tracking-without-event"
    case trackingEventUnknown = "tracking-event-unknown"
    case trackingEventNotInVersion = "tracking-event-not-in-version"
    case trackingEventNotForCreative = "tracking-event-not-for-creative"
    case trackingNoQuartiles = "tracking-no-quartiles"
    case duplicateTracking = "duplicate-tracking"
    case duplicateImpression = "duplicate-impression"
    case emptyURL = "empty-url"
    case urlScheme = "url-scheme"
    case urlRelative = "url-relative"
    case urlUnescapedCharacters = "url-unescaped-characters"
    case doubleEncodedURL = "double-encoded-url"
    case urlInnerWhitespace = "url-inner-whitespace"
    case urlNotCDATA = "url-not-cdata"
    case insecureURL = "insecure-url"
    case urlTooLong = "url-too-long"
    case urlCredentials = "url-credentials"
    case urlPrivateHost = "url-private-host"
    case macroUnknown = "macro-unknown"
    case macroCase = "macro-case"
    case macroWrongContext = "macro-wrong-context"
    case macroDeprecated = "macro-deprecated"
    case macroOtherDialect = "macro-other-dialect"
    case macroEncodedBrackets = "macro-encoded-brackets"
    case errorWithoutErrorcode = "error-without-errorcode"
    case cachebusterMissing = "cachebuster-missing"
    case clickthroughMissing = "clickthrough-missing"
    case categoryAuthority = "category-authority"
    case blockedAuthority = "blocked-authority"
    case pricingModel = "pricing-model"
    case pricingCurrency = "pricing-currency"
    case pricingValue = "pricing-value"
    case iconAttributes = "icon-attributes"
    case iconNoResource = "icon-no-resource"
    case iconClickthrough = "icon-clickthrough"
    case companionSize = "companion-size"
    case companionNoResource = "companion-no-resource"
    case companionRequiredValue = "companion-required-value"
    case companionClicktrackingId = "companion-clicktracking-id"
    case nonlinearSize = "nonlinear-size"
    case nonlinearNoResource = "nonlinear-no-resource"
    case resourceCreativetype = "resource-creativetype"
    case htmlResourceNotCDATA = "html-resource-not-cdata"
    case verificationVendor = "verification-vendor"
    case verificationNoResource = "verification-no-resource"
    case verificationFramework = "verification-framework"
    case verificationNoReason = "verification-no-reason"
    case verificationNotHttps = "verification-not-https"
    case viewableEmpty = "viewable-empty"
    case extensionMisplacedElement = "extension-misplaced-element"
    case expiresFormat = "expires-format"
    case expiresPast = "expires-past"
    case adparametersXmlencoded = "adparameters-xmlencoded"
    case adtitlePlaceholder = "adtitle-placeholder"
    case vmapVersion = "vmap-version"
    case vmapNamespace = "vmap-namespace"
    case vmapRootChild = "vmap-root-child"
    case vmapTimeoffsetMissing = "vmap-timeoffset-missing"
    case vmapTimeoffsetFormat = "vmap-timeoffset-format"
    case vmapTimeoffsetOrder = "vmap-timeoffset-order"
    case vmapBreaktype = "vmap-breaktype"
    case vmapRepeatafter = "vmap-repeatafter"
    case vmapAdsourceMissing = "vmap-adsource-missing"
    case vmapAdsourceMany = "vmap-adsource-many"
    case vmapVastdata = "vmap-vastdata"
    case vmapVastaddataCDATA = "vmap-vastaddata-cdata"
    case vmapTemplatetype = "vmap-templatetype"
    case vmapTrackingEvent = "vmap-tracking-event"
    case vmapBreakOverlap = "vmap-break-overlap"
    case responseContentType = "response-content-type"
    case responseNoCORS = "response-no-cors"
    case responseRedirects = "response-redirects"
    case responseSlow = "response-slow"
    case responseLarge = "response-large"
    case responseUncompressed = "response-uncompressed"
    case responseDiffers = "response-differs"
}

extension LintRule {
    /// Error: players lose the ad or a pixel. Warning: only some players handle it. Info: worth knowing.
    package var severity: Severity {
        switch self {
        case .emptyResponse, .notWellFormed, .encodingInvalid, .doctypeWithEntities, .nestingTooDeep, .limitExceeded,
            .rootNotVast, .vast1, .versionMissing, .adEmpty, .inlineAndWrapper, .duplicateElement, .adsystemMissing,
            .adtitleMissing, .impressionMissing, .creativesMissing, .wrapperWithoutUri, .wrapperLoop, .wrapperDeadEnd,
            .durationMissing, .durationFormat, .durationZero, .mediafilesMissing, .mediafileDelivery, .mediafileType,
            .mediafileSize, .mezzanineAttributes, .progressOffsetMissing, .emptyURL, .urlScheme, .doubleEncodedURL,
            .vmapTimeoffsetMissing, .vmapTimeoffsetFormat, .vmapTimeoffsetOrder:
            .error
        case .undeclaredPrefix, .versionDraft, .wrongNamespace, .noAd, .unknownAttribute, .elementNotInVersion,
            .mediafileSingleRendition, .mediafileDuplicate, .mezzanineMissing, .conditionaladDeprecated,
            .surveyDeprecated,
            .flashResource, .skippableWithoutSkipEvent, .offsetOnOtherEvent, .urlNotCDATA, .macroWrongContext,
            .macroDeprecated, .errorWithoutErrorcode, .cachebusterMissing, .viewableEmpty, .adtitlePlaceholder,
            .vmapBreakOverlap:
            .info
        default: .warning
        }
    }

    /// The VAST or VMAP error that a player reports for it; nil when it reports none.
    package var errorCode: Int? {
        switch self {
        case .notWellFormed, .encodingInvalid, .doctypeWithEntities, .nestingTooDeep, .limitExceeded:
            100
        case .rootNotVast, .adEmpty, .inlineAndWrapper, .adsystemMissing, .adtitleMissing, .impressionMissing,
            .creativesMissing, .wrapperWithoutUri, .durationMissing, .durationFormat, .durationZero,
            .mediafilesMissing, .progressOffsetMissing:
            101
        case .vast1:
            102
        case .categoryAuthority, .blockedAuthority:
            204
        case .urlScheme:
            300
        case .wrapperDepth, .wrapperLoop:
            302
        case .emptyResponse, .noAd, .wrapperDeadEnd:
            303
        case .mediafileDelivery, .mediafileType, .mediafileSize, .mediafileOnlyVPAID, .mediafileFlash:
            403
        case .mediafileTypeExtension:
            405
        case .mezzanineMissing, .mezzanineAttributes:
            406
        case .interactiveNoFramework, .simidType, .simidNotHttps:
            409
        case .verificationVendor, .verificationNoResource, .verificationFramework, .verificationNoReason,
            .verificationNotHttps:
            410
        case .nonlinearSize:
            501
        case .nonlinearNoResource:
            502
        case .companionSize:
            601
        case .companionRequiredValue:
            602
        case .companionNoResource:
            604
        case .vmapVersion, .vmapNamespace, .vmapRootChild, .vmapTimeoffsetMissing, .vmapTimeoffsetFormat,
            .vmapTimeoffsetOrder:
            1000
        case .vmapBreaktype, .vmapRepeatafter:
            1003
        case .vmapAdsourceMissing, .vmapAdsourceMany:
            1004
        case .vmapVastdata, .vmapTemplatetype:
            1005
        case .vmapVastaddataCDATA:
            1006
        default: nil
        }
    }

    /// Creates a finding of this rule.
    func finding(
        _ message: String, at position: SourcePosition?, path: String? = nil, severity: Severity? = nil
    ) -> Finding {
        Finding(
            rule: self, severity: severity ?? self.severity, message: message, line: position.map { Int($0.line) },
            column: position.map { Int($0.column) }, path: path, section: section)
    }
}
