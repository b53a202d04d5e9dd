/// Starts a group of sessions: those of a list, each with the options of its line over those of the command line.
struct MonitorStart {
    var session: SessionOptions
    var creatives: SessionCacheOptions
    var screen: ScreenOptions
    var dump: any HeadlessOptions
    var spread: Duration?

    /// Follows the sessions of a list, which is read after the options were checked.
    func run(_ read: () throws(CommandFailure) -> SessionList) async throws {
        try creatives.reject()
        let plan = try dump.plan(of: .streams, events: session.files.events)
        let loader = SettingsLoader(configPath: screen.config)
        let flags = session.settings.merging(screen.settings) { first, _ in first }
        let (texts, config) = try loader.texts(flags: flags, warn: Output.error)
        let settings = try Settings(texts, file: config)
        try settings.log.rejectLevelAlone(flags)
        let list = try read()
        var sessions: [MonitorRun.Session] = []
        for entry in list.entries {
            let own = flags.merging(entry.options) { _, own in own }
            do throws(CommandFailure) {
                let texts = SettingTexts(flags: own, environment: loader.environment, file: config)
                sessions.append(
                    MonitorRun.Session(
                        name: entry.name, url: entry.url, settings: try Settings(texts),
                        place: list.place(of: entry)))
            } catch {
                throw list.failure(entry.line, error.message)
            }
        }
        try await MonitorRun(
            sessions: sessions, settings: settings, dump: plan, eventsPath: session.files.events,
            recording: session.files.recording, spread: spread
        ).run()
    }
}
