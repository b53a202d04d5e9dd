import Foundation
import Live

/// Finds the journal's file.
enum JournalPlace {
    /// The journal that the settings name, or the one in the state folder.
    static func file(_ settings: JournalSettings) throws(CommandFailure) -> JournalFile {
        let folder = StateFolder.path(environment: ProcessInfo.processInfo.environment)
        var journal = JournalFile.Settings()
        journal.earlierFolder = folder.map { $0 + "/journals" }
        journal.age = settings.age
        journal.bytes = settings.bytes
        journal.version = Version.current
        return JournalFile(path: try path(settings.place.path), settings: journal)
    }

    /// `given`, made absolute, or the journal in the state folder.
    /// - Parameters:
    ///   - remedy: what the verb offers where there is no state folder.
    static func path(_ given: String?, or remedy: String = "use --no-journal") throws(CommandFailure) -> String {
        if let given { return URL(fileURLWithPath: given).path }
        guard let folder = StateFolder.path(environment: ProcessInfo.processInfo.environment) else {
            throw CommandFailure(
                .usage,
                "no journal folder: neither XDG_STATE_HOME nor HOME is an absolute path; set one, or \(remedy)")
        }
        return folder + "/journal.sqlite"
    }
}
