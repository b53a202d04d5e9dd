import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whether this computer has an interface that could carry a request (FMT-4): up, running, with an address.
package struct NetworkInterfaces: Sendable {
    /// Whether one is up; for the loopback interface or for any other.
    package let isUp: @Sendable (_ loopback: Bool) -> Bool

    package init(isUp: @escaping @Sendable (_ loopback: Bool) -> Bool) {
        self.isUp = isUp
    }

    // Their names are of another type on each system; the values are the same (netdevice(7)): up and running, loopback.
    private static let running: UInt32 = 0x1 | 0x40
    private static let loopbackFlag: UInt32 = 0x8

    /// Those of the system, asked anew each time. Where they cannot be listed, nothing speaks against a request.
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

    /// Why a request cannot leave; nil where it can. A name may stand for this computer, so any interface will do for it.
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
