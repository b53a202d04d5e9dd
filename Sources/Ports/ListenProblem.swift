#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a server cannot accept connections on a port of this computer.
package struct ListenProblem: Error, Hashable, Sendable {
    /// The address, as it was asked for.
    package var host: String
    /// The port; 0 for any free one.
    package var port: Int
    /// The error number of the system; nil when the server ended without one.
    package var code: Int32?

    package init(host: String = "127.0.0.1", port: Int, code: Int32?) {
        (self.host, self.port, self.code) = (host, port, code)
    }

    /// One line with the problem and the remedy.
    /// - Parameter flag: the option that chooses the port.
    package func text(flag: String) -> String {
        switch code {
        case EADDRINUSE?:
            "port \(port) is taken on \(host); choose another with \(flag), or 0 for any (ss -ltnp shows who has it)"
        case EACCES?, EPERM?:
            "port \(port) on \(host) is not permitted; choose one above 1023 with \(flag), or 0 for any"
        case EADDRNOTAVAIL?, EAFNOSUPPORT?:
            "\(host) is not an address of this computer; its network is not set up (ip address lists what there is)"
        case let code?:
            "port \(port) on \(host) cannot be used: \(SystemErrorText.words(code)); choose another with \(flag)"
        case nil: "port \(port) on \(host) cannot be used; choose another with \(flag), or 0 for any"
        }
    }
}
