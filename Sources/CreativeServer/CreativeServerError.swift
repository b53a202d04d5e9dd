/// Why the loopback server cannot start. The texts contain a remedy.
package enum CreativeServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process listens on the port.
    case portTaken(Int)
    /// Listening failed for another reason, stated by the operating system.
    case cannotListen(port: Int, reason: String)
    /// Certificates or keys cannot be created or used.
    case certificates(String)

    package var description: String {
        switch self {
        case .portTaken(let port):
            "port \(port) is taken on 127.0.0.1; choose another with --port, or 0 for any (ss -ltnp shows who has it)"
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason)"
        case .certificates(let clause):
            "no HTTPS: \(clause)"
        }
    }
}
