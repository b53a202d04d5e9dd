#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The standard streams of a process that was started without one of them, as with `>&-`.
package enum StandardStreams {
    /// Opens something in the place of each stream that is closed. Otherwise the first file or connection of the program would have its
    /// number, and what is printed would be written into the journal, a recording or a request.
    ///
    /// What is opened accepts nothing: reading and writing fail as with a closed stream.
    package static func reserve() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free. There is no one to whom a failure could be reported.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
