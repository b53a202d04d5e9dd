/// Where the ads of a session come from when it decides about them itself, as a client without ad insertion does.
package enum DecisionSource: Sendable, Hashable {
    /// A VAST tag, macros unexpanded, requested for each break that markers of the playlist open.
    case vast(tag: String)
    /// The tag of a VMAP document, requested at the start.
    case vmap(tag: String)
    /// A VMAP document at hand.
    case vmapDocument([UInt8])
}
