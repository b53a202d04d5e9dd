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

extension NetworkInterfaces {
    /// The addresses of an interface by its name, or one of this computer's addresses; nil for anything else.
    package static func source(_ text: String) -> SourceAddress? {
        let all = addresses
        if let address = NetworkAddress(text) {
            return all.contains { $0.address == address } ? SourceAddress(name: text, addresses: [address]) : nil
        }
        // An address of a link needs a scope, which only connections to that link have.
        let own = all.filter { $0.name == text && !$0.address.isIn(.v6(0xFE80 << 48, 0), bits: 10) }.map(\.address)
        let chosen = AddressFamily.allCases.compactMap { family in own.first { $0.family == family } }
        return chosen.isEmpty ? nil : SourceAddress(name: text, addresses: chosen)
    }

    /// The names of the interfaces that have an address.
    package static var names: [String] {
        addresses.reduce(into: [String]()) { names, found in
            if !names.contains(found.name) { names.append(found.name) }
        }
    }

    private static var addresses: [(name: String, address: NetworkAddress)] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(String, NetworkAddress)] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr.flatMap(NetworkAddress.init(socket:)) else { continue }
            found.append((String(cString: entry.pointee.ifa_name), address))
        }
        return found
    }
}

extension NetworkAddress {
    /// The address of a socket; nil for families other than IPv4 and IPv6.
    ///
    /// The places of the addresses are those of `sin_addr` and `sin6_addr` (RFC 3493 section 3.3), which several C
    /// modules declare: which of them the compiler means depends on what it read first.
    init?(socket: UnsafeMutablePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(socket)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET:
            self = .v4(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6:
            let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            let low = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            self = .v6(UInt64(bigEndian: high), UInt64(bigEndian: low))
        default:
            return nil
        }
    }
}
