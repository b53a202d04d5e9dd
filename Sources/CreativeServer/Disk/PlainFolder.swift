import Foundation
package import Ports

/// Files of a folder that only its owner can access: links are not followed, and a file is written completely or not at
/// all.
package struct PlainFolder: Sendable {
    /// Writes bytes to an open file and returns how many were written, or -1 with `errno`; replaceable, so that a full
    /// disk can be tested.
    package typealias Write = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    package let path: String
    private let write: Write

    /// Prefix of the names of incomplete files.
    static let temporaryPrefix = ".tmp-"
    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    /// Creates the folder and its parents if they are missing; the folder is private to its owner.
    package init(
        making path: String, write: @escaping Write = { Foundation.write($0, $1.baseAddress, $1.count) }
    ) throws(FileProblem) {
        self.path = path
        self.write = write
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, Self.folderMode) != 0 else { continue }
            let code = errno
            var status = stat()
            // Parent folders may be links, as home folders often are; the last one is checked below.
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw FileProblem(path: folder, code: code == EEXIST ? ENOTDIR : code)
            }
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileProblem(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileProblem(path: path, reason: .notPlain) }
        guard status.st_mode & 0o077 == 0 || chmod(path, Self.folderMode) == 0 else {
            throw FileProblem(path: path, code: errno)
        }
    }

    /// The path of a file in the folder, whether or not it exists.
    package func file(_ name: String) -> String { path + "/" + name }

    /// All file names, sorted.
    package func names() throws(FileProblem) -> [String] {
        guard let folder = opendir(path) else { throw FileProblem(path: path, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Changes whenever a name is added, removed or replaced; nil when the folder does not exist.
    package var changeMark: Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileMark(status).changedNanoseconds
    }

    /// The bytes of a file: at most `limit` when `isHead`, else all, or an error if there are more. Also returns its
    /// size and its modification time in milliseconds since the epoch.
    package func read(
        _ name: String, limit: Int, isHead: Bool = false
    ) throws(FileProblem) -> (bytes: [UInt8], size: Int, changedMilliseconds: Int64, mark: FileMark) {
        let path = file(name)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileProblem(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileProblem(path: path, reason: .notPlain) }
        let size = Int(status.st_size)
        guard isHead || size <= limit else { throw FileProblem(path: path, reason: .tooLong(limit: limit)) }
        var bytes = [UInt8](repeating: 0, count: min(size, limit))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileProblem(path: path, code: errno) }
            if got == 0 { break }
            count += got
        }
        let mark = FileMark(status)
        return (Array(bytes.prefix(count)), size, mark.changedNanoseconds / 1_000_000, mark)
    }

    /// Which file a name refers to now; another one once the file was replaced.
    func mark(_ name: String) throws(FileProblem) -> FileMark {
        var status = stat()
        guard lstat(file(name), &status) == 0 else { throw FileProblem(path: file(name), code: errno) }
        return FileMark(status)
    }

    /// Writes a file atomically: first under a temporary name, then renamed. Readers see the old or the new file.
    @discardableResult
    package func replace(_ name: String, with bytes: [UInt8]) throws(FileProblem) -> FileMark {
        let path = file(name)
        let temporary = file("\(Self.temporaryPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, Self.fileMode)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        var code = writeAll(bytes, to: descriptor)
        var status = stat()
        if code == 0, fstat(descriptor, &status) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw FileProblem(path: path, code: code)
        }
        return FileMark(status)
    }

    /// Removes a file; false when there was none.
    @discardableResult
    package func remove(_ name: String) -> Bool { unlink(file(name)) == 0 }

    /// Moves a file into the subfolder `aside` for inspection. At most `limit` files are kept there.
    func setAside(_ name: String, limit: Int) {
        let aside = file("damaged")
        guard mkdir(aside, Self.folderMode) == 0 || errno == EEXIST,
            let kept = try? FileManager.default.contentsOfDirectory(atPath: aside), kept.count < limit,
            rename(file(name), aside + "/" + name) == 0
        else {
            // Otherwise it would be reported as damaged at every start.
            remove(name)
            return
        }
    }

    /// The error number; zero when everything was written.
    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = UnsafeRawBufferPointer(rebasing: buffer[...])
            while !rest.isEmpty {
                let count = write(descriptor, rest)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
    }
}
