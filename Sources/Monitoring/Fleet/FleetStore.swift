package import Fleet

/// The store of a fleet: one connection for claims and one for all else, one call at a time on each.
///
/// Contract: `perform` executes the call as one transaction and answers, or fails when the connection breaks, cannot be made, or is dropped; it
/// fails, too, when its task is cancelled. It may hang until then, and a call that failed may have been executed, or be executed later. A failure is no refusal: who asked does not know.
/// `drop` returns at once; the call under way on that connection then fails, and the next one uses a new connection. A call is never
/// cancelled at the server: the wait for a standby would end without durability (FLT-9).
///
/// `hints` has an element when a beat might tell something new. Some may be missing, and some needless (FLT-14). It has one reader, and ends
/// with `close`.
package protocol FleetStore: Sendable {
    var hints: AsyncStream<Void> { get }
    func perform(_ call: StoreCall) async -> StoreReply
    /// Drops the connection for claims, or the other one.
    func drop(claims: Bool)
    /// Closes both connections.
    func close() async
}

/// What a call brought.
package enum StoreReply: Hashable, Sendable {
    /// A warning between call and answer means that the answer is none (FLT-9).
    case answered(StoreAnswer, hasWarning: Bool)
    /// Nothing is known of the call.
    case failed(StoreProblem)
}
