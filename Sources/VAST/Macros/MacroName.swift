/// The 59 macros of VAST 4.3 section 6 and of the list published with it (VAST-15).
package enum MacroName: String, CaseIterable, Hashable, Sendable {
    case timestamp = "TIMESTAMP"
    case cacheBusting = "CACHEBUSTING"
    case contentPlayhead = "CONTENTPLAYHEAD"
    case mediaPlayhead = "MEDIAPLAYHEAD"
    case adPlayhead = "ADPLAYHEAD"
    case breakPosition = "BREAKPOSITION"
    case blockedAdCategories = "BLOCKEDADCATEGORIES"
    case adCategories = "ADCATEGORIES"
    case adCount = "ADCOUNT"
    case transactionID = "TRANSACTIONID"
    case placementType = "PLACEMENTTYPE"
    case adType = "ADTYPE"
    case universalAdID = "UNIVERSALADID"
    case breakMaxDuration = "BREAKMAXDURATION"
    case breakMaxAds = "BREAKMAXADS"
    case breakMinAdLength = "BREAKMINADLENGTH"
    case breakMaxAdLength = "BREAKMAXADLENGTH"
    case ifa = "IFA"
    case ifaType = "IFATYPE"
    case clientUA = "CLIENTUA"
    case serverUA = "SERVERUA"
    case deviceUA = "DEVICEUA"
    case deviceIP = "DEVICEIP"
    case serverSide = "SERVERSIDE"
    case latLong = "LATLONG"
    case domain = "DOMAIN"
    case pageURL = "PAGEURL"
    case appBundle = "APPBUNDLE"
    case vastVersions = "VASTVERSIONS"
    case apiFrameworks = "APIFRAMEWORKS"
    case extensions = "EXTENSIONS"
    case verificationVendors = "VERIFICATIONVENDORS"
    case omidPartner = "OMIDPARTNER"
    case mediaMIME = "MEDIAMIME"
    case playerCapabilities = "PLAYERCAPABILITIES"
    case clickType = "CLICKTYPE"
    case playerState = "PLAYERSTATE"
    case inventoryState = "INVENTORYSTATE"
    case playerSize = "PLAYERSIZE"
    case assetURI = "ASSETURI"
    case contentID = "CONTENTID"
    case contentURI = "CONTENTURI"
    case podSequence = "PODSEQUENCE"
    case adServingID = "ADSERVINGID"
    case clickPosition = "CLICKPOS"
    case errorCode = "ERRORCODE"
    case reason = "REASON"
    case limitAdTracking = "LIMITADTRACKING"
    case regulations = "REGULATIONS"
    case gdprConsent = "GDPRCONSENT"
    case storeID = "STOREID"
    case storeURL = "STOREURL"
    case playbackMethods = "PLAYBACKMETHODS"
    case contentCategories = "CONTENTCAT"
    case gppString = "GPPSTRING"
    case gppSectionID = "GPPSECTIONID"
    case dsaRequired = "DSAREQUIRED"
    case dsaParameters = "DSAPARAMS"
    case dsaPublisherRender = "DSAPUBRENDER"

    /// The spelling of ERRORCODE in VMAP (VMAP 1.0.1 section 2.5).
    static let vmapErrorCode = "ERROR_CODE"

    /// The purposes of a URL in which a macro is allowed.
    package struct Contexts: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A tag: the first request or VASTAdTagURI.
        package static let request = Contexts(rawValue: 1)
        package static let tracking = Contexts(rawValue: 2)
        package static let click = Contexts(rawValue: 4)
        package static let error = Contexts(rawValue: 8)
        package static let verification = Contexts(rawValue: 16)
    }

    /// Where the macro list allows it.
    package var contexts: Contexts {
        let everywhere: Contexts = [.request, .tracking, .click, .error, .verification]
        switch self {
        case .errorCode: return .error
        case .reason: return .verification
        case .clickPosition: return .click
        case .blockedAdCategories, .adCategories, .vastVersions, .apiFrameworks, .extensions, .verificationVendors,
            .mediaMIME, .contentCategories, .dsaRequired, .dsaParameters, .dsaPublisherRender:
            return .request
        case .adPlayhead, .universalAdID, .playerState, .assetURI, .podSequence, .adServingID:
            return everywhere.subtracting(.request)
        default: return everywhere
        }
    }

    /// Whether its value is a list whose commas are not encoded (VAST-14).
    package var isList: Bool {
        switch self {
        case .blockedAdCategories, .adCategories, .universalAdID, .latLong, .vastVersions, .apiFrameworks, .extensions,
            .verificationVendors, .mediaMIME, .playerCapabilities, .playerState, .inventoryState, .playerSize,
            .clickPosition, .regulations, .playbackMethods, .contentCategories, .gppSectionID, .dsaParameters:
            true
        default: false
        }
    }

    /// Deprecated in favour of MEDIAPLAYHEAD since VAST 4.1.
    package var isDeprecated: Bool { self == .contentPlayhead }

    /// Whether it becomes 0 when it is required but does not apply (VAST 4.3 section 6.1).
    package var isZeroWhenNotApplicable: Bool { self == .pageURL || self == .appBundle }
}
