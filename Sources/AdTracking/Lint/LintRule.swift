package import Ports

/// The rules of metadata lint (ssai-tracking 7) that can be judged from documents, polls and deliveries.
/// Raw values are the rule ids of that table.
package enum LintRule: String, Hashable, Sendable, CaseIterable {
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
    case verificationResource = "L54"
    case companionResource = "L55"
    case slowBeacon = "L57"
    case beaconRefused = "L58"
    case beaconErrorBody = "L59"
    case beaconTiming = "L60"
    case neverSent = "L62"
    case unmatchedUserEvent = "L63"

    package var severity: Severity {
        switch self {
        case .unknownKey, .unknownEvent, .userEventWindow: .info
        case .contentType, .typeMismatch, .rangeBackwards, .playheadOutside, .thinCoverage, .clockSkew, .adGap, .fill,
            .emptyBreak, .quartilePosition, .missingEvent, .sharedURL, .noURL, .mixedContent, .clickAsAutomatic,
            .eventsAdded, .shrank, .adCut, .verificationResource, .companionResource, .slowBeacon, .beaconErrorBody,
            .beaconTiming, .unmatchedUserEvent:
            .warning
        default: .error
        }
    }

    package func finding(_ message: String, path: String? = nil) -> Finding {
        Finding(
            rule: rawValue, severity: severity, message: message, path: path, section: "ssai-tracking 7 \(rawValue)")
    }
}
