extension PlaylistRule {
    /// A section of the draft, or of hls-timeline where the draft has none.
    enum Clause {
        case draft(String)
        case rule(String)
    }

    /// The clause that states the rule.
    var clause: Clause {
        switch self {
        case .noEXTM3U: .draft("4.4.1.1")
        case .notUTF8, .bomPresent, .controlCharacters, .strayWhitespace, .bareCarriageReturn, .tagInComment:
            .draft("4.1")
        case .mixedPlaylist: .draft("4.1")
        case .undefinedVariable: .draft("4.3")
        case .defineInvalid, .defineDuplicate, .defineImportMissing, .defineQueryParameterMissing: .draft("4.4.2.3")
        case .duplicateTag: .draft("4.4.3")
        case .playlistTooLong, .limitReached, .uriScheme: .rule("HLS-6")
        case .attributeWhitespace, .badAttributeList, .duplicateAttribute, .numberInvalid: .draft("4.2")
        case .unknownEnumValue: .draft("6.3.1")
        case .floatEXTINFVersion, .versionTooLow, .unsupportedVersion, .instreamIDVersion: .draft("8")
        case .tagAfterFirstSegment: .draft("4.4.3.2")
        case .missingTargetDuration, .targetDurationInvalid, .targetDurationExceeded: .draft("4.4.3.1")
        case .startInvalid, .startNearEnd: .draft("4.4.2.2")
        case .playlistTypeInvalid, .vodWithoutEndList: .draft("4.4.3.5")
        case .holdBackTooSmall, .partHoldBackMissing, .partHoldBackTooSmall, .partHoldBackBelow3x,
            .skipBoundaryTooSmall, .skipDateRangesWithoutSkipUntil:
            .draft("4.4.3.8")
        case .liveWindowTooShort: .draft("6.2.2")
        case .extinfInvalid, .extinfNoComma, .extinfWithoutURI, .segmentWithoutEXTINF: .draft("4.4.4.1")
        case .byteRangeWithoutOffset, .byteRangeInvalid: .draft("4.4.4.2")
        case .pdtInvalid, .pdtNoTimezone, .pdtDuplicate: .draft("4.4.4.6")
        case .pdtDrift, .pdtOverlap, .pdtBackwards, .pdtJump, .pdtMissingAtDiscontinuity: .draft("6.2.1")
        case .mapMissingURI, .mapChangeWithoutDiscontinuity: .draft("4.4.4.5")
        case .keyInvalid: .draft("4.4.4.4")
        case .gapSegment: .draft("4.4.4.7")
        case .partInvalid, .tagAfterPart, .partTooLong, .partTooShort: .draft("4.4.4.9")
        case .partInformationMissing: .draft("4.4.3.7")
        case .preloadHintInvalid, .preloadHintUnknownType, .preloadHintDuplicate, .preloadHintWithEndList:
            .draft("4.4.5.3")
        case .renditionReportInvalid: .draft("4.4.5.4")
        case .skipInvalid: .draft("4.4.5.2")
        case .dateRangeMissingID, .dateRangeMissingStart, .dateRangeBadDate, .dateRangeNegativeDuration,
            .dateRangeEndBeforeStart, .dateRangeDurationEndMismatch, .dateRangeAttributeConflict,
            .dateRangeEndOnNextNoClass, .dateRangeEndOnNextWithDuration, .dateRangeCuePreAndPost,
            .dateRangeWithoutPDT:
            .draft("4.4.5.1")
        case .scte35Quoted, .scte35BadCRC, .scte35Undecodable: .draft("4.4.5.1.1")
        case .interstitialNoAsset, .interstitialBothAssets, .interstitialRelativeAssetURI, .interstitialLegacyXCue,
            .interstitialBadEnum:
            .draft("D.2")
        case .cueMalformed: .rule("HLS-22")
        case .cueInWithoutOut, .cueOutNested, .cueOutWithoutIn, .cueOutDurationMismatch, .cueContElapsedMismatch:
            .rule("HLS-23")
        case .noVariants, .variantMissingBandwidth, .variantMissingURI, .uriWithoutTag: .draft("4.4.6.2")
        case .renditionMissingAttribute, .renditionGroupMissing, .renditionInvalid: .draft("4.4.6.1")
        case .renditionDuplicate: .draft("4.4.6.1.1")
        case .closedCaptionsMixed: .draft("4.4.6.2")
        case .iFrameStreamAttribute: .draft("4.4.6.3")
        case .sessionKeyDuplicate: .draft("4.4.6.5")
        case .sessionDataInvalid, .sessionDataDuplicate: .draft("4.4.6.4")
        case .contentSteeringInvalid, .contentSteeringUnknownPathway: .draft("4.4.6.6")
        }
    }
}
