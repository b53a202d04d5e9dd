import Locks
import NIOCore
import NIOSSL
import Ports

/// The TLS of connections that this transport secures itself, with one context for each kind.
final class TLSContexts: Sendable {
    /// Who is at the other end.
    enum Peer: Hashable, Sendable {
        /// The client certificate is shown if the server asks for one.
        case stream
        /// A server without a claim on the client certificate.
        case other
        /// A server that is verified even where others are not.
        case verified
        /// A proxy never gets the client certificate, and is verified even where servers are not.
        case proxy
    }

    private struct Kind: Hashable {
        var peer: Peer
        /// The host is an address, which the certificate must list.
        var isLiteral: Bool
        var offersHTTP2 = false
    }

    private let settings: TLSSettings
    private let contexts = Locked<[Kind: NIOSSLContext]>([:])

    init(_ settings: TLSSettings) {
        self.settings = settings
    }

    /// Whether the certificate of a peer is verified.
    func verifies(_ peer: Peer) -> Bool { !settings.isInsecure || peer == .verified || peer == .proxy }

    /// The handler for a connection to `host`.
    func handler(for host: String, peer: Peer, offersHTTP2: Bool = false) throws -> NIOSSLClientHandler {
        guard let address = NetworkAddress(host) else {
            let context = try context(Kind(peer: peer, isLiteral: false, offersHTTP2: offersHTTP2))
            return try NIOSSLClientHandler(context: context, serverHostname: host)
        }
        // The library compares a certificate with the address of the peer, which may be that of a proxy.
        let context = try context(Kind(peer: peer, isLiteral: true, offersHTTP2: offersHTTP2))
        if case .none = context.configuration.certificateVerification {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: nil) {
            certificate, channel in
            certificate.lists(address)
                ? channel.eventLoop.makeSucceededVoidFuture()
                : channel.eventLoop.makeFailedFuture(FailureWording.otherHost)
        }
    }

    /// The handler for a connection that only shows the certificates of `host`: its handshake always fails, so that
    /// nothing can be sent. Nil where certificates are not verified.
    func inspection(
        of host: String, peer: Peer, _ note: @escaping @Sendable ([NIOSSLCertificate]) -> Void
    ) throws -> NIOSSLClientHandler? {
        let isLiteral = NetworkAddress(host) != nil
        let context = try context(Kind(peer: peer, isLiteral: isLiteral))
        if case .none = context.configuration.certificateVerification { return nil }
        return try NIOSSLClientHandler(context: context, serverHostname: isLiteral ? nil : host) {
            (chain: [NIOSSLCertificate], verdict: EventLoopPromise<NIOSSLVerificationResult>) in
            note(chain)
            verdict.succeed(.failed)
        }
    }

    private func context(_ kind: Kind) throws -> NIOSSLContext {
        try contexts.withLock { contexts in
            if let context = contexts[kind] { return context }
            var configuration =
                switch kind.peer {
                case .stream: settings.configuration(showsIdentity: true)
                case .other: settings.configuration(showsIdentity: false)
                case .verified, .proxy: settings.proxyConfiguration
                }
            configuration.applicationProtocols = kind.offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
            if kind.isLiteral, case .fullVerification = configuration.certificateVerification {
                configuration.certificateVerification = .noHostnameVerification
            }
            let context = try NIOSSLContext(configuration: configuration)
            contexts[kind] = context
            return context
        }
    }
}

extension NIOSSLCertificate {
    /// Whether the certificate is for the address (RFC 9110 section 4.3.5).
    fileprivate func lists(_ address: NetworkAddress) -> Bool {
        _subjectAlternativeNames().contains { name in
            name.nameType == .ipAddress && Array(name.contents) == address.bytes
        }
    }
}

extension NetworkAddress {
    /// 4 or 16 bytes in network order.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .v4(let bits): withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        case .v6(let high, let low):
            withUnsafeBytes(of: high.bigEndian) { Array($0) } + withUnsafeBytes(of: low.bigEndian) { Array($0) }
        }
    }
}
