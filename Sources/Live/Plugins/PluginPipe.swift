import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A pipe whose ends no program inherits by accident.
struct PluginPipe: Sendable {
    let read: End
    let write: End

    /// Nil when there are no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (End(ends[0]), End(ends[1]))
    }

    /// One end; it closes with its last user, or before.
    final class End: Sendable {
        let number: Int32
        private let isOpen = Locked(true)

        fileprivate init(_ number: Int32) {
            self.number = number
        }

        deinit { close() }

        /// The descriptor, which the caller closes from now on.
        func taken() -> Int32 {
            isOpen.withLock { $0 = false }
            return number
        }

        func close() {
            isOpen.withLock { isOpen in
                if isOpen { _ = closeDescriptor(number) }
                isOpen = false
            }
        }

        /// Reads when something arrives. Nil at the end of the stream, and when the write end of `end` is closed and nothing is
        /// left, or `left` bytes were read after that.
        func next(until end: End, atMost chunk: Int, bytesAfterEnd left: inout Int) -> [UInt8]? {
            while true {
                var waits = [
                    pollfd(fd: number, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: end.number, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&waits, nfds_t(waits.count), -1) > 0 else {
                    if errno == EINTR { continue }
                    return nil
                }
                let isOver = waits[1].revents != 0
                guard waits[0].revents != 0, !isOver || left > 0 else { return nil }
                var buffer = [UInt8](repeating: 0, count: chunk)
                let count = buffer.withUnsafeMutableBytes { readDescriptor(number, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return nil }
                if isOver { left -= count }
                return Array(buffer[..<count])
            }
        }

        /// Waits until the other end is closed; nothing is written to it.
        func waitForEnd() {
            var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            while poll(&wait, 1, -1) < 0, errno == EINTR {}
        }
    }
}

// `read` and `close` are also names of members above.
private func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
