/// The seven states of an ad (FMT-8).
package enum AdState: String, Sendable, Hashable, CaseIterable {
    case uninitialized, loading, loaded
    /// On screen with at least half of it visible.
    case impressed
    case clicked, closed, failed

    /// The word for people, where JSON has the raw value (FMT-26).
    package var word: String {
        switch self {
        case .uninitialized: "empty"
        case .loading: "loading"
        case .loaded: "loaded"
        case .impressed: "shown"
        case .clicked: "clicked"
        case .closed: "closed"
        case .failed: "failed"
        }
    }
}
