/// One run of a plugin's process: a plugin that ended is started again under the next number.
package struct PluginRun: Sendable, Hashable {
    /// The plugin's identifier from its manifest.
    package var identifier: String
    /// Number of the run, from 1.
    package var number: Int

    package init(_ identifier: String, _ number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

/// A report about a plugin's process.
package enum PluginNews: Sendable, Hashable {
    case started
    /// The process did not start; the reason is a clause.
    case notStarted(String)
    /// Bytes of its standard output: whole lines, unless a line exceeds the limit.
    case output([UInt8])
    /// Bytes of its standard error, in the same form.
    case complaint([UInt8])
    /// The process does not read its standard input.
    case deaf
    /// The last report; a clause describes how the process ended.
    case exited(String)
}

/// Runs the processes of plugins, without reading their messages.
///
/// Contract (checked by the plugin runner test): `run` starts the process, reports `started` or `notStarted` first and
/// `exited` last, and awaits each report before the next, so that a process with excessive output waits. It returns
/// when the process has ended, and within seconds of the cancellation of its task.
package protocol PluginPort: Sendable {
    func run(_ run: PluginRun, report: @escaping @Sendable (PluginNews) async -> Void) async
    /// Writes a line without waiting. False when the process does not read; a process that ended reports its exit.
    func tell(_ run: PluginRun, _ line: String) -> Bool
    /// Requests the process to end and kills it after ``PluginSession/shutdownSilence``; `run` reports its exit and no
    /// further output.
    func terminate(_ run: PluginRun)
    /// Ends the process immediately; `run` reports its exit.
    func kill(_ run: PluginRun)
}
