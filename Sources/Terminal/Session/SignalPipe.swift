#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The pipe through which signal handlers wake the reader.
package struct SignalPipe: Sendable {
    /// Where the reader waits.
    package let readEnd: Int32
    /// Where the handlers write; never blocks.
    package let writeEnd: Int32

    /// Nil when there are no descriptors left.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Makes the reader end.
    func stop() {
        SystemCalls.writeAll([InputReader.stop], to: writeEnd)
    }

    /// Frees both ends, once they are no longer in use.
    func close() {
        for end in [readEnd, writeEnd] { SystemCalls.close(end) }
    }
}
