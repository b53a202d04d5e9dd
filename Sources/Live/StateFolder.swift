package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The folder for persistent state: `$XDG_STATE_HOME/adtop`, else `~/.local/state/adtop` (XDG Base Directory
/// Specification 0.8). Only its owner may read it, because session addresses grant access.
package enum StateFolder {
    /// The folder's path; nil when neither XDG_STATE_HOME nor HOME is an absolute path.
    package static func path(environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/adtop" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/adtop" }
        return nil
    }

    /// Creates the folder and its parents if they are missing.
    package static func make(_ path: String) throws(FileProblem) {
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, S_IRWXU) != 0 else { continue }
            // For an existing folder `mkdir` fails with EEXIST, or with EISDIR and EROFS for system folders.
            let code = errno
            var status = stat()
            guard stat(folder, &status) == 0 else { throw FileProblem(path: folder, code: code) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw FileProblem(path: folder, code: ENOTDIR) }
        }
    }
}
