import Live
import Ports

/// What the requests of a tool are made of.
struct ToolSettings: Sendable {
    var requests = RequestSettings()
    /// The User-Agent that is given; nil is that of the verb, or none.
    var agent: String?
    var plan = ConnectionPlan()
}

extension Settings {
    /// What the requests of a tool are made of; `hasOwnTimeout`: without the time limit of the settings.
    static func tool(_ texts: SettingTexts, hasOwnTimeout: Bool) throws(CommandFailure) -> ToolSettings {
        var settings = Settings()
        let sections = [SettingSection.requests, .connection]
        try settings.read(texts, sections.flatMap { $0.settings.map(\.setting) })
        try settings.requests.readBearer(texts)
        if hasOwnTimeout { settings.connection.timeout = nil }
        return try settings.tool()
    }

    /// The input of a session's own tools. The session keeps the file of cookies.
    var input: InputSource {
        var settings = self
        settings.requests.cookieJar = nil
        return InputSource { [settings] () throws(CommandFailure) in try settings.tool() }
    }

    private func tool() throws(CommandFailure) -> ToolSettings {
        ToolSettings(requests: requests, agent: session.userAgent, plan: try connection.plan())
    }
}
