import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Watches the socket of a connection between its calls, until it is released. Its queue is that of the connection, so that no call is
/// under way when there is something to read.
final class PostgresListening {
    private let source: any DispatchSourceRead

    /// Nil without a descriptor.
    init?(_ socket: Int32, on queue: DispatchQueue, isReadable: @escaping @Sendable () -> Void) {
        // One of its own, which stays open until the source has ended.
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        source.setEventHandler(handler: isReadable)
        source.setCancelHandler { _ = close(copy) }
        source.activate()
    }

    deinit { source.cancel() }
}
