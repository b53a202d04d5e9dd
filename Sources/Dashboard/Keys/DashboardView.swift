/// The views of the main place, by the names of `:view` and `--view`. Each view is a pane with a list; the panes
/// beside it stay, and the detail pane explains what is selected in the list.
package enum DashboardView: String, Sendable, CaseIterable {
    /// Breaks, their ads and their tracking events.
    case breaks
    /// The followed media playlist.
    case playlist
    /// Everything known about the ad under the cursor beyond its events.
    case creative
    /// The auction beside the stream: the candidates for the slot, the winner, and the reasons.
    case auction
    /// Ad spaces beside the stream.
    case formats
    /// The creative cache and its loopback server.
    case cache
    /// What adtop found, by rule.
    case findings

    /// The pane that shows the view.
    package var pane: Pane {
        switch self {
        case .breaks: .tree
        case .playlist: .playlist
        case .creative: .creative
        case .auction: .auction
        case .formats: .formats
        case .cache: .cache
        case .findings: .findings
        }
    }

    /// The view that a pane in the main place shows, nil for other panes.
    package init?(_ pane: Pane) {
        guard let view = DashboardView.allCases.first(where: { $0.pane == pane }) else { return nil }
        self = view
    }

    /// The names for errors, help and completion.
    static let names = allCases.map(\.rawValue)

    /// All names in a sentence, with `or` before the last.
    package static var choices: String {
        "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }
}
