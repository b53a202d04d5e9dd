package import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The socket of a server.
package enum ListeningSocket {
    /// Keeps it from programs that are started later. The runtime starts one for the backtrace of a crash, which may wait for
    /// a terminal: with an inherited listening socket it would keep the port.
    package static func closeOnExec(_ channel: any Channel) async {
        // A channel that has closed in the meantime has no socket.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            }
        }.get()
    }
}
