package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A jar in a file, in Netscape's form. Only its owner may read what is written here.
package enum CookieJarFile {
    /// The jar of the file; an empty one if there is no such file yet, and its folder can have one.
    package static func read(_ path: String, at now: UnixTime) throws(FileProblem) -> CookieJar {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(path, maximumBytes: CookieFile.maximumBytes)
        } catch {
            guard error.reason == .missing else { throw error }
            try expectFolder(of: path)
            return CookieJar()
        }
        do throws(CookieFile.Problem) {
            return try CookieFile.read(String(decoding: bytes, as: UTF8.self), at: now)
        } catch {
            throw FileProblem(
                path: path,
                reason: .malformed("is not a file of cookies in Netscape's form: line \(error.line): \(error.message)"))
        }
    }

    /// Throws if the folder of a file cannot have a new one: better before the first request than after the last.
    private static func expectFolder(of path: String) throws(FileProblem) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw FileProblem(creating: path, code: errno) }
    }

    /// Replaces the file as a whole: a reader sees the old cookies or the new ones.
    package static func write(_ jar: CookieJar, to path: String, at now: UnixTime) throws(FileProblem) {
        let file = try FileReplacement(of: path, mode: 0o600)
        let failure = WholeWrite.write(Array(CookieFile.text(jar, at: now).utf8), to: file.descriptor)
        try file.finish(failure)
    }
}
