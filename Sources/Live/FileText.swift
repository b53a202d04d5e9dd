#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a file cannot be used; one line with path and reason.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case missing, notPermitted, isFolder
        case tooLong(limit: Int)
        /// The system's own words.
        case system(String)
        /// It was read and is not what it should be; a clause that follows the path.
        case malformed(String)
    }

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .missing: "\(path): no such file"
        case .notPermitted: "\(path): not permitted"
        case .isFolder: "\(path): is a folder"
        case .tooLong(let limit): "\(path): longer than \(limit) bytes"
        case .system(let words): "\(path): \(words)"
        case .malformed(let clause): "\(path) \(clause)"
        }
    }

    /// From `errno`.
    init(path: String, code: Int32) {
        self.path = path
        reason =
            switch code {
            case ENOENT: .missing
            case EACCES, EPERM: .notPermitted
            case EISDIR: .isFolder
            default: .system(String(cString: strerror(code)).lowercased())
            }
    }
}

/// Reads whole files with a limit.
package enum FileText {
    /// Bytes read at a time.
    private static let chunk = 64 << 10

    /// The bytes of the file; `-` is standard input.
    package static func read(_ path: String, maximumBytes: Int) throws(FileProblem) -> [UInt8] {
        if path == "-" { return try read(descriptor: 0, path: "standard input", maximumBytes: maximumBytes) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, path: path, maximumBytes: maximumBytes)
    }

    private static func read(descriptor: Int32, path: String, maximumBytes: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileProblem(path: path, code: errno)
            }
            guard bytes.count + count <= maximumBytes else {
                throw FileProblem(path: path, reason: .tooLong(limit: maximumBytes))
            }
            bytes += buffer[..<count]
        }
    }
}

/// `read` by another name, because `FileText.read` hides it.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
