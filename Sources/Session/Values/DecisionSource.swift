/// Where a session gets its ads when it requests them itself, as a client without ad insertion does.
package enum DecisionSource: Sendable, Hashable {
    /// A VAST tag with unexpanded macros, requested for each break that the playlist marks.
    case vast(tag: String)
    /// The tag of a VMAP document, requested at the start.
    case vmap(tag: String)
    /// A VMAP document that is already loaded.
    case vmapDocument([UInt8])
}
