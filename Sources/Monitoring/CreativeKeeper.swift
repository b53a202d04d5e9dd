package import Session

/// The creative cache beside a session. Contract (CreativeKeeperTests): one answer per order, in the order of the
/// orders; a cached creative is served under its id from then on, until its time to live ends.
package protocol CreativeKeeper: Sendable {
    func keep(_ orders: [CreativeOrder]) async -> [KeptCreative]
}
