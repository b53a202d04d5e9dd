import HLS
import Ports
package import Rules
import Session

/// The content of the help overlay.
package enum HelpTopic: Sendable, Equatable {
    /// The keys of the focused pane, and the symbols.
    case keys
    /// All keys and commands.
    case all
    /// One entry of docs/rules.
    case rule(RuleEntry)
}

extension DashboardState {
    /// Whether help covers the panes.
    package var isHelpOpen: Bool { help != nil }

    /// Opens help at its first line.
    mutating func openHelp(_ topic: HelpTopic) {
        help = topic
        scrolls.offsets[.help] = 0
        scrolls.searches[.help] = ""
    }

    /// The entry of the finding under the cursor; nil when there is none or its code has no entry.
    var selectedRule: RuleEntry? {
        guard focus == main || focus == .detail else { return nil }
        return (mainView.finding?.rule).flatMap { RuleLibrary.builtIn[$0] }
    }
}
