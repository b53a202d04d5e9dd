package import Session

/// Keeps rewarded zones across sessions. Contract (SessionZonesTests): a loaded zone is found until its hour has passed
/// or it is removed; unusable zones are not found.
package protocol ZoneKeeper: Sendable {
    func look(up unit: String) async -> ZoneLookup
    func load(_ order: ZoneOrder) async -> ZoneDelivery
    /// Deletes a zone; a player that is using it is not affected.
    func remove(_ unit: String) async -> ZoneRemoval
}
