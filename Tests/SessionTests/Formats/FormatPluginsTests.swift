import AdFormats
import AdTracking
import Ports
import Testing

@testable import Session

/// Plugins that fill ad spaces of a session, tested through the session: no process runs here.
@Suite struct FormatPluginsTests {
    /// A session whose ad spaces are filled by the plugin `py`.
    private struct Bench: SteppedSession {
        var state: MonitorState
        var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))
        var inputs: [RecordedInput] = []
        var effects: [Effect] = []

        init(_ names: [String] = ["home"], capabilities: [AdFormat] = [.banner]) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
            configuration.provider = .none
            var formats = FormatsConfiguration(
                adServer: nil,
                slots: names.map {
                    .init(name: $0, unit: "unit-\($0)", format: .banner, sizeName: "WIDE", plugin: "py")
                })
            // The path of the executable is not part of a session.
            var manifest = PluginManifest(identifier: "py", name: "Python", capabilities: capabilities)
            manifest.sizes = NamedSizes(["WIDE": PixelSize(width: 640, height: 50)])
            formats.plugins = [SubprocessPlugin(manifest, configuration: ["zone": "z1"])]
            configuration.formats = formats
            state = MonitorState(configuration)
            apply(.started)
        }

        mutating func report(_ news: PluginNews, run: Int = 1) {
            apply(.beside(.pluginReported(PluginRun("py", run), news)))
        }

        mutating func say(_ line: String, run: Int = 1) { report(.output(Array((line + "\n").utf8)), run: run) }

        mutating func ready(run: Int = 1) {
            report(.started, run: run)
            say(#"{"type":"ready","provider":"py","capabilities":["banner"]}"#, run: run)
        }

        mutating func pass(_ span: Duration) {
            now = now.advanced(by: span)
            apply(.woke)
        }

        var view: FormatsView? { mutating get { state.snapshot(at: now).formats } }
        func slot(_ name: String) -> AdSlot? { state.beside.formats.slots.first { $0.name == name } }

        var started: [PluginRun] {
            effects.compactMap { if case .beside(.startPlugin(let run)) = $0 { run } else { nil } }
        }
        var killed: [PluginRun] {
            effects.compactMap { if case .beside(.killPlugin(let run)) = $0 { run } else { nil } }
        }
        var terminated: [PluginRun] {
            effects.compactMap { if case .beside(.terminatePlugin(let run)) = $0 { run } else { nil } }
        }
        /// Types of the messages to the plugin.
        var told: [String] {
            effects.compactMap {
                guard case .beside(.writeToPlugin(_, let line)) = $0 else { return nil }
                return (try? JSONReader.read(line))?["type"]?.stringValue
            }
        }
        var log: [String] { mutating get { state.snapshot(at: now).log.suffix(100).map(\.message) } }
    }

    private static let loaded =
        #"{"type":"loaded","presenter":"home","surface":{"html":"<p>From Python</p>","refresh":15}}"#

    @Test func aPluginServesABanner() throws {
        var bench = try Bench()
        #expect(bench.started == [PluginRun("py", 1)] && bench.told.isEmpty)
        bench.report(.started)
        #expect(bench.told == ["hello"])
        bench.say(#"{"type":"ready","provider":"py","capabilities":["banner"]}"#)
        #expect(bench.told == ["hello", "create", "load"])
        bench.say(Self.loaded)
        #expect(bench.slot("home")?.state == .impressed && bench.slot("home")?.size?.text == "640x50")
        #expect(bench.told == ["hello", "create", "load", "visibility"])
        let shown = bench.view
        let view = try #require(shown)
        #expect(view.plugins == [.init(identifier: "py", provider: "py", state: .ready, reason: nil, runs: 1)])
        #expect(view.server == nil)
        // The refresh uses the same process.
        bench.pass(.seconds(15))
        #expect(bench.told.suffix(1) == ["load"] && bench.started.count == 1)
    }

    @Test func aPluginThatHangsFailsTheLoad() throws {
        var bench = try Bench()
        bench.ready()
        bench.pass(.seconds(10))
        #expect(bench.slot("home")?.state == .failed)
        #expect(bench.slot("home")?.error?.detail == "no answer within 10s")
        #expect(bench.killed.isEmpty)
    }

    @Test func aHangingPluginIsRestartedALimitedNumberOfTimes() throws {
        var bench = try Bench(["home", "left", "right"])
        for run in 1...HostedPlugin.maximumFailures {
            bench.ready(run: run)
            bench.pass(.seconds(10))
            #expect(bench.terminated.last == PluginRun("py", run) && bench.killed.isEmpty)
            #expect(bench.slot("left")?.error?.detail == "no answer within 10s")
            #expect(bench.log.contains("plugin py: the plugin did not answer 3 requests in a row"))
            for name in ["home", "left", "right"] { bench.apply(.beside(.formatActed(slot: name, .load))) }
        }
        #expect(bench.started.count == HostedPlugin.maximumFailures)
        let refusal = "not started again: 5 consecutive processes of the plugin ended without an answer"
        #expect(bench.slot("right")?.error?.detail == refusal && bench.slot("right")?.state == .failed)
        let view = bench.view
        #expect(view?.plugins.first?.state == .ended && view?.plugins.first?.reason == refusal)
        // It is reported once, not with every load.
        #expect(bench.log.count { $0 == "plugin py: \(refusal)" } == 1)
        // A load that was abandoned does not fail again when its plugin ends.
        #expect(!bench.log.contains { $0.contains("rejected") })
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test func aPluginThatDoesNotGreetIsEnded() throws {
        var bench = try Bench(["home", "other"])
        bench.report(.started)
        bench.pass(.seconds(5))
        #expect(bench.terminated == [PluginRun("py", 1)])
        for name in ["home", "other"] {
            #expect(bench.slot(name)?.error?.detail == "the plugin did not send ready within 5s")
        }
        let view = bench.view
        #expect(view?.plugins.first?.state == .ended)
    }

    /// The job of the terminal was stopped (^Z), and the plugin with it: it has the time that was left.
    @Test func aPluginThatStoodStillWithTheProgramIsNotEnded() throws {
        var bench = try Bench(["home", "left", "right"])
        bench.report(.started)
        bench.pass(.seconds(1))
        bench.pass(.seconds(600))
        bench.pass(.milliseconds(3_900))
        #expect(bench.terminated.isEmpty)
        bench.say(#"{"type":"ready","provider":"py","capabilities":["banner"]}"#)
        // Three loads are open, so that it would count as one that hangs.
        bench.pass(.seconds(600))
        #expect(bench.terminated.isEmpty)
        bench.pass(.seconds(10))
        #expect(bench.terminated == [PluginRun("py", 1)])
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test func aPluginThatEndsIsRestartedByTheNextLoad() throws {
        var bench = try Bench()
        bench.ready()
        bench.report(.exited("ended with status 3"))
        #expect(bench.slot("home")?.error?.detail == "the plugin ended with status 3")
        let view = bench.view
        #expect(view?.plugins.first?.reason == "the plugin ended with status 3")
        bench.apply(.beside(.formatActed(slot: "home", .load)))
        #expect(bench.started.map(\.number) == [1, 2])
        // Output left by the first process is ignored.
        bench.say(Self.loaded, run: 1)
        #expect(bench.slot("home")?.state == .loading)
        bench.ready(run: 2)
        bench.say(Self.loaded, run: 2)
        #expect(bench.slot("home")?.state == .impressed)
        // An ad on display outlives its plugin; messages to the plugin are dropped.
        bench.report(.exited("ended by signal 9"), run: 2)
        bench.apply(.beside(.formatActed(slot: "home", .visibility(0.38))))
        #expect(bench.slot("home")?.state == .impressed && bench.started.count == 2)
    }

    @Test func aPluginThatCannotStartReportsTheReason() throws {
        var bench = try Bench()
        bench.report(.notStarted("plugin.py: not permitted"))
        #expect(bench.slot("home")?.error?.detail == "the plugin could not be started: plugin.py: not permitted")
    }

    @Test func aPluginThatLiesChangesNothing() throws {
        var bench = try Bench()
        bench.ready()
        bench.say(#"{"type":"state","presenter":"home","state":"impressed"}"#)
        bench.say(#"{"type":"reward","presenter":"home","name":"Gold","amount":1000}"#)
        bench.say(#"{"type":"loaded","presenter":"somebody","surface":{"html":"x"}}"#)
        bench.say("nonsense")
        #expect(bench.slot("home")?.state == .loading && bench.slot("home")?.marks.isEmpty == true)
        let log = bench.log
        for line in [
            "home: rejected the plugin's state impressed in loading",
            "plugin py: sent a message for unknown presenter 'somebody'",
            "plugin py: a line of the plugin is not JSON",
        ] {
            #expect(log.contains { $0.hasPrefix(line) }, "\(line) is not in \(log)")
        }
    }

    @Test func aPluginThatFloodsIsKilled() throws {
        var bench = try Bench()
        bench.ready()
        let lines = Array(String(repeating: #"{"type":"weather"}"# + "\n", count: 500).utf8)
        bench.report(.output(lines))
        #expect(bench.killed == [PluginRun("py", 1)])
        #expect(
            bench.slot("home")?.error?.detail == "the plugin writes more than 200 lines or 4 MiB per second")
    }

    @Test func aPluginThatDoesNotReadIsKilled() throws {
        var bench = try Bench()
        bench.ready()
        bench.report(.deaf)
        #expect(bench.killed.count == 1)
        #expect(bench.slot("home")?.error?.detail == "the plugin does not read its input")
    }

    @Test func pluginsAreShutDownWithTheSession() throws {
        var bench = try Bench()
        bench.ready()
        bench.apply(.stopped)
        #expect(bench.told.last == "bye")
    }

    @Test func aFormatThatThePluginDoesNotDeclareHasNoAdSpace() throws {
        let bench = try Bench(capabilities: [.native])
        #expect(bench.state.beside.formats.slots.isEmpty && bench.started.isEmpty)
    }

    @Test func aRecordingNeedsNoProcess() throws {
        var bench = try Bench()
        bench.ready()
        bench.report(.complaint(Array("hello from python\n".utf8)))
        bench.say(Self.loaded)
        bench.report(.exited("ended with status 0"))
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test(arguments: [
        PluginNews.started, .notStarted("why"), .output(Array("é\n".utf8)), .output([0xFF, 0x0A]), .complaint([0x41]),
        .deaf, .exited("ended with status 3"),
    ])
    func allNewsSurviveARecording(news: PluginNews) throws {
        let input = RecordedInput(
            input: .beside(.pluginReported(PluginRun("ä", 7), news)),
            at: Moment(wall: UnixTime(milliseconds: 1), uptime: .seconds(1)))
        #expect(try RecordingFormat.readLine(Array(RecordingFormat.line(input).utf8)) == input)
    }
}
