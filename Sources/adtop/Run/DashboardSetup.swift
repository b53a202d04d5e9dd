import Dashboard

/// Converts the settings of the screen to the dashboard's initial settings.
enum DashboardSetup {
    /// The initial settings; `isUTF8`: whether the locale can show the Unicode glyphs.
    static func settings(_ settings: ScreenSettings, isUTF8: Bool) throws(CommandFailure) -> DashboardState.Settings {
        var result = DashboardState.Settings()
        result.version = Version.current
        result.keymap = try keymap(settings.keys)
        result.themes = ThemeName.all
        result.theme = settings.theme
        result.isInsecure = settings.warnsOfInsecure
        result.view = settings.view
        result.hiddenLog = settings.hiddenLog
        result.showsTip = settings.showsTip
        result.isASCII = settings.isASCII ?? !isUTF8
        return result
    }

    /// The standard keys with the config file's changes; an error names file, line and column.
    static func keymap(_ keys: [String: ConfigFile.Binding]) throws(CommandFailure) -> Keymap {
        let (map, problems) = Keymap.standard.remapped(keys.mapValues { $0.keys.map(\.text) })
        guard let problem = problems.first else { return map }
        throw CommandFailure(.usage, "\(position(of: problem, in: keys)?.description ?? "config"): \(problem)")
    }

    private static func position(of problem: KeymapProblem, in keys: [String: ConfigFile.Binding]) -> FilePosition? {
        switch problem {
        case .unknownAction(let name): keys[name]?.position
        case .unknownKey(let word, let action), .takenTwice(let word, let action, _):
            keys[action.rawValue]?.keys.first { $0.text == word }?.position ?? keys[action.rawValue]?.position
        case .noWayOut: keys[Action.quit.rawValue]?.position
        }
    }
}
