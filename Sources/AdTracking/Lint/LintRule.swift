package import Ports

/// The rules of metadata lint (TRK-23) that documents, polls and deliveries can show. Raw values are the codes of
/// findings.
package enum LintRule: String, Hashable, FindingCode {
    case notMetadata = "L01"
    case contentType = "L02"
    case wrongType = "L03"
    case typeMismatch = "L04"
    case unknownKey = "L05"
    case dataRange = "L06"
    case frozen = "L07"
    case rangeBackwards = "L08"
    case playheadOutside = "L09"
    case thinCoverage = "L10"
    case units = "L11"
    case clockSkew = "L12"
    case identifier = "L13"
    case movedStart = "L14"
    case breakOverlap = "L15"
    case adOverlap = "L16"
    case adGap = "L17"
    case adOutsideBreak = "L18"
    case fill = "L19"
    case emptyBreak = "L20"
    case eventOutsideAd = "L21"
    case quartilePosition = "L22"
    case eventOrder = "L23"
    case missingEvent = "L24"
    case duplicateEvent = "L25"
    case sharedURL = "L26"
    case noURL = "L27"
    case badURL = "L28"
    case macro = "L29"
    case mixedContent = "L30"
    case privateHost = "L31"
    case clickAsAutomatic = "L32"
    case unknownEvent = "L33"
    case userEventWindow = "L34"
    case lateMetadata = "L35"
    case eventsAdded = "L36"
    case adVanished = "L37"
    case shrank = "L38"
    case stillGrowing = "L39"
    case adCut = "L40"
    case unmatchedBreak = "L41"
    case adBoundaries = "L43"
    case adLength = "L44"
    case dates = "L46"
    case repeatedCreative = "L47"
    case verificationResource = "L54"
    case companionResource = "L55"
    case slowBeacon = "L57"
    case beaconRefused = "L58"
    case beaconErrorBody = "L59"
    case beaconTiming = "L60"
    case sentTwice = "L61"
    case neverSent = "L62"
    case unmatchedUserEvent = "L63"
    case notUTF8 = "metadata-not-utf8"

    package var severity: Severity {
        switch self {
        case .unknownKey, .unknownEvent, .userEventWindow, .repeatedCreative: .info
        case .contentType, .typeMismatch, .rangeBackwards, .playheadOutside, .thinCoverage, .clockSkew, .adGap, .fill,
            .emptyBreak, .quartilePosition, .missingEvent, .sharedURL, .noURL, .mixedContent, .clickAsAutomatic,
            .eventsAdded, .shrank, .adCut, .verificationResource, .companionResource, .slowBeacon, .beaconErrorBody,
            .beaconTiming, .unmatchedUserEvent, .adBoundaries, .adLength:
            .warning
        default: .error
        }
    }

    /// The rule of docs/rules it rests on.
    package var clause: String {
        switch self {
        case .notMetadata, .contentType, .wrongType, .typeMismatch, .unknownKey, .dataRange, .units, .unknownEvent,
            .companionResource, .notUTF8:
            "TRK-4"
        case .frozen, .rangeBackwards, .playheadOutside, .thinCoverage: "TRK-20"
        case .clockSkew, .dates: "HLS-12"
        case .unmatchedBreak: "HLS-24"
        case .adBoundaries, .adLength, .repeatedCreative: "TRK-23"
        case .sentTwice: "TRK-15"
        case .identifier: "TRK-19"
        case .movedStart, .sharedURL, .duplicateEvent: "TRK-16"
        case .breakOverlap, .adOverlap, .adGap, .fill, .emptyBreak: "TRK-23"
        case .adOutsideBreak, .eventOutsideAd, .stillGrowing, .adCut: "TRK-5"
        case .quartilePosition, .eventOrder, .missingEvent: "TRK-6"
        case .noURL, .badURL, .macro, .mixedContent, .privateHost, .verificationResource: "TRK-4"
        case .clickAsAutomatic: "TRK-27"
        case .userEventWindow: "TRK-7"
        case .lateMetadata: "TRK-11"
        case .eventsAdded, .adVanished, .shrank: "TRK-17"
        case .slowBeacon, .beaconRefused, .beaconErrorBody: "TRK-13"
        case .beaconTiming: "TRK-12"
        case .neverSent: "TRK-14"
        case .unmatchedUserEvent: "TRK-10"
        }
    }

    package func finding(_ message: String, path: String? = nil) -> Finding {
        Finding(
            rule: self, severity: severity, message: message, path: path, section: clause)
    }
}
