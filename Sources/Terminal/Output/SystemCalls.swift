import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The few calls to the system that several files of this target make.
enum SystemCalls {
    /// Writes everything, however the system cuts it; gives up silently on an error, because a terminal that is gone is
    /// noticed by its reader.
    static func writeAll(_ bytes: [UInt8], to fd: Int32) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = write(fd, part.baseAddress, part.count)
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
            }
        }
    }

    /// Reads what is there, at most `limit` bytes; empty at the end, nil on an error (EIO: the terminal is gone).
    static func readSome(from fd: Int32, limit: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = read(fd, buffer.baseAddress, limit)
            while result < 0, errno == EINTR { result = read(fd, buffer.baseAddress, limit) }
            failed = result < 0
            count = max(result, 0)
        }
        return failed ? nil : bytes
    }

    /// The size the terminal reports, nil when it is none or reports nothing.
    static func windowSize(of fd: Int32) -> Size? {
        var size = winsize()
        guard ioctl(fd, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Time since some fixed moment; never runs backwards.
    static func uptime() -> Duration {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return .seconds(Int64(now.tv_sec)) + .nanoseconds(Int64(now.tv_nsec))
    }

    /// A second descriptor for the same open file, closed in child processes; nil when there are too many.
    static func duplicate(_ fd: Int32) -> Int32? {
        let copy = fcntl(fd, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }

    /// Frees a descriptor, under a name that does not collide with the `close` of our own types.
    static func close(_ fd: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(fd)
        #else
            _ = Darwin.close(fd)
        #endif
    }

    /// The message of an error number.
    static func message(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
