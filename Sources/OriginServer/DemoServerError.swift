package import Ports

/// The reason why the embedded origin did not start.
package enum DemoServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address is not a loopback address.
    case notLoopback(String)
    /// The port number is invalid.
    case badPort(Int)
    /// The port cannot be used.
    case cannotListen(ListenProblem)
    /// `start` was called on a server that was started before.
    case alreadyStarted

    /// One line with the problem and the remedy.
    package var description: String {
        switch self {
        case .notLoopback(let host):
            "\(host): not a loopback address; use 127.0.0.1 or ::1"
        case .badPort(let port): "port \(port): not a port number; use 1 to 65535, or 0 for a free port"
        case .cannotListen(let problem): problem.text(flag: "--port")
        case .alreadyStarted: "the origin was already started"
        }
    }
}

/// The addresses that the origin may listen on.
enum LoopbackHost {
    /// `host` as an address to bind, or nil when it is not loopback.
    ///
    /// Names are not resolved: the meaning of `localhost` depends on the machine, so it is treated as 127.0.0.1.
    static func address(_ host: String) -> String? {
        if host == "localhost" { return "127.0.0.1" }
        if host == "::1" || host == "[::1]" { return "::1" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
        return isIPv4 && parts.first == "127" ? host : nil
    }
}
