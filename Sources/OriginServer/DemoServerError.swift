/// Why the embedded origin did not start.
package enum DemoServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address is not this machine's own loopback.
    case notLoopback(String)
    /// The port is not one.
    case badPort(Int)
    /// The socket could not be bound; the reason is the system's.
    case cannotBind(host: String, port: Int, reason: String)
    /// `start` was called on a server that runs or ran.
    case alreadyStarted

    /// One line: what, and what to do.
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "\(host) is not a loopback address; the origin listens on 127.0.0.1 or ::1 only"
        case .badPort(let port): "\(port) is not a port; use 1 to 65535, or 0 for a free one"
        case .cannotBind(let host, let port, let reason):
            "cannot listen on \(host):\(port): \(reason); use another port, or 0 for a free one"
        case .alreadyStarted: "the origin was started already"
        }
    }
}

/// Addresses the origin may listen on.
enum LoopbackHost {
    /// `host` as an address to bind, or nil when it is not loopback.
    ///
    /// Names are not resolved: what `localhost` means is up to the machine, so it is taken for 127.0.0.1.
    static func address(_ host: String) -> String? {
        if host == "localhost" { return "127.0.0.1" }
        if host == "::1" || host == "[::1]" { return "::1" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
        return isIPv4 && parts.first == "127" ? host : nil
    }
}
