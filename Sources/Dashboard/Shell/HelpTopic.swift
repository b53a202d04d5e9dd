import HLS
import Monitoring
import Ports
package import Rules

/// The content of the help overlay.
package enum HelpTopic: Sendable, Equatable {
    /// The keys and commands.
    case keys
    /// One entry of docs/rules.
    case rule(RuleEntry)
}

extension DashboardState {
    /// Whether help covers the panes.
    package var isHelpOpen: Bool { help != nil }

    /// Opens help at its first line.
    mutating func openHelp(_ topic: HelpTopic) {
        help = topic
        offsets[.help] = 0
        searches[.help] = ""
    }

    /// The entry of the finding under the cursor; nil when there is none or its code has no entry.
    var selectedRule: RuleEntry? {
        guard focus == main || focus == .detail else { return nil }
        return (mainView.finding(self)?.rule).flatMap { RuleLibrary.builtIn[$0] }
    }
}

extension PlaylistModel {
    /// The finding of the selected row, or the first of its segment, marker or date range.
    var selectedFinding: Finding? {
        guard let selected, let playlist else { return nil }
        switch selected {
        case .finding(let index): return findings[index].finding
        case .segment(let index): return flags[index]?.first
        case .part(let index, _): return index.flatMap { flags[$0]?.first }
        case .cue(let index): return finding(atLine: playlist.cuePoints[index].line)
        case .dateRange(let index): return finding(atLine: playlist.dateRanges[index].line)
        case .head, .hint, .report: return nil
        }
    }

    private func finding(atLine line: Int) -> Finding? {
        detail?.text.findings.first { $0.line == line }
    }
}

extension CreativeModel {
    /// The finding of the selected row, or the first of its hop; nil for rows of other kinds.
    var selectedFinding: Finding? {
        switch selected {
        case .finding(let index): findings[index].finding
        case .hop(let index): creative.hops[index].findings.first
        default: nil
        }
    }
}
