import AdFormats
import Ports
import Session
import Testing

/// How often a plugin's process is started again (FMT-25).
@Suite struct HostedPluginTests {
    private func hosted() -> HostedPlugin {
        HostedPlugin(SubprocessPlugin(PluginManifest(identifier: "py", name: "Python"), configuration: [:]))
    }

    /// A process that sends its greeting, answers a load or not, and ends.
    private func live(_ plugin: inout HostedPlugin, answering: Bool) {
        _ = plugin.session.started(configuration: [:], parameters: [:], at: .zero)
        _ = plugin.session.received(#"{"type":"ready"}"#.utf8 + [0x0A], at: .zero)
        _ = plugin.session.send(.load(presenter: "s", config: [:]), at: .zero)
        if answering { _ = plugin.session.received(#"{"type":"failed","presenter":"s"}"#.utf8 + [0x0A], at: .zero) }
        _ = plugin.session.exited("ended with status 3")
    }

    @Test func theFifthFailureInARowIsTheLast() {
        var plugin = hosted()
        for number in 1...HostedPlugin.maximumFailures {
            #expect(plugin.refusal == nil)
            #expect(plugin.startNextRun() == PluginRun("py", number))
            live(&plugin, answering: false)
        }
        #expect(
            plugin.refusal == "not started again: 5 consecutive processes of the plugin ended without an answer")
        #expect(plugin.startNextRun() == nil && plugin.runs == 5)
    }

    @Test func anAnswerMakesFailuresForgotten() {
        var plugin = hosted()
        for round in 0..<20 {
            #expect(plugin.startNextRun() != nil, "round \(round)")
            live(&plugin, answering: round % 5 == 4)
        }
        #expect(plugin.runs == 20)
    }

    @Test func aRunningProcessIsNotRefused() {
        var plugin = hosted()
        for _ in 1..<HostedPlugin.maximumFailures {
            _ = plugin.startNextRun()
            live(&plugin, answering: false)
        }
        _ = plugin.startNextRun()
        #expect(plugin.isRunning && plugin.refusal == nil)
    }
}
