#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes to a descriptor until everything is written.
package enum WholeWrite {
    /// Writes all bytes, despite interruptions by signals. Returns nil on success, else the system's error number; a
    /// descriptor that accepts nothing and reports no error counts as `EIO`.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

/// `write` under another name, because ``WholeWrite/write(_:to:)`` hides it.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
