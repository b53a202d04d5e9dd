import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where adtop keeps what must survive: `$XDG_STATE_HOME/adtop`, else `~/.local/state/adtop` (XDG Base Directory
/// Specification 0.8). Only its owner may look inside: session addresses give access.
package enum StateFolder {
    /// The folder's path; nil when neither XDG_STATE_HOME nor HOME is an absolute path.
    package static func path(environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/adtop" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/adtop" }
        return nil
    }

    /// Makes the folder and those above it where they are missing.
    static func make(_ path: String) throws(FileProblem) {
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, S_IRWXU) != 0 else { continue }
            // The result of `mkdir` on something that exists is EEXIST, or EISDIR and EROFS for system folders.
            let code = errno
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw FileProblem(path: folder, code: code)
            }
        }
    }
}
