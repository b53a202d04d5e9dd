import Foundation

/// A folder for one test, deleted with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "adtop-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The path of a file in it; the file need not exist.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and the folders on the way to it.
    package func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Makes a folder in it with these permissions; returns its path.
    package func close(_ name: String, _ permissions: Int) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
        return file(name)
    }

    deinit {
        // What remains is in the system's folder for temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }
}
