package import AdFormats

/// A plugin and the process it has, or had: a session hosts some, and so does a tool that holds an auction.
package struct HostedPlugin: Sendable {
    /// Processes in a row that end without an answer to anything; no other follows the last of them.
    package static let maximumFailures = 5

    package let plugin: SubprocessPlugin
    package var session = PluginSession()
    /// Number of its processes so far.
    package private(set) var runs = 0
    /// Processes in a row, before this one, that answered nothing.
    private var failures = 0

    package init(_ plugin: SubprocessPlugin) {
        self.plugin = plugin
    }

    package var identifier: String { plugin.manifest.identifier }
    package var run: PluginRun { PluginRun(identifier, runs) }
    package var isRunning: Bool { runs > 0 && !session.isEnded }
    package var isReady: Bool { runs > 0 && session.state == .ready }

    /// Why no other process follows the one that ended; nil where one may.
    package var refusal: String? {
        guard session.isEnded, failuresSoFar >= Self.maximumFailures else { return nil }
        return "not started again: \(Self.maximumFailures) processes of the plugin in a row ended without an answer"
    }

    private var failuresSoFar: Int { runs == 0 || session.hasAnswered ? 0 : failures + 1 }

    /// Begins with another process, which somebody must start; there is none where ``refusal`` says why.
    package mutating func startAnew() -> PluginRun? {
        guard refusal == nil else { return nil }
        failures = failuresSoFar
        runs += 1
        session = PluginSession()
        return run
    }
}
