package import Ports

/// Why the loopback server cannot start. The texts contain a remedy.
package enum CreativeServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port cannot be used.
    case cannotListen(ListenProblem)
    /// `start` was called after `stop`.
    case stopped
    /// Certificates or keys cannot be created or used.
    case certificates(String)

    /// With the option of `adtop cache serve`.
    package var description: String { text(portFlag: "--port") }

    /// One line for people.
    /// - Parameter portFlag: the option that chooses the port.
    package func text(portFlag: String) -> String {
        switch self {
        case .cannotListen(let problem): problem.text(flag: portFlag)
        case .stopped: "the loopback server is stopped; start adtop again"
        case .certificates(let clause): "no HTTPS: \(clause)"
        }
    }
}
