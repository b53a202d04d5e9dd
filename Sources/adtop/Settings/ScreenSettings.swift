import Dashboard
import Screen
import Session

/// What the dashboard shows first, and how.
struct ScreenSettings: Equatable, Sendable {
    var view = DashboardView.breaks
    var theme = ThemeName.auto
    var color = ColorSetting.auto
    /// Nil selects ASCII when the locale is not UTF-8.
    var isASCII: Bool?
    var usesMouse = true
    /// Whether the header warns that certificates are not verified.
    var warnsOfInsecure = false
    /// What lines of the log are about that are hidden at the start.
    var hiddenLog: Set<LogSource> = []
    /// Whether the first keys to press are named.
    var showsTip = false
    /// Key remappings by action name, from the config file.
    var keys: [String: ConfigFile.Binding] = [:]
    /// The user's own commands, from the config file.
    var commands: [ConfigFile.Command] = []
}

extension SettingSection {
    static let screen = SettingSection(
        title: "Screen",
        settings: [
            SettingSpec(
                .view,
                "first view of the dashboard: \(DashboardView.choices)", default: "breaks",
                \.screen.view, .name()),
            SettingSpec(
                .theme, "theme name or file; auto chooses by the terminal's background", default: "auto",
                \.screen.theme, .theme),
            SettingSpec(.color, "colours: auto, never, 16, 256 or truecolor", default: "auto", \.screen.color, .name()),
            SettingSpec(
                .ascii, "plain ASCII glyphs: auto, yes or no", default: "auto", \.screen.isASCII,
                SettingType<Bool>.flag.or("auto")),
            SettingSpec(.mouse, "use the mouse: yes or no", default: "yes", \.screen.usesMouse, .flag),
        ])
}
