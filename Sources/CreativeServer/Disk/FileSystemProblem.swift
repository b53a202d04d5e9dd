#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why something on disk cannot be done; one line with path, reason and, where there is one, what to do.
package struct FileSystemProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case missing
        case full
        /// A link, folder or device where a plain file or folder is expected.
        case notPlain
        case tooLong(limit: Int)
        /// What was read is not what was written; a clause.
        case damaged(String)
        /// The system's own words.
        case system(String)
    }

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// From `errno`.
    init(path: String, code: Int32) {
        self.path = path
        reason =
            switch code {
            case ENOENT: .missing
            case ENOSPC, EDQUOT: .full
            case ELOOP, EMLINK: .notPlain
            default: .system(String(cString: strerror(code)).lowercased())
            }
    }

    package var description: String {
        switch reason {
        case .missing: "\(path): no such file"
        case .full: "\(path): the disk is full; the memory goes on without it (free some space, or use --memory-only)"
        case .notPlain: "\(path): is a link or no plain file or folder; it is not touched"
        case .tooLong(let limit): "\(path): longer than \(limit) bytes"
        case .damaged(let clause): "\(path): \(clause)"
        case .system(let words): "\(path): \(words)"
        }
    }
}
