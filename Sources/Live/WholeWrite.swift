#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes to a descriptor until everything is written.
package enum WholeWrite {
    /// Writes all bytes, despite interruptions by signals. Returns nil on success, else the system's error number; a
    /// descriptor that accepts nothing and reports no error counts as `EIO`.
    /// - Parameter waits: whether to wait for a descriptor that does not block and is full, as for one that blocks. Whoever started the
    ///   program may have made its standard streams so.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, waits: Bool = false) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || waits && errno == EAGAIN && WaitingDescriptor.wait(descriptor, POLLOUT) {
                continue
            }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

/// Waiting for a descriptor that does not block.
enum WaitingDescriptor {
    /// Waits until the descriptor is ready for `event`, or has ended; false if it cannot be waited for.
    static func wait(_ descriptor: Int32, _ event: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&entry, 1, -1) >= 0 || errno == EINTR
    }
}

/// `write` under another name, because ``WholeWrite/write(_:to:)`` hides it.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
