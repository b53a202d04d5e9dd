package import Ports

/// The lint rules of a single playlist (HLS-5, HLS-28, HLS-29); the raw value is the rule id in findings.
package enum PlaylistRule: String, FindingCode {
    // Rules that make the playlist invalid.
    case noEXTM3U = "no-extm3u"
    case notUTF8 = "not-utf8"
    case mixedPlaylist = "mixed-playlist"
    case undefinedVariable = "undefined-variable"
    case defineInvalid = "define-invalid"
    case defineDuplicate = "define-duplicate"
    case defineImportMissing = "define-import-missing"
    case defineQueryParameterMissing = "define-queryparam-missing"
    case byteRangeWithoutOffset = "byterange-without-offset"
    /// Makes the playlist invalid when the tag is VERSION, START or INDEPENDENT-SEGMENTS.
    case duplicateTag = "duplicate-tag"
    /// The text is longer than `Limits.playlistBytes`.
    case playlistTooLong = "playlist-too-long"

    // Text.
    case bomPresent = "bom-present"
    case controlCharacters = "control-characters"
    case strayWhitespace = "stray-whitespace"
    case bareCarriageReturn = "bare-carriage-return"
    case tagInComment = "tag-in-comment"
    case limitReached = "limit-reached"
    case uriScheme = "uri-scheme"
    case attributeWhitespace = "attribute-whitespace"
    case badAttributeList = "bad-attribute-list"
    case duplicateAttribute = "duplicate-attribute"
    case numberInvalid = "number-invalid"
    case unknownEnumValue = "unknown-enum-value"

    // Versions.
    case floatEXTINFVersion = "float-extinf-version"
    case versionTooLow = "version-too-low"
    case unsupportedVersion = "unsupported-version"
    case instreamIDVersion = "instream-id-version"

    // Media playlist.
    case tagAfterFirstSegment = "tag-after-first-segment"
    case missingTargetDuration = "missing-target-duration"
    case targetDurationInvalid = "target-duration-invalid"
    case targetDurationExceeded = "target-duration-exceeded"
    case startInvalid = "start-invalid"
    case startNearEnd = "start-near-end"
    case playlistTypeInvalid = "playlist-type-invalid"
    case vodWithoutEndList = "vod-without-endlist"
    case holdBackTooSmall = "hold-back-too-small"
    case partHoldBackMissing = "part-hold-back-missing"
    case partHoldBackTooSmall = "part-hold-back-too-small"
    case partHoldBackBelow3x = "part-hold-back-below-3x"
    case skipBoundaryTooSmall = "skip-boundary-too-small"
    case skipDateRangesWithoutSkipUntil = "skip-dateranges-without-skip-until"
    case liveWindowTooShort = "live-window-too-short"

    // Segments.
    case extinfInvalid = "extinf-invalid"
    case extinfNoComma = "extinf-no-comma"
    case extinfWithoutURI = "extinf-without-uri"
    case segmentWithoutEXTINF = "segment-without-extinf"
    case pdtInvalid = "pdt-invalid"
    case pdtNoTimezone = "pdt-no-timezone"
    case pdtDuplicate = "pdt-duplicate"
    case pdtDrift = "pdt-drift"
    case pdtOverlap = "pdt-overlap"
    case pdtBackwards = "pdt-backwards"
    case pdtJump = "pdt-jump"
    case pdtMissingAtDiscontinuity = "pdt-missing-at-discontinuity"
    case byteRangeInvalid = "byterange-invalid"
    case mapMissingURI = "map-missing-uri"
    case mapChangeWithoutDiscontinuity = "map-change-without-discontinuity"
    case keyInvalid = "key-invalid"
    case gapSegment = "gap-segment"

    // Low latency and delta updates.
    case partInvalid = "part-invalid"
    case partInformationMissing = "part-inf-missing"
    case tagAfterPart = "tag-after-part"
    case partTooLong = "part-too-long"
    case partTooShort = "part-too-short"
    case preloadHintInvalid = "preload-hint-invalid"
    case preloadHintUnknownType = "preload-hint-unknown-type"
    case preloadHintDuplicate = "preload-hint-duplicate"
    case preloadHintWithEndList = "preload-hint-with-endlist"
    case renditionReportInvalid = "rendition-report-invalid"
    case skipInvalid = "skip-invalid"

    // Date ranges.
    case dateRangeMissingID = "daterange-missing-id"
    case dateRangeMissingStart = "daterange-missing-start"
    case dateRangeBadDate = "daterange-bad-date"
    case dateRangeNegativeDuration = "daterange-negative-duration"
    case dateRangeEndBeforeStart = "daterange-end-before-start"
    case dateRangeDurationEndMismatch = "daterange-duration-end-mismatch"
    case dateRangeAttributeConflict = "daterange-attr-conflict"
    case dateRangeEndOnNextNoClass = "daterange-end-on-next-no-class"
    case dateRangeEndOnNextWithDuration = "daterange-end-on-next-with-duration"
    case dateRangeCuePreAndPost = "daterange-cue-pre-and-post"
    case dateRangeWithoutPDT = "daterange-without-pdt"
    case scte35Quoted = "scte35-quoted"
    case scte35BadCRC = "scte35-bad-crc"
    case scte35Undecodable = "scte35-undecodable"
    case interstitialNoAsset = "interstitial-no-asset"
    case interstitialBothAssets = "interstitial-both-assets"
    case interstitialRelativeAssetURI = "interstitial-relative-asset-uri"
    case interstitialLegacyXCue = "interstitial-legacy-x-cue"
    case interstitialBadEnum = "interstitial-bad-enum"

    // Cue tags.
    case cueMalformed = "cue-malformed"
    case cueInWithoutOut = "cue-in-without-out"
    case cueOutNested = "cue-out-nested"
    case cueOutWithoutIn = "cue-out-without-in"
    case cueOutDurationMismatch = "cue-out-duration-mismatch"
    case cueContElapsedMismatch = "cue-cont-elapsed-mismatch"

    // Multivariant playlist.
    case noVariants = "no-variants"
    case variantMissingBandwidth = "variant-missing-bandwidth"
    case variantMissingURI = "variant-missing-uri"
    case uriWithoutTag = "uri-without-tag"
    case renditionMissingAttribute = "rendition-missing-attribute"
    case renditionGroupMissing = "rendition-group-missing"
    case sessionDataInvalid = "session-data-invalid"
    case sessionDataDuplicate = "session-data-duplicate"
    case renditionInvalid = "rendition-invalid"
    case renditionDuplicate = "rendition-duplicate"
    case iFrameStreamAttribute = "i-frame-stream-attribute"
    case closedCaptionsMixed = "closed-captions-mixed"
    case sessionKeyDuplicate = "session-key-duplicate"
    case contentSteeringInvalid = "content-steering-invalid"
    case contentSteeringUnknownPathway = "content-steering-unknown-pathway"

    /// Severity of the rule's findings (HLS-29).
    package var severity: Severity {
        switch self {
        case .pdtJump, .gapSegment, .scte35Quoted: .info
        case .bomPresent, .controlCharacters, .strayWhitespace, .bareCarriageReturn, .tagInComment,
            .attributeWhitespace, .badAttributeList, .duplicateAttribute, .unknownEnumValue, .floatEXTINFVersion,
            .versionTooLow, .unsupportedVersion, .instreamIDVersion, .extinfNoComma, .pdtNoTimezone, .pdtDuplicate,
            .pdtDrift,
            .pdtMissingAtDiscontinuity, .mapChangeWithoutDiscontinuity, .partHoldBackBelow3x, .liveWindowTooShort,
            .partTooShort, .preloadHintInvalid, .preloadHintUnknownType, .preloadHintDuplicate,
            .preloadHintWithEndList, .renditionReportInvalid, .scte35BadCRC, .interstitialLegacyXCue,
            .interstitialBadEnum, .cueMalformed, .cueInWithoutOut, .cueOutNested, .cueOutWithoutIn,
            .cueOutDurationMismatch, .cueContElapsedMismatch, .contentSteeringUnknownPathway, .startNearEnd,
            .vodWithoutEndList, .renditionInvalid, .iFrameStreamAttribute, .closedCaptionsMixed, .sessionKeyDuplicate:
            .warning
        default: .error
        }
    }

    /// Whether the table of schema `adtop-hls-golden/1` lists the rule. `issues` of that schema names only those, so
    /// that two parsers can be compared.
    package var isInSchema: Bool {
        switch self {
        case .playlistTooLong, .limitReached, .bareCarriageReturn, .tagInComment, .numberInvalid, .unknownEnumValue,
            .instreamIDVersion, .keyInvalid, .renditionReportInvalid, .contentSteeringInvalid, .uriScheme,
            .startNearEnd, .tagAfterPart, .renditionInvalid, .renditionDuplicate, .iFrameStreamAttribute,
            .closedCaptionsMixed, .sessionKeyDuplicate, .vodWithoutEndList:
            false
        default: true
        }
    }

    /// The clause that the rule is based on.
    package var section: String {
        switch clause {
        case .draft(let number): "rfc8216bis-22 \(number)"
        case .rule(let id): id
        }
    }
}
