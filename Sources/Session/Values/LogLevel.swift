package import Ports

package enum LogLevel: String, Sendable, CaseIterable, Comparable, Codable {
    case debug, info, warning, error

    /// The level of lines about something so severe.
    package init(_ severity: Severity) {
        switch severity {
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// The subject of a finding.
package enum FindingSource: Sendable {
    case playlist, metadata, delivery
    /// Tags, their answers, and how they fill a break.
    case decision
}
