import AdFormats
package import Session

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
