import Live
import Ports

/// Files named on the command line.
enum InputFile {
    /// The text of `path`; when there is no such file, the error also says what else would do.
    static func text(_ path: String, or alternative: String) throws(CommandFailure) -> String {
        do throws(FileProblem) {
            return String(decoding: try FileText.read(path, maximumBytes: SettingsLoader.maximumBytes), as: UTF8.self)
        } catch {
            let isMissing = error.reason == .missing
            throw CommandFailure(.usage, isMissing ? "'\(path)' is neither a file nor \(alternative)" : "\(error)")
        }
    }
}
