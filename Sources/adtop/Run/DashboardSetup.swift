import Dashboard
import Screen

/// Converts the settings of the screen to the dashboard's initial settings.
enum DashboardSetup {
    /// The initial settings; `isUTF8`: whether the locale can show the Unicode glyphs.
    static func settings(_ settings: ScreenSettings, isUTF8: Bool) throws(CommandFailure) -> DashboardState.Settings {
        var result = DashboardState.Settings()
        result.version = Version.current
        result.keymap = try keymap(settings.keys)
        result.commands = try commands(settings.commands, result.keymap)
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

    /// The user's own commands; an error names file, line and column.
    static func commands(
        _ commands: [ConfigFile.Command], _ keymap: Keymap
    ) throws(CommandFailure) -> [UserCommand] {
        var result: [UserCommand] = []
        for command in commands {
            let word = command.key.text
            func failure(_ text: String, _ position: FilePosition) -> CommandFailure {
                CommandFailure(.usage, "\(position): commands: \(text)")
            }
            guard let key = KeyPress(parsing: word) else {
                throw failure("unknown key \"\(word)\"; write keys as F5, C-b, M-t", command.key.position)
            }
            if let action = keymap.action(for: key) {
                throw failure(
                    "\(word) is the key of \(action.rawValue); choose another, or change that under keys:",
                    command.key.position)
            }
            if result.contains(where: { $0.key == key }) {
                throw failure("\(word) is given twice", command.key.position)
            }
            if command.usesShell, let script = command.words.first,
                let used = UserCommand.Placeholder.allCases.first(where: { script.text.contains($0.text) })
            {
                throw failure(
                    "\(used.text) inside a script would be read by the shell; write \"$1\" there and \(used.text) after it",
                    script.position)
            }
            result.append(
                UserCommand(
                    key: key, words: command.words.map(\.text), usesShell: command.usesShell, asks: command.asks,
                    summary: command.summary))
        }
        return result
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
