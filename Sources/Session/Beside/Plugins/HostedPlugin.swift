package import AdFormats

/// A plugin and its current or last process, for a session or for a tool that holds an auction.
package struct HostedPlugin: Sendable {
    /// Maximum number of consecutive processes that end without answering anything; after that none is started.
    package static let maximumFailures = 5

    package let plugin: SubprocessPlugin
    package var session = PluginSession()
    /// Number of its processes so far.
    package private(set) var runs = 0
    /// Number of consecutive processes before this one that answered nothing.
    private var failures = 0

    package init(_ plugin: SubprocessPlugin) {
        self.plugin = plugin
    }

    package var identifier: String { plugin.manifest.identifier }
    package var run: PluginRun { PluginRun(identifier, runs) }
    package var isRunning: Bool { runs > 0 && !session.isEnded }
    package var isReady: Bool { runs > 0 && session.state == .ready }

    /// Why no other process is started after the last one ended; nil when one may be.
    package var refusal: String? {
        guard session.isEnded, failuresSoFar >= Self.maximumFailures else { return nil }
        return "not started again: \(Self.maximumFailures) consecutive processes of the plugin ended without an answer"
    }

    private var failuresSoFar: Int { runs == 0 || session.hasAnswered ? 0 : failures + 1 }

    /// Starts the next run; the caller must start its process. Nil when ``refusal`` has a reason.
    package mutating func startNextRun() -> PluginRun? {
        guard refusal == nil else { return nil }
        failures = failuresSoFar
        runs += 1
        session = PluginSession()
        return run
    }
}
