#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension addrinfo {
    /// What a look-up is asked for: addresses for streams of bytes.
    static var ofStreams: addrinfo {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        return hints
    }
}
