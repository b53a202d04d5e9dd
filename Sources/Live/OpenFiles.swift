#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Limit of open files and sockets of this process.
package enum OpenFiles {
    /// Highest limit ever requested: tables of the system grow with it.
    static let ceiling = 65_536
    /// Default if the system does not report a limit.
    static let usual = 1_024

    /// Raises the limit as far as the system allows an ordinary user, and returns it.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return usual }
        let wanted = min(limit.rlim_max, rlim_t(ceiling))
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, rlim_t(ceiling)))
    }
}
