/// Notices that this process did not run for a while: its job was stopped (^Z), and with it the plugins, which are of the same job.
/// ``PluginSession/stoodStill(for:)`` gives them the time that they lack.
package struct Standstill: Hashable, Sendable {
    /// An alarm that rings this late shows it: no load of the machine explains it.
    private static let shortest: Duration = .seconds(2)

    /// Uptime of the input before; nil before the first one.
    private var lastInputAt: Duration?

    package init() {}

    /// Takes note of an input.
    /// - Parameter alarm: the uptime at which the next alarm was to ring; nil without one.
    /// - Returns: the time since the input before, where nothing ran at some time in between.
    package mutating func inputArrived(at uptime: Duration, alarm: Duration?) -> Duration? {
        defer { lastInputAt = uptime }
        guard let lastInputAt, let alarm, uptime - alarm >= Self.shortest else { return nil }
        return uptime - lastInputAt
    }
}
