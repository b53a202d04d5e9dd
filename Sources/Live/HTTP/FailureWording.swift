import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Converts the client library's errors to a kind and one clause of text.
enum FailureWording {
    /// The failure for `error`; `record` shows the progress of the exchange, which distinguishes a failed connection
    /// from a broken answer.
    static func failure(for error: any Error, record: HopDelegate.Record, request: HTTPRequest) -> HTTPFailure {
        switch error {
        case let failure as HTTPFailure: failure
        case let stop as HopDelegate.Stop: self.failure(for: stop, request: request)
        case let error as HTTPClientError: self.failure(for: error, record: record, request: request)
        case let error as NIOConnectionError: connection(error)
        case let error as IOError: system(error.errnoCode, hasSent: record.requestSent != nil)
        case let error as ChannelError: channel(error, record: record, request: request)
        case let error as NIOSSLError: beforeSending(tls(error), record)
        case let error as BoringSSLError: beforeSending(tlsFailure("\(error)"), record)
        case let error as NIOSSLExtraError: beforeSending(tlsFailure("\(error)"), record)
        case let error as HTTPParserError: parser(error, record: record)
        case let error as any NIOHTTP2Error: http2(error)
        default: unknown(error)
        }
    }

    /// The same for a request that the client sent. If it was not written its connection failed, or that of another request: the client
    /// then fails all that wait for a connection to the host. Nothing of them has left.
    ///
    /// The client notes a request after it wrote the head. Where that write fails, part of the head may have left; the error is then
    /// `remoteConnectionClosed`, or one about what the server had sent, and none of those of a connection that was not written to.
    /// - Parameter isSecure: whether its connection is one of https.
    static func failure(
        for error: any Error, record: HopDelegate.Record, request: HTTPRequest, isSecure: Bool
    ) -> HTTPFailure {
        let failure = failure(for: error, record: record, request: request)
        let isOfConnection = error is IOError || error is ChannelError || error is NIOConnectionError
        guard isOfConnection, record.requestSent == nil, failure.kind == .reset else { return failure }
        return HTTPFailure(isSecure ? .tls : .connect, "connection lost before the request was sent")
    }

    private static func failure(for stop: HopDelegate.Stop, request: HTTPRequest) -> HTTPFailure {
        switch stop {
        case .bodyTooLarge, .bodyCut:
            HTTPFailure(.bodyTooLarge, "body is longer than \(request.maximumBodyBytes) bytes")
        case .noConnection: HTTPFailure(.connectTimeout, "no connection within \(seconds(request.connectTimeout))")
        case .inflatedTooLarge: HTTPFailure(.bodyTooLarge, "compressed body is too large when inflated")
        case .bodyBroken: HTTPFailure(.protocolError, "compressed body is broken")
        }
    }

    private static func failure(
        for error: HTTPClientError, record: HopDelegate.Record, request: HTTPRequest
    ) -> HTTPFailure {
        switch error {
        case .cancelled, .alreadyShutdown, .requestStreamCancelled:
            HTTPFailure(.cancelled, "cancelled")
        case .deadlineExceeded, .readTimeout, .writeTimeout:
            timeout(record: record, request: request)
        case .connectTimeout, .getConnectionFromPoolTimeout:
            HTTPFailure(.connectTimeout, "no connection within \(seconds(request.connectTimeout))")
        case .tlsHandshakeTimeout:
            HTTPFailure(.tls, "TLS handshake took too long")
        case .remoteConnectionClosed, .uncleanShutdown:
            closed(record: record)
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath:
            HTTPFailure(.protocolError, "not a URL that can be requested")
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            HTTPFailure(.connectTimeout, "no answer from the proxy within \(seconds(request.connectTimeout))")
        case .invalidLocalAddress: HTTPFailure(.connect, "connections cannot start from this address")
        case .redirectLimitReached, .redirectCycleDetected: HTTPFailure(.tooManyRedirects, "too many redirects")
        case .invalidProxyResponse: .proxy(.notAProxy, "the proxy's answer is not HTTP")
        case .proxyAuthenticationRequired: .proxy(.login, "the proxy wants a user and a password (407)")
        case .bodyLengthMismatch, .contentLengthMissing:
            HTTPFailure(.protocolError, "body has not the length that was announced")
        default: HTTPFailure(.protocolError, "the request cannot be sent in this form")
        }
    }

    private static func timeout(record: HopDelegate.Record, request: HTTPRequest) -> HTTPFailure {
        let limit = seconds(request.totalTimeout)
        if record.headReceived != nil { return HTTPFailure(.timeout, "body did not end within \(limit)") }
        if record.requestSent != nil { return HTTPFailure(.timeout, "no answer within \(limit)") }
        return HTTPFailure(.connectTimeout, "no connection within \(limit)")
    }

    private static func closed(record: HopDelegate.Record) -> HTTPFailure {
        let where_ = record.headReceived == nil ? "before an answer" : "in the middle of the body"
        return HTTPFailure(.reset, "connection closed \(where_)")
    }

    private static func connection(_ error: NIOConnectionError) -> HTTPFailure {
        guard let first = error.connectionErrors.first?.error else { return HTTPFailure(.resolve, "no such host") }
        if let first = first as? IOError { return system(first.errnoCode, hasSent: false) }
        if case .connectTimeout? = first as? ChannelError {
            return HTTPFailure(.connectTimeout, "no connection in time")
        }
        return HTTPFailure(.connect, "cannot connect")
    }

