package import AdFormats

/// A plugin and the process it has, or had: a session hosts some, and so does a tool that holds an auction.
package struct HostedPlugin: Sendable {
    package let plugin: SubprocessPlugin
    package var session = PluginSession()
    /// Number of its processes so far.
    package private(set) var runs = 0

    package init(_ plugin: SubprocessPlugin) {
        self.plugin = plugin
    }

    package var identifier: String { plugin.manifest.identifier }
    package var run: PluginRun { PluginRun(identifier, runs) }
    package var isRunning: Bool { runs > 0 && !session.isEnded }
    package var isReady: Bool { runs > 0 && session.state == .ready }

    /// Begins with another process, which somebody must start.
    package mutating func startAnew() -> PluginRun {
        runs += 1
        session = PluginSession()
        return run
    }
}
