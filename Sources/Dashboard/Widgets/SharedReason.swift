import AdTracking

/// The reason that all of several events have: one is said of them together.
enum SharedReason: Sendable, Equatable {
    case none
    case one(ReasonWord)
    case several

    /// Adds those of other events.
    mutating func add(_ other: SharedReason) {
        switch (self, other) {
        case (_, .none): break
        case (.none, _): self = other
        case (.one(let mine), .one(let theirs)) where mine == theirs: break
        default: self = .several
        }
    }
}
