package import Ports

/// What is wrong with a provider's answers beyond ``LintRule``. Raw values are the codes of findings.
package enum ProviderRule: String, Hashable, FindingCode {
    case withoutTime = "P01"
    case startOfFirstAd = "P02"
    case reportedByService = "P04"
    case joinedMidAd = "P03"
    case derivedLength = "P05"
    case notReady = "P06"
    case fewerAds = "P07"
    case pingsEnded = "P08"
    case missedBreak = "P09"
    case envelope = "P10"
    case remotePart = "P11"
    case withoutVerification = "P12"
    case twoParties = "two-parties"
    case markerLength = "L42"
    case contradiction = "L48"
    case token = "L50"
    case anchor = "L51"
    case sessionGone = "L53"
    case unknownMedia = "L66"
    case sequenceGap = "L67"

    package var severity: Severity {
        switch self {
        case .startOfFirstAd, .reportedByService, .joinedMidAd, .notReady, .pingsEnded, .remotePart: .info
        case .anchor, .sessionGone, .envelope: .error
        default: .warning
        }
    }

    /// The rule of docs/rules it rests on.
    package var clause: String {
        switch self {
        case .withoutTime, .startOfFirstAd: "PRV-23"
        case .reportedByService: "PRV-16"
        case .twoParties: "PRV-42"
        case .derivedLength: "PRV-11"
        case .markerLength: "PRV-13"
        case .contradiction: "PRV-19"
        case .token, .sessionGone: "PRV-18"
        case .anchor: "PRV-20"
        case .notReady: "PRV-35"
        case .fewerAds: "PRV-45"
        case .withoutVerification: "PRV-44"
        case .pingsEnded: "PRV-43"
        case .missedBreak: "PRV-31"
        case .joinedMidAd, .unknownMedia, .sequenceGap: "PRV-32"
        case .envelope, .remotePart: "PRV-40"
        }
    }

    package func finding(_ message: String, path: String? = nil) -> Finding {
        Finding(rule: self, severity: severity, message: message, path: path, section: clause)
    }
}
