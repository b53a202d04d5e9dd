package import Ports

/// What is wrong with a provider's answers beyond ``LintRule``. Raw values are the codes of findings.
package enum ProviderRule: String, Hashable, FindingCode {
    case withoutTime = "P01"
    case startOfFirstAd = "P02"
    case reportedByService = "P04"
    case derivedLength = "P05"
    case markerLength = "L42"
    case contradiction = "L48"
    case token = "L50"
    case anchor = "L51"
    case sessionGone = "L53"

    package var severity: Severity {
        switch self {
        case .startOfFirstAd, .reportedByService: .info
        case .anchor, .sessionGone: .error
        default: .warning
        }
    }

    /// The rule of docs/rules it rests on.
    package var clause: String {
        switch self {
        case .withoutTime, .startOfFirstAd: "PRV-23"
        case .reportedByService: "PRV-16"
        case .derivedLength: "PRV-11"
        case .markerLength: "PRV-13"
        case .contradiction: "PRV-19"
        case .token, .sessionGone: "PRV-18"
        case .anchor: "PRV-20"
        }
    }

    package func finding(_ message: String, path: String? = nil) -> Finding {
        Finding(rule: self, severity: severity, message: message, path: path, section: clause)
    }
}
