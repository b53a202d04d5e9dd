/// The seven states of an ad (FMT-8).
package enum AdState: String, Sendable, Hashable, CaseIterable {
    case uninitialized, loading, loaded
    /// On screen with at least half of it visible.
    case impressed
    case clicked, closed, failed

    /// The letter that distinguishes the states without colour (FMT-26).
    package var letter: Character {
        switch self {
        case .uninitialized: "U"
        case .loading: "L"
        case .loaded: "R"
        case .impressed: "I"
        case .clicked: "C"
        case .closed: "X"
        case .failed: "F"
        }
    }
}
