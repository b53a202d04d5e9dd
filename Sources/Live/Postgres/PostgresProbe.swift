import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a server is not reached, as the operating system reports it: libpq has only words for it.
enum PostgresProbe {
    /// A clause; nil if a connection can be made.
    static func clause(for host: PostgresHost, within seconds: Int32) -> String? {
        host.isSocket ? socketClause(host) : networkClause(host, within: seconds)
    }

    /// Folders of sockets that packages of libpq are built with.
    private static let folders = ["/var/run/postgresql", "/tmp"]

    private static func socketClause(_ host: PostgresHost) -> String? {
        // An abstract socket has no file; its name is not looked at.
        guard !host.name.hasPrefix("@") else { return nil }
        let clauses = (host.name.isEmpty ? folders : [host.name]).map { folder in
            clause(ofSocket: "\(folder)/.s.PGSQL.\(host.port)")
        }
        return clauses.contains(nil) ? nil : clauses[0]
    }

    private static func clause(ofSocket path: String) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return SystemErrorText.words(ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                clause(of: address, socklen_t(MemoryLayout<sockaddr_un>.size), family: AF_UNIX, within: 1)
            }
        }
    }

    private static func networkClause(_ host: PostgresHost, within seconds: Int32) -> String? {
        var hints = addrinfo.ofStreams
        var list: UnsafeMutablePointer<addrinfo>?
        let name = host.address.isEmpty ? host.name : host.address
        guard getaddrinfo(name, host.port, &hints, &list) == 0, let list else { return "no such host" }
        defer { freeaddrinfo(list) }
        var (last, next): (String?, UnsafeMutablePointer<addrinfo>?) = (nil, list)
        while let entry = next {
            last = clause(
                of: entry.pointee.ai_addr, entry.pointee.ai_addrlen, family: entry.pointee.ai_family, within: seconds)
            if last == nil { return nil }
            next = entry.pointee.ai_next
        }
        return last
    }

    private static func clause(
        of address: UnsafePointer<sockaddr>, _ length: socklen_t, family: Int32, within seconds: Int32
    ) -> String? {
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return SystemErrorText.words(errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if connect(descriptor, address, length) == 0 { return nil }
        guard errno == EINPROGRESS else { return SystemErrorText.words(errno) }
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wait, 1, seconds * 1_000) > 0 else { return "no answer in \(seconds) s" }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : SystemErrorText.words(code)
    }
}
