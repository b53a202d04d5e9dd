package import Fleet
import Ports

/// How the owner changes what makes a claim durable.
extension FleetRegister {
    /// What became of a durability that was to be set.
    package enum DurabilityChange: Hashable, Sendable {
        case made
        /// No standby confirms commits: nothing was changed.
        case rejected
        /// It is set. No standby confirms commits any more, and nothing is sent until one does.
        case unconfirmed
    }

    /// How long a standby may take to confirm a commit.
    package static let standbyPatience = Duration.seconds(5)

    /// For the condition of an UPDATE of the row of the store: true, and the commit does not wait for a standby. A standby that is gone is the
    /// reason to set something there, and a commit that waits would keep the row locked, and with it the way out. A claim that is granted later
    /// is confirmed together with the change.
    static let withoutStandby = "set_config('synchronous_commit', 'local', true) = 'local'"

    /// `strict` is set only while a standby confirms commits: otherwise everything would hang from then on.
    /// - Parameters:
    ///   - durability: `strict`, `trusted` or `single`.
    ///   - patience: how long a standby may take.
    @discardableResult
    package func setDurability(
        _ durability: String, patience: Duration = FleetRegister.standbyPatience
    ) async throws(StoreProblem) -> DurabilityChange {
        let isStrict = durability == "strict"
        if isStrict, try await !hasStandby(within: patience) { return .rejected }
        _ = try await connection.call(
            "UPDATE fleet.store SET durability = $1 WHERE \(Self.withoutStandby)", [.text(durability)])
        if isStrict, try await !hasStandby(within: patience) { return .unconfirmed }
        return .made
    }

    /// Whether a standby confirms a commit that locks nothing. The connection is closed where none does.
    private func hasStandby(within patience: Duration) async throws(StoreProblem) -> Bool {
        do throws(StoreProblem) {
            let answer = try await connection.call(
                """
                SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'adtop', 'durability')
                """, within: PostgresConnection.Limits(time: patience))
            // After a warning the wait was cancelled (FLT-9).
            return answer.warning == nil
        } catch {
            guard case .noAnswer = error else { throw error }
            return false
        }
    }
}
