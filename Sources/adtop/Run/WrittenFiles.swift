import Foundation
import Live

/// The files that a run writes, each its own: what two of them write would be readable as neither, and a recording would replace the
/// journal.
enum WrittenFiles {
    /// Throws where two flags name one file. What is no regular file, such as `/dev/null`, may be written by several.
    static func check(_ files: KeyValuePairs<String, String?>) throws(CommandFailure) {
        var owners: [String: String] = [:]
        for (flag, path) in files {
            guard let path, path != "-", FileReplacement.isPossible(for: path) else { continue }
            if let owner = owners.updateValue(flag, forKey: place(path)) {
                throw CommandFailure(.usage, "\(flag): \(path) is the file of \(owner), too; name another file")
            }
        }
    }

    /// Where a path leads.
    static func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// The journal that a run keeps, for ``check(_:)``.
    static func journal(_ settings: JournalSettings, isKept: Bool) -> String? {
        // Where there is no place for a journal, opening it has the error.
        isKept ? try? JournalPlace.path(settings.place.path) : nil
    }
}
