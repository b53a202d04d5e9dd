import AdFormats
import Ports

/// Plugins in processes of their own that fill ad spaces of a session: what they say is judged here, from recorded bytes, so a
/// replay needs no process (bidding-formats-cache 4.2.10).
struct FormatPlugins {
    /// One plugin and the process it has, or had.
    struct Plugin {
        var plugin: SubprocessPlugin
        var session = PluginSession()
        /// Number of its processes so far.
        var runs = 0

        var identifier: String { plugin.manifest.identifier }
        var run: PluginRun { PluginRun(identifier, runs) }
        var isRunning: Bool { runs > 0 && !session.isEnded }
    }

    var plugins: [Plugin]
    /// By ad space, which plugin fills it; nil for the ad server.
    var ofSlot: [Int?] = []

    init(_ plugins: [SubprocessPlugin]) {
        self.plugins = plugins.map { Plugin(plugin: $0) }
    }

    /// Uptime at which a plugin is given up unless it says something.
    var nextDue: Duration? { plugins.compactMap { $0.session.nextDue }.min() }

    func slots(of plugin: Int) -> [Int] { ofSlot.indices.filter { ofSlot[$0] == plugin } }
}

/// What passes between ad spaces and the processes of their plugins.
extension MonitorState {
    /// A plugin whose process is gone gets another when an ad space wants an ad; all else finds nobody.
    mutating func tellPlugin(of slot: Int, _ message: HostMessage, at now: Moment) {
        guard let index = formats.plugins.ofSlot[slot] else { return }
        if !formats.plugins.plugins[index].isRunning {
            guard case .create = message else { return }
            formats.plugins.plugins[index].runs += 1
            formats.plugins.plugins[index].session = PluginSession()
            effects.append(.startPlugin(formats.plugins.plugins[index].run))
        }
        perform(formats.plugins.plugins[index].session.send(message), of: index, at: now)
    }

    mutating func pluginReported(_ run: PluginRun, _ news: PluginNews, at now: Moment) {
        // What an earlier process still says is of no use.
        guard let index = formats.plugins.plugins.firstIndex(where: { $0.isRunning && $0.run == run }) else { return }
        perform(hear(news, of: index, at: now), of: index, at: now)
    }

    private mutating func hear(_ news: PluginNews, of index: Int, at now: Moment) -> [PluginSession.Output] {
        let plugin = formats.plugins.plugins[index].plugin
        switch news {
        case .started:
            return formats.plugins.plugins[index].session.started(
                configuration: plugin.configuration, parameters: formats.parameters.json, at: now.uptime)
        case .notStarted(let why):
            return formats.plugins.plugins[index].session.exited("could not be started: \(why)")
        case .output(let bytes): return formats.plugins.plugins[index].session.received(bytes, at: now.uptime)
        case .complaint(let bytes): return formats.plugins.plugins[index].session.complained(bytes, at: now.uptime)
        case .deaf: return formats.plugins.plugins[index].session.wentDeaf()
        case .exited(let how): return formats.plugins.plugins[index].session.exited(how)
        }
    }

    /// Plugins that let their time pass.
    mutating func pluginsIfDue(at now: Moment) {
        for index in formats.plugins.plugins.indices {
            perform(formats.plugins.plugins[index].session.advance(to: now.uptime), of: index, at: now)
        }
    }

    /// The session ends: every plugin is said goodbye to. Whoever runs the processes sees that they end.
    mutating func pluginsClosed(at now: Moment) {
        for index in formats.plugins.plugins.indices where formats.plugins.plugins[index].isRunning {
            let outputs = formats.plugins.plugins[index].session.close("the session ended", at: now.uptime)
            perform(outputs, of: index, at: now)
        }
    }

    private mutating func perform(_ outputs: [PluginSession.Output], of index: Int, at now: Moment) {
        let (run, name) = (formats.plugins.plugins[index].run, formats.plugins.plugins[index].identifier)
        for output in outputs {
            switch output {
            case .write(let line): effects.append(.tellPlugin(run, line))
            case .deliver(let message): deliver(message, of: index, at: now)
            case .note(let severity, let text): note(LogLevel(severity), "plugin \(name): \(text)", at: now)
            case .kill: effects.append(.killPlugin(run))
            case .ended(let reason):
                note(.error, "plugin \(name): \(reason)", at: now)
                for slot in formats.plugins.slots(of: index) { apply(.pluginEnded(reason), to: slot, at: now) }
            }
        }
    }

    private mutating func deliver(_ message: PluginMessage, of index: Int, at now: Moment) {
        let slots = formats.plugins.slots(of: index)
        guard let presenter = message.presenter else {
            for slot in slots { apply(.pluginSaid(message), to: slot, at: now) }
            return
        }
        guard let slot = slots.first(where: { formats.slots[$0].name == presenter }) else {
            let name = formats.plugins.plugins[index].identifier
            return note(.warning, "plugin \(name): speaks of '\(presenter)', which is none of its ad spaces", at: now)
        }
        apply(.pluginSaid(message), to: slot, at: now)
    }

    /// The plugins as they are to be seen.
    var pluginViews: [FormatsView.Plugin] {
        formats.plugins.plugins.map { plugin in
            var view = FormatsView.Plugin(
                identifier: plugin.identifier, provider: plugin.session.provider, state: .idle, runs: plugin.runs)
            guard plugin.runs > 0 else { return view }
            switch plugin.session.state {
            case .greeting: view.state = .starting
            case .ready: view.state = .ready
            case .closing: view.state = .closing
            case .ended(let reason): (view.state, view.reason) = (.ended, reason)
            }
            return view
        }
    }
}
