#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Symbolic links to files.
enum LinkedPath {
    /// As many links as Linux follows in one path.
    private static let most = 40

    /// The path of the file that `path` names, without symbolic links; the file itself may be missing, also at the end
    /// of a link. A path that cannot be followed is returned as it is: opening it then reports the problem.
    static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<most {
            if let real = real(path) { return real }
            let (folder, name) = parts(of: path)
            if let target = target(of: path) {
                path = target.hasPrefix("/") ? target : folder + "/" + target
            } else {
                return real(folder).map { ($0 == "/" ? "" : $0) + "/" + name } ?? path
            }
        }
        return path
    }

    private static func parts(of path: String) -> (folder: String, name: String) {
        (folder(of: path), String(path.split(separator: "/").last ?? ""))
    }

    /// The folder part of a path; `.` for a name alone.
    static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }

    private static func real(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