    private static func system(_ code: CInt, hasSent: Bool) -> HTTPFailure {
        switch code {
        case ECONNREFUSED: HTTPFailure(.connect, "connection refused")
        case ECONNRESET, EPIPE: HTTPFailure(.reset, "connection reset")
        case EHOSTUNREACH: HTTPFailure(.connect, "host unreachable")
        case ENETUNREACH: HTTPFailure(.connect, "network unreachable")
        case ETIMEDOUT: HTTPFailure(hasSent ? .timeout : .connectTimeout, "connection timed out")
        case EMFILE, ENFILE: HTTPFailure(.connect, "too many open files on this machine")
        default: HTTPFailure(hasSent ? .reset : .connect, SystemErrorText.words(code))
        }
    }

    private static func channel(_ error: ChannelError, record: HopDelegate.Record, request: HTTPRequest) -> HTTPFailure
    {
        switch error {
        case .connectTimeout: HTTPFailure(.connectTimeout, "no connection within \(seconds(request.connectTimeout))")
        case .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed, .eof: closed(record: record)
        case .writeHostUnreachable: HTTPFailure(record.requestSent == nil ? .connect : .reset, "host unreachable")
        case .unknownLocalAddress: HTTPFailure(.connect, "connections cannot start from this address")
        default: HTTPFailure(record.requestSent == nil ? .connect : .reset, "the connection failed")
        }
    }

    private static func tls(_ error: NIOSSLError) -> HTTPFailure {
        switch error {
        case .handshakeFailed(let inner): tlsFailure("\(inner)")
        case .unableToValidateCertificate: untrusted
        case .uncleanShutdown: HTTPFailure(.reset, "connection closed in the middle of the body")
        default: tlsFailure("\(error)")
        }
    }

    /// A failure of TLS after the request was written is one of the connection: what the server took of it is not known.
    private static func beforeSending(_ failure: HTTPFailure, _ record: HopDelegate.Record) -> HTTPFailure {
        record.requestSent == nil ? failure : HTTPFailure(.reset, failure.message, rejection: failure.rejection)
    }

    /// The failure of a TLS handshake with a proxy, whose name `prefix` has.
    static func handshake(_ error: any Error, with prefix: String) -> HTTPFailure {
        let failure =
            switch error {
            case let failure as HTTPFailure: failure
            case let error as NIOSSLError: tls(error)
            default: tlsFailure("\(error)")
            }
        return .proxy(.certificate, prefix + failure.message)
    }

    /// A failure on the way to or through a proxy, before anything was sent.
    static func through(_ proxy: ProxyServer, _ failure: HTTPFailure) -> HTTPFailure {
        switch failure.kind {
        case .connect: .proxy(.unreachable, "proxy \(proxy.text): \(failure.message)")
        case .connectTimeout:
            HTTPFailure(
                .connectTimeout, "\(failure.message) through proxy \(proxy.text)", proxyFault: .unreachable)
        default: failure
        }
    }

    private static let untrusted = HTTPFailure(
        .tls, "certificate is not trusted (expired, self-signed or of an unknown issuer)", rejection: .untrusted)
    static let otherHost = HTTPFailure(.tls, "certificate is for another host", rejection: .otherHost)

    /// Alerts of a server about the certificate that it got (RFC 8446 section 6.2).
    private static let clientAlerts = [
        "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
        "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
    ]

    /// BoringSSL names its reasons in capitals, e.g. `CERTIFICATE_VERIFY_FAILED`; it gives no further details about a
    /// certificate.
    private static func tlsFailure(_ text: String) -> HTTPFailure {
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return untrusted }
        if text.contains("failedToValidateHostname") { return otherHost }
        if text.contains("ALERT_CERTIFICATE_REQUIRED") {
            return HTTPFailure(.tls, "server requires a client certificate", rejection: .clientCertificate)
        }
        if clientAlerts.contains(where: text.contains) {
            return HTTPFailure(.tls, "server rejected the client certificate", rejection: .clientCertificate)
        }
        let known = [
            ("WRONG_VERSION_NUMBER", "server does not speak TLS"), ("HTTP_REQUEST", "server does not speak TLS"),
            ("UNSUPPORTED_PROTOCOL", "server offers only TLS versions that are too old"),
            ("PROTOCOL_VERSION", "server does not support our TLS versions"),
            ("HANDSHAKE_FAILURE", "server rejected the TLS handshake"),
            ("eofDuringHandshake", "closed during the TLS handshake"),
        ]
        return HTTPFailure(.tls, known.first { text.contains($0.0) }?.1 ?? "TLS handshake failed")
    }

    private static func parser(_ error: HTTPParserError, record: HopDelegate.Record) -> HTTPFailure {
        switch error {
        case .invalidEOFState, .closedConnection: closed(record: record)
        case .headerOverflow: HTTPFailure(.protocolError, "answer's head is too long")
        case .unexpectedContentLength: HTTPFailure(.protocolError, "answer has more than one Content-Length")
        default: HTTPFailure(.protocolError, "answer is not HTTP")
        }
    }

    private static func http2(_ error: any NIOHTTP2Error) -> HTTPFailure {
        switch error {
        case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
            is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            HTTPFailure(.reset, "server closed the HTTP/2 stream")
        default: HTTPFailure(.protocolError, "answer is not valid HTTP/2")
        }
    }

    private static func unknown(_ error: any Error) -> HTTPFailure {
        HTTPFailure(.protocolError, ForeignErrorText.clause(error))
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.inMilliseconds
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
