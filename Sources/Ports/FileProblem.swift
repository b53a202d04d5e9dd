#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a file or folder cannot be used: one line with path, reason and, if there is one, the remedy.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case missing, notPermitted, isFolder
        /// The disk is full.
        case full
        /// A link, folder or device where a plain file or folder is expected.
        case notPlain
        case tooLong(limit: Int)
        /// Words for an error of the operating system.
        case system(String)
        /// The content is invalid; the text is a clause that follows the path.
        case malformed(String)
    }

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Creates the problem for an `errno` value.
    package init(path: String, code: Int32) {
        self.path = path
        reason =
            switch code {
            case ENOENT: .missing
            case EACCES, EPERM: .notPermitted
            case EISDIR: .isFolder
            case ENOSPC, EDQUOT: .full
            case ELOOP, EMLINK: .notPlain
            default: .system(SystemErrorText.words(code))
            }
    }

    /// Creates the problem of a file that cannot be created, with what helps.
    package init(creating path: String, code: Int32) {
        let clause =
            switch code {
            case EEXIST: "the file exists"
            case ENOENT: "there is no such folder"
            case ENOTDIR: "part of the path is not a folder"
            case EISDIR: "it is a folder"
            default: SystemErrorText.words(code)
            }
        self.init(path: path, reason: .system("\(clause); name another file"))
    }

    package var description: String {
        // An empty one would not be seen.
        let path = path.isEmpty ? "''" : path
        return switch reason {
        case .missing: "\(path): no such file; check the name"
        case .notPermitted: "\(path): not permitted"
        case .isFolder: "\(path): is a folder; name a file"
        case .full: "\(path): the disk is full"
        case .notPlain: "\(path): not a plain file or folder (links are not followed)"
        case .tooLong(let limit): "\(path): longer than \(limit) bytes"
        case .system(let words): "\(path): \(words)"
        case .malformed(let clause): "\(path): \(clause)"
        }
    }
}
