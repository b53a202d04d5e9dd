/// What came of opening a connection without a request, step by step: what `adtop doctor` shows of a host.
package struct ConnectionCourse: Hashable, Sendable {
    /// The steps in their order; a connection without proxy or TLS lacks that step.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case name, connect, proxy, tls
    }

    package struct Stage: Hashable, Sendable {
        package var step: Step
        /// What was found, as a clause: addresses, the peer, the version of TLS. Empty for a failure.
        package var found: String
        package var took: Duration
        /// Nil for a step that succeeded.
        package var failure: HTTPFailure?

        package init(_ step: Step, _ found: String = "", took: Duration, failure: HTTPFailure? = nil) {
            (self.step, self.found, self.took, self.failure) = (step, found, took, failure)
        }
    }

    package var stages: [Stage] = []
    /// The server's, accepted or not; nil without TLS, and where there was none.
    package var certificate: ServerCertificate?
    /// Whether the server's certificate was not verified, because the user asked for that.
    package var isUnverified = false

    package init() {}

    /// Why there is no connection; nil for one that could carry requests.
    package var failure: HTTPFailure? { stages.lazy.compactMap(\.failure).first }
}
