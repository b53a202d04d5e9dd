/// Why the loopback server does not start. The texts say what to do.
package enum CreativeServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process listens there.
    case portTaken(Int)
    /// The system refused for another reason, in its words.
    case cannotListen(port: Int, reason: String)
    /// Certificates or keys cannot be made or used.
    case certificates(String)

    package var description: String {
        switch self {
        case .portTaken(let port):
            "port \(port) is taken on 127.0.0.1: choose another with --port, or 0 for any (ss -ltnp shows who has it)"
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason)"
        case .certificates(let clause):
            "no HTTPS: \(clause)"
        }
    }
}
