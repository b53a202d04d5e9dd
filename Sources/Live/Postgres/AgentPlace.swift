package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The state folder of an agent, which its process has locked: where the same place starts again, the former process is dead, so the store may
/// fence it at once (FLT-1).
package final class AgentPlace: Sendable {
    /// Host and folder.
    package let name: String
    package let folder: String
    private let lock: FileLock

    /// Creates the folder if it is missing; nil when another process has it.
    package init?(folder: String) throws(FileProblem) {
        try StateFolder.make(folder)
        guard let lock = try FileLock(path: folder + "/lock") else { return nil }
        self.lock = lock
        self.folder = folder
        name = "\(Self.host):\(folder)"
    }

    private static var host: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
