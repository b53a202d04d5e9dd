package import AdFormats
package import Ports

/// Plugins in processes of their own, which fill ad spaces of a session and bid in its auctions. Their messages are
/// judged here, from recorded bytes, so that a replay needs no process (FMT-25, BID-22).
struct SessionPlugins {
    var plugins: [HostedPlugin] = []

    /// One process serves all users of a plugin.
    init(_ configuration: MonitorConfiguration) {
        for plugin in (configuration.formats?.plugins ?? []) + (configuration.auction?.plugins ?? [])
        where index(of: plugin.manifest.identifier) == nil {
            plugins.append(HostedPlugin(plugin))
        }
    }

    /// Uptime at which a silent plugin is abandoned.
    var nextDue: Duration? { plugins.compactMap { $0.session.nextDue }.min() }

    func index(of identifier: String) -> Int? { plugins.firstIndex { $0.identifier == identifier } }

    /// This process did not run for `span`. An auction does not wait for it: a bid that is late is late, and its plugin does not hang.
    mutating func stoodStill(for span: Duration) {
        for index in plugins.indices { plugins[index].session.stoodStill(for: span) }
    }
}

/// Messages between a session and the processes of its plugins.
extension Beside {
    /// Sends a message to a plugin. If its process has ended, a message that starts something new starts another
    /// process; other messages are dropped.
    mutating func sendToPlugin(_ index: Int, _ message: HostMessage, _ desk: inout Desk, at now: Moment) {
        if !plugins.plugins[index].isRunning {
            guard message.beginsSomething else { return }
            guard let run = plugins.plugins[index].startNextRun() else {
                return pluginIsGone(index, plugins.plugins[index].refusal ?? "", &desk, at: now)
            }
            desk.request(.startPlugin(run))
        }
        perform(plugins.plugins[index].session.send(message, at: now.uptime), of: index, &desk, at: now)
    }

    /// Ends all waits for the plugin.
    private mutating func pluginIsGone(_ index: Int, _ reason: String, _ desk: inout Desk, at now: Moment) {
        let name = plugins.plugins[index].identifier
        for slot in formats.slots(ofPlugin: name) { apply(.pluginEnded(reason), to: slot, &desk, at: now) }
        bidderEnded(name, reason, &desk, at: now)
    }

    mutating func pluginReported(_ run: PluginRun, _ news: PluginNews, _ desk: inout Desk, at now: Moment) {
        // Reports of an earlier process are ignored.
        guard let index = plugins.plugins.firstIndex(where: { $0.isRunning && $0.run == run }) else { return }
        perform(hear(news, of: index, at: now), of: index, &desk, at: now)
    }

    private mutating func hear(_ news: PluginNews, of index: Int, at now: Moment) -> [PluginSession.Output] {
        let plugin = plugins.plugins[index].plugin
        return plugins.plugins[index].session.hear(
            news, of: plugin, parameters: formats.parameters.json, at: now.uptime)
    }

    /// Advances the plugins whose time is over.
    mutating func pluginsIfDue(_ desk: inout Desk, at now: Moment) {
        for index in plugins.plugins.indices {
            perform(plugins.plugins[index].session.advance(to: now.uptime), of: index, &desk, at: now)
        }
    }

    /// The session ends: every plugin is asked to shut down. The owner of the processes ensures that they end.
    mutating func pluginsClosed(_ desk: inout Desk, at now: Moment) {
        for index in plugins.plugins.indices where plugins.plugins[index].isRunning {
            let outputs = plugins.plugins[index].session.close("the session ended", at: now.uptime)
            perform(outputs, of: index, &desk, at: now)
        }
    }

    private mutating func perform(_ outputs: [PluginSession.Output], of index: Int, _ desk: inout Desk, at now: Moment)
    {
        let (run, name) = (plugins.plugins[index].run, plugins.plugins[index].identifier)
        for output in outputs {
            switch output {
            case .write(let line): desk.request(.writeToPlugin(run, line))
            case .deliver(let message): deliver(message, of: index, &desk, at: now)
            case .note(let severity, let text):
                desk.note(LogLevel(severity), "plugin \(name): \(text)", from: .formats, at: now)
            case .terminate: desk.request(.terminatePlugin(run))
            case .kill: desk.request(.killPlugin(run))
            case .ended(let reason):
                desk.note(.error, "plugin \(name): \(reason)", from: .formats, at: now)
                if let refusal = plugins.plugins[index].refusal {
                    desk.note(.error, "plugin \(name): \(refusal)", from: .formats, at: now)
                }
                pluginIsGone(index, reason, &desk, at: now)
            }
        }
    }

    private mutating func deliver(_ message: PluginMessage, of index: Int, _ desk: inout Desk, at now: Moment) {
        let name = plugins.plugins[index].identifier
        if case .bid(let request, let answer) = message {
            return bidderSaid(name, request: request, answer, &desk, at: now)
        }
        if case .ready(_, _, let bids, _) = message { bidderIsReady(name, bids: bids, &desk, at: now) }
        let slots = formats.slots(ofPlugin: name)
        guard let presenter = message.presenter else {
            for slot in slots { apply(.pluginSent(message), to: slot, &desk, at: now) }
            return
        }
        guard let slot = slots.first(where: { formats.slots[$0].name == presenter }) else {
            return desk.note(
                .warning, "plugin \(name): sent a message for unknown presenter '\(presenter)'", from: .formats, at: now
            )
        }
        apply(.pluginSent(message), to: slot, &desk, at: now)
    }

    /// The views of the plugins of ad spaces.
    func pluginViews(_ configuration: FormatsConfiguration) -> [FormatsView.Plugin] {
        let named = configuration.plugins.map(\.manifest.identifier)
        return plugins.plugins.filter { named.contains($0.identifier) }.map { plugin in
            var view = FormatsView.Plugin(
                identifier: plugin.identifier, provider: plugin.session.provider, state: .idle, runs: plugin.runs)
            guard plugin.runs > 0 else { return view }
            switch plugin.session.state {
            case .greeting: view.state = .starting
            case .ready: view.state = .ready
            case .closing: view.state = .closing
            case .ended(let reason): (view.state, view.reason) = (.ended, plugin.refusal ?? reason)
            }
            return view
        }
    }
}

extension HostMessage {
    /// Whether the message justifies a new process.
    fileprivate var beginsSomething: Bool {
        switch self {
        case .create, .bid: true
        case .hello, .load, .show, .click, .dismiss, .visibility, .finished, .bye: false
        }
    }
}

extension PluginSession {
    /// Applies a report about its process; `plugin` and `parameters` are part of the greeting.
    package mutating func hear(
        _ news: PluginNews, of plugin: SubprocessPlugin, parameters: JSONValue, at uptime: Duration
    ) -> [Output] {
        switch news {
        case .started: started(configuration: plugin.configuration, parameters: parameters, at: uptime)
        case .notStarted(let why): exited("could not be started: \(why)")
        case .output(let bytes): received(bytes, at: uptime)
        case .complaint(let bytes): complained(bytes, at: uptime)
        case .deaf: wentDeaf()
        case .exited(let how): exited(how)
        }
    }
}
