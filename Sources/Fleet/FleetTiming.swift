/// Spans that all agents of a fleet share.
package struct FleetTiming: Hashable, Sendable {
    package var lease = Duration.seconds(8)
    package var beat = Duration.seconds(2)
    /// How long before the end of the lease an agent stops sending (FLT-12).
    package var margin = Duration.seconds(1)
    /// How long an answer is waited for.
    package var answer = Duration.seconds(2)
    /// Media time before the playhead whose claims a successor reads.
    package var lookback = Duration.seconds(3 * 3_600)

    package init() {}
}
