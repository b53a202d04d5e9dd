package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads whole files with a limit.
package enum FileText {
    /// Number of bytes per read.
    private static let chunk = 64 << 10

    /// The bytes of the file; `-` is standard input.
    package static func read(_ path: String, maximumBytes: Int) throws(FileProblem) -> [UInt8] {
        if path == "-" { return try read(descriptor: 0, path: "standard input", maximumBytes: maximumBytes) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, path: path, maximumBytes: maximumBytes)
    }

    /// The first bytes of a file, at most so many; none of a device or pipe, whose bytes would be taken from its reader.
    package static func beginning(of path: String, bytes count: Int) throws(FileProblem) -> [UInt8] {
        // A pipe without a writer would wait for one.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileProblem(path: path, code: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileProblem(path: path, reason: .isFolder) }
        guard status.st_mode & S_IFMT == S_IFREG else { return [] }
        var buffer = [UInt8](repeating: 0, count: count)
        let got = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        guard got >= 0 else { throw FileProblem(path: path, code: errno) }
        return Array(buffer[..<got])
    }

    private static func read(descriptor: Int32, path: String, maximumBytes: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN && WaitingDescriptor.wait(descriptor, POLLIN) { continue }
                throw FileProblem(path: path, code: errno)
            }
            guard bytes.count + count <= maximumBytes else {
                throw FileProblem(path: path, reason: .tooLong(limit: maximumBytes))
            }
            bytes += buffer[..<count]
        }
    }
}

/// `read` under another name, because `FileText.read` hides it.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
