import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whether this computer has an interface that could carry a request (FMT-4): up, running, with an address.
package struct NetworkInterfaces: Sendable {
    /// Whether an interface is up: the loopback interface, or any other.
    package let isUp: @Sendable (_ loopback: Bool) -> Bool

    package init(isUp: @escaping @Sendable (_ loopback: Bool) -> Bool) {
        self.isUp = isUp
    }

    // The names have different types on different systems; the values are the same (netdevice(7)): up and running,
    // loopback.
    private static let running: UInt32 = 0x1 | 0x40
    private static let loopbackFlag: UInt32 = 0x8

    /// The interfaces of the system, read each time. If they cannot be listed, requests are allowed.
    package static let system = NetworkInterfaces { loopback in
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let family = entry.pointee.ifa_addr.map { Int32($0.pointee.sa_family) }
            guard family == AF_INET || family == AF_INET6 else { continue }
            let flags = UInt32(entry.pointee.ifa_flags)
            guard flags & running == running, (flags & loopbackFlag != 0) == loopback else { continue }
            return true
        }
        return false
    }

    /// Why a request cannot be sent; nil if it can. A name may resolve to this computer, so any interface is sufficient
    /// for it.
    func problem(of url: WebURL) -> HTTPFailure? {
        let isCarried =
            switch url.literalReach {
            case .loopback: isUp(true)
            case nil: isUp(false) || isUp(true)
            default: isUp(false)
            }
        return isCarried ? nil : HTTPFailure(.connect, "no network interface is up")
    }
}
