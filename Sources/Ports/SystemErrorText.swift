#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Words for the error numbers of the operating system (POSIX.1-2017, `<errno.h>`).
///
/// Not those of `strerror`: they differ between systems, and after a terminal has set the locale they are in its language.
package enum SystemErrorText {
    /// A clause in lower case without a period.
    package static func words(_ code: Int32) -> String { table[code] ?? "the system reports error \(code)" }

    private static let table = Dictionary(files + processes + network) { first, _ in first }

    private static let files: [(Int32, String)] = [
        (ENOENT, "no such file or folder"), (EACCES, "not permitted"), (EPERM, "not permitted"),
        (EEXIST, "exists already"), (ENOTDIR, "not a folder"), (EISDIR, "is a folder"), (ENOTEMPTY, "not empty"),
        (EROFS, "read-only file system"), (ENOSPC, "no space left on device"), (EDQUOT, "disk quota exceeded"),
        (EFBIG, "file too large"), (EIO, "input/output error"), (ENXIO, "no such device"), (ENODEV, "no such device"),
        (ELOOP, "too many links"), (EMLINK, "too many links"), (ENAMETOOLONG, "name too long"),
        (EBUSY, "in use"), (ETXTBSY, "in use"), (EXDEV, "on another file system"), (ESPIPE, "cannot be positioned"),
        (EBADF, "closed already"), (ENOTTY, "not a terminal"), (ESTALE, "the network file system lost it"),
        (EOVERFLOW, "value too large"), (EILSEQ, "not valid text"),
    ]

    private static let processes: [(Int32, String)] = [
        (EMFILE, "too many open files"), (ENFILE, "too many open files on this machine"), (ENOMEM, "out of memory"),
        (EAGAIN, "not possible at the moment"), (EINTR, "interrupted"), (EINVAL, "not valid here"),
        (EFAULT, "not valid here"), (ERANGE, "out of range"), (EDOM, "out of range"), (E2BIG, "too many arguments"),
        (ENOEXEC, "not a program of this system"), (ESRCH, "no such process"), (ECHILD, "no such process"),
        (EDEADLK, "would wait for itself"), (ENOLCK, "no more locks"), (ENOSYS, "not supported by this system"),
        (ENOTSUP, "not supported"), (ECANCELED, "cancelled"), (EPIPE, "the other end is closed"),
    ]

    private static let network: [(Int32, String)] = [
        (ECONNREFUSED, "connection refused"), (ECONNRESET, "connection reset"),
        (ECONNABORTED, "connection aborted"), (ENOTCONN, "not connected"), (EISCONN, "connected already"),
        (ETIMEDOUT, "connection timed out"), (EHOSTUNREACH, "host unreachable"), (EHOSTDOWN, "host is down"),
        (ENETUNREACH, "network unreachable"), (ENETDOWN, "network is down"), (ENETRESET, "connection reset"),
        (EADDRINUSE, "address in use"), (EADDRNOTAVAIL, "not an address of this computer"),
        (EAFNOSUPPORT, "this kind of address is not supported"), (EPROTONOSUPPORT, "protocol not supported"),
        (EPROTO, "protocol error"), (EPROTOTYPE, "protocol not supported"), (ENOPROTOOPT, "not supported"),
        (EOPNOTSUPP, "not supported"), (EMSGSIZE, "message too long"), (ENOBUFS, "out of memory for the network"),
        (EALREADY, "in progress already"), (EINPROGRESS, "in progress"), (ENOTSOCK, "not a connection"),
        (EDESTADDRREQ, "no address was given"), (ESHUTDOWN, "connection closed"),
    ]
}
