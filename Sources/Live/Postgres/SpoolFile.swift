package import Fleet
import Monitoring
package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The spool of an agent as a file in its state folder: records one after the other, readable by its owner only. A record that was not
/// written to its end is cut off. Nothing is flushed: what is lost with the machine leaves its claims unknown (FLT-11).
package actor SpoolFile: SpoolDisk {
    /// Most bytes that are read; a spool has fewer.
    private static let readLimit = 2 * FleetSpool.largest

    private let path: String
    private let executor = QueueExecutor(label: "adtop.spool")
    private var descriptor: Int32

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates the file if it is missing.
    package init(_ path: String) throws(FileProblem) {
        self.path = path
        descriptor = try Self.open(path)
    }

    deinit {
        close(descriptor)
    }

    package func read() -> SpooledRows {
        // A file that cannot be read is as good as none: its claims stay unknown.
        let bytes = (try? FileText.read(path, maximumBytes: Self.readLimit)) ?? []
        let (rows, length) = SpoolRecord.rows(of: bytes)
        // What is damaged would hide what is appended.
        _ = ftruncate(descriptor, off_t(length))
        return rows
    }

    package func carryOut(_ change: SpoolChange) -> String? {
        switch change {
        case .append(let rows): return append(SpoolRecord.bytes(of: rows))
        case .replace(let rows): return replace(SpoolRecord.bytes(of: rows))
        case .clear: return ftruncate(descriptor, 0) == 0 ? nil : "\(FileProblem(path: path, code: errno))"
        }
    }

    private func append(_ bytes: [UInt8]) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "\(FileProblem(path: path, code: errno))" }
        guard let code = WholeWrite.write(bytes, to: descriptor) else { return nil }
        // Half a record would hide those that follow.
        _ = ftruncate(descriptor, status.st_size)
        return "\(FileProblem(path: path, code: code))"
    }

    private func replace(_ bytes: [UInt8]) -> String? {
        let other = path + ".new"
        unlink(other)
        do throws(FileProblem) {
            let new = try Self.open(other)
            if let code = WholeWrite.write(bytes, to: new) ?? (rename(other, path) == 0 ? nil : errno) {
                close(new)
                unlink(other)
                throw FileProblem(path: other, code: code)
            }
            close(descriptor)
            descriptor = new
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func open(_ path: String) throws(FileProblem) -> Int32 {
        let descriptor = openFile(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        return descriptor
    }
}

/// `open` under another name, because the file's own hides it.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
