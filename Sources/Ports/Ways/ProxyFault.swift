/// What is wrong with a proxy, so that a person can be advised.
package enum ProxyFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// It has no address, or accepts no connection.
    case unreachable
    /// The certificate of an `https` proxy is rejected, or there is no TLS.
    case certificate
    /// It requires a user and a password, rejects those given, or wants another scheme.
    case login
    /// It does not allow the connection.
    case rejected
    /// It cannot reach the server.
    case noServer
    /// Its answer is not that of a proxy of this kind, or does not come.
    case notAProxy
}
