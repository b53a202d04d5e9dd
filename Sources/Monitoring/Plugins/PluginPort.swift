/// One run of a plugin's process: a plugin that ended is started anew under the next number.
package struct PluginRun: Sendable, Hashable {
    /// The plugin's identifier, as its manifest has it.
    package var identifier: String
    /// From 1.
    package var number: Int

    package init(_ identifier: String, _ number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

/// What a session learns of a plugin's process.
package enum PluginNews: Sendable, Hashable {
    case started
    /// A clause says why.
    case notStarted(String)
    /// Bytes of its standard output: whole lines, unless one is longer than lines may be.
    case output([UInt8])
    /// Bytes of its standard error, likewise.
    case complaint([UInt8])
    /// It does not read what it is told.
    case deaf
    /// The last news; a clause says how it ended.
    case exited(String)
}

/// Runs the processes of plugins. What they say is not looked at.
///
/// Contract (checked by the plugin runner test): `run` starts the process, reports `started` or `notStarted` first and
/// `exited` last, each awaited before the next, so that a process that floods waits; it returns when the process has
/// ended, and within seconds of the cancellation of its task.
package protocol PluginPort: Sendable {
    func run(_ run: PluginRun, report: @escaping @Sendable (PluginNews) async -> Void) async
    /// Writes a line without waiting. False when the process does not read; one that is gone reports its exit.
    func tell(_ run: PluginRun, _ line: String) -> Bool
    /// Asks the process to end and kills it once it had ``PluginSession/shutdownSilence`` for that; `run` reports its exit and
    /// nothing that it still says.
    func terminate(_ run: PluginRun)
    /// Ends the process at once; `run` reports its exit.
    func kill(_ run: PluginRun)
}
