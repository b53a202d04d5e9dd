import Foundation
import Live
import Ports

/// Reads environment and config file and resolves all settings. Unknown names in both are passed to `warn`, one line each.
struct SettingsLoader {
    /// Largest config file in bytes.
    static let maximumBytes = 1 << 20

    var environment = ProcessInfo.processInfo.environment
    /// The path of `--config`, which must exist. Nil selects `ADTOP_CONFIG` or the XDG path, which may be absent.
    var configPath: String?

    /// `$XDG_CONFIG_HOME/adtop/config.yaml` (XDG_CONFIG_HOME default `~/.config`).
    var defaultConfigPath: String {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/adtop/config.yaml" }
        return "\(environment["HOME"] ?? "")/.config/adtop/config.yaml"
    }

    func file() throws(CommandFailure) -> ConfigFile? {
        let asked = configPath ?? environment[ProgramVariable.config.rawValue]
        let path = asked ?? defaultConfigPath
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(path, maximumBytes: Self.maximumBytes)
        } catch {
            // A home that is no folder, as that of many services, has no files.
            if asked == nil, error.reason == .missing || error == FileProblem(path: path, code: ENOTDIR) { return nil }
            throw CommandFailure(.usage, "config file: \(error)")
        }
        return try ConfigFile(yaml: String(decoding: bytes, as: UTF8.self), path: path)
    }

    func texts(flags: [Setting: String]) throws(CommandFailure) -> (texts: SettingTexts, file: ConfigFile?) {
        let file = try file()
        return (SettingTexts(flags: flags, environment: environment, file: file), file)
    }

    /// The same, with the warnings of environment and file.
    func texts(
        flags: [Setting: String], warn: (String) -> Void
    ) throws(CommandFailure) -> (texts: SettingTexts, file: ConfigFile?) {
        let found = try texts(flags: flags)
        ProgramVariable.warnings(of: environment).forEach(warn)
        found.file?.warnings.forEach(warn)
        return found
    }

    func load(flags: [Setting: String], warn: (String) -> Void) throws(CommandFailure) -> Settings {
        let (texts, file) = try texts(flags: flags, warn: warn)
        return try Settings(texts, file: file)
    }
}
