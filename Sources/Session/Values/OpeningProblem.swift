import HLS
package import Ports

/// Why a stream cannot be opened, as far as the newest answer shows it.
package enum OpeningProblem: String, Sendable, CaseIterable {
    case noSuchHost, noConnection, refused, tls
    case certificateExpired, certificateNotYetValid, certificateForOtherHost, certificateSelfSigned,
        certificateUntrusted, clientCertificate
    case timeout, reset, redirects, notAllowed
    case unauthorized, unsupportedLogin, forbidden, notFound, tooManyRequests, serverError, rejected
    case proxy, proxyUnreachable, proxyCertificate, proxyLogin, proxyRejected, proxyWithoutServer, notAProxy
    case webPage, dash, json, empty, notAPlaylist, tooLong, unreadable, notHTTP

    /// The problem of an answer that is no playlist, or one that lists nothing; nil for one that begins like a playlist, and
    /// for a cancelled request.
    package init?(_ exchange: HTTPExchange) {
        if let failure = exchange.failure {
            guard let plain = Self(failure.kind) else { return nil }
            let problem = failure.proxyFault.map { Self($0) } ?? failure.rejection.map { Self($0) } ?? plain
            // An answer with a status is HTTP, whatever is wrong with its body.
            self = problem == .notHTTP && !exchange.hops.isEmpty ? .unreadable : problem
        } else if let status = exchange.status, !exchange.isSuccess {
            let isUnsupported = status == 401 && LoginScheme.areUnsupported(in: exchange.fields)
            self = isUnsupported ? .unsupportedLogin : Self(status: status)
        } else if !exchange.body.isEmpty, DASHManifest.isOne(exchange) {
            self = .dash
        } else if let problem = Self(body: exchange.body) {
            self = problem
        } else {
            return nil
        }
    }

    private init(_ fault: ProxyFault) {
        switch fault {
        case .unreachable: self = .proxyUnreachable
        case .certificate: self = .proxyCertificate
        case .login: self = .proxyLogin
        case .rejected: self = .proxyRejected
        case .noServer: self = .proxyWithoutServer
        case .notAProxy: self = .notAProxy
        }
    }

    private init(_ rejection: CertificateRejection) {
        switch rejection {
        case .expired: self = .certificateExpired
        case .notYetValid: self = .certificateNotYetValid
        case .otherHost: self = .certificateForOtherHost
        case .selfSigned: self = .certificateSelfSigned
        case .unknownIssuer, .untrusted: self = .certificateUntrusted
        case .clientCertificate: self = .clientCertificate
        }
    }

    private init?(_ kind: HTTPFailure.Kind) {
        switch kind {
        case .resolve: self = .noSuchHost
        case .connect: self = .refused
        case .connectTimeout: self = .noConnection
        case .tls: self = .tls
        case .timeout: self = .timeout
        case .reset: self = .reset
        case .tooManyRedirects, .badRedirect, .redirectToReport: self = .redirects
        case .addressNotAllowed: self = .notAllowed
        case .bodyTooLarge: self = .tooLong
        case .protocolError: self = .notHTTP
        case .proxy: self = .proxy
        case .cancelled: return nil
        }
    }

    private init(status: Int) {
        switch status {
        case 401: self = .unauthorized
        case 403: self = .forbidden
        case 404, 410: self = .notFound
        case 429: self = .tooManyRequests
        case 500...: self = .serverError
        default: self = .rejected
        }
    }

    private init?(body: [UInt8]) {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        if text.starts(with: "#EXTM3U".utf8) {
            guard Self.listsNothing(text) else { return nil }
            self = .empty
            return
        }
        guard let first = text.first(where: { $0 > 0x20 }) else {
            self = .empty
            return
        }
        let head = String(decoding: text.prefix(1_024), as: UTF8.self)
        switch first {
        case UInt8(ascii: "<"): self = head.contains("<MPD") ? .dash : .webPage
        case UInt8(ascii: "{"): self = .json
        default: self = .notAPlaylist
        }
    }

    /// Whether a playlist is neither a media playlist, which may have no segments yet, nor names any URI.
    private static func listsNothing(_ text: some Sequence<UInt8>) -> Bool {
        !text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
            line.first != UInt8(ascii: "#") && line.contains { $0 > 0x20 }
                || line.starts(with: "#EXT-X-TARGETDURATION".utf8)
        }
    }

    /// What it means and what to do: one or two sentences.
    package var advice: String {
        switch self {
        case .noSuchHost:
            "The name has no address. Check the host, or whether this machine's name server knows it; --resolve gives an address."
        case .noConnection:
            "The host does not answer. Check host and port; a firewall may drop the connection, or a proxy is required (--proxy)."
        case .refused: "Nothing accepts connections there. Check host and port, or start the server."
        case .tls: "There is no secure connection. Check scheme and port."
        case .certificateExpired:
            "The certificate has expired. Ask the operator to renew it, or check this computer's clock; --insecure accepts it."
        case .certificateNotYetValid:
            "The certificate is not valid yet. Check this computer's clock, or ask the operator; --insecure accepts it."
        case .certificateForOtherHost:
            "The certificate is for another host. Check the host, or request one that it names; --insecure accepts it."
        case .certificateSelfSigned:
            "The certificate has no issuer but itself. --cacert FILE trusts it, --insecure accepts any certificate."
        case .certificateUntrusted:
            "The issuer is not trusted, or the server lacks an intermediate certificate. Give --cacert FILE or --insecure."
        case .clientCertificate:
            "The server requires a client certificate that it trusts. Give --cert FILE, and --key FILE if its key is apart."
        case .timeout: "The server accepts the connection and does not answer in time. --timeout waits longer."
        case .reset: "The server closes the connection before its answer is complete."
        case .redirects: "The redirects lead nowhere. A cookie or a token may be missing (--cookie-jar, --header)."
        case .notAllowed:
            "A public stream leads to an address that only this network has. --allow-host or --allow-private allows it."
        case .unauthorized:
            "The server requires other credentials: user and password in the URL, --bearer-env, --header or --cookie."
        case .unsupportedLogin:
            "The server wants a login by Digest, NTLM or Negotiate, which adtop does not have. It has Basic and --bearer-env."
        case .forbidden:
            "The server rejects this viewer. A new token, --header, --referer, --cookie-jar or --proxy may be required."
        case .notFound:
            "The server has nothing at this path. Check the URL, or whether the session has expired."
        case .tooManyRequests: "The server limits the rate of requests. adtop tries again later."
        case .serverError: "The server, or one behind it, fails. adtop tries again."
        case .rejected: "The server rejects the request."
        case .proxy, .proxyUnreachable, .proxyCertificate, .proxyLogin, .proxyRejected, .proxyWithoutServer, .notAProxy:
            proxyAdvice
        case .webPage:
            "This is a web page, not a stream. It may be a login page, or that of a player: give the URL of its playlist."
        case .json: "This is JSON, but neither a playlist nor a session. Check the URL; the answer may name an error."
        case .dash: "This is a DASH manifest, and adtop follows HLS only. Give the HLS URL of the same stream."
        case .empty:
            "There is nothing in the answer: no segment and no variant. Check the URL, or whether the encoder runs."
        case .notAPlaylist: "This is not a playlist: it does not begin with #EXTM3U."
        case .tooLong: "The answer is longer than any playlist."
        case .unreadable:
            "The server, or a cache before it, encodes or cuts what it sends in a way that no player asked for. Compare with curl -v."
        case .notHTTP: "The answer is not HTTP. Check scheme and port."
        }
    }

    /// What a good answer is instead of a playlist, as a clause; nil where the answer was none.
    package var found: String? {
        switch self {
        case .webPage: "a web page instead of a playlist"
        case .dash: DASHManifest.problem
        case .json: "JSON instead of a playlist"
        case .empty: "no segment and no variant in it"
        case .notAPlaylist: "not a playlist"
        default: nil
        }
    }

    private var proxyAdvice: String {
        switch self {
        case .proxyUnreachable:
            "The proxy cannot be reached, or does not answer. Check --proxy or the environment; --proxy '' uses none."
        case .proxyCertificate:
            "There is no secure connection with the proxy. --cacert FILE trusts its issuer; check scheme and port, too."
        case .proxyLogin:
            "The proxy requires other credentials: user and password in its URL. Only the scheme Basic is supported."
        case .proxyRejected:
            "The proxy does not allow this connection. Ask its operator; --no-proxy HOST requests a host without it."
        case .proxyWithoutServer:
            "The proxy cannot reach the server. Check host and port of the URL; --no-proxy HOST does not use the proxy."
        case .notAProxy:
            "There is no proxy of this kind. Check scheme (http, https, socks5, socks5h), host and port of --proxy."
        default: "The proxy does not open the way. Check --proxy; --no-proxy HOST requests a host without it."
        }
    }
}

extension OpeningProblem {
    /// The advice; for a viewer who was rejected also what the request carried of what the user gave, without the values, and
    /// that a proxy may be the one that rejects.
    /// - Parameter url: of the request.
    package func advice(of url: String, with additions: [RequestAddition]) -> String {
        guard self == .unauthorized || self == .forbidden || self == .unsupportedLogin else { return advice }
        let target = try? WebURL(url)
        let carried = additions.filter { addition in
            switch addition.scope {
            case .stream, .typed, .cookies: true
            case .host(let pattern): target.map(pattern.matches) ?? false
            // In a tunnel the proxy's answers are known as such.
            case .proxy: self != .forbidden && target?.isSecure == false
            }
        }
        let (ofProxy, ofServer) = (carried.filter { $0.scope == .proxy }, carried.filter { $0.scope != .proxy })
        let names = ofServer.map(\.text).joined(separator: ", ")
        let sent = "Sent with \(names.isEmpty ? "no credentials, cookies or header fields of yours" : names)."
        // Short, so that the card has room for it in a terminal of 80 columns.
        let doubt = ofProxy.isEmpty ? "" : " The proxy may have answered instead: check its login."
        return self == .unsupportedLogin ? advice + doubt : "\(advice) \(sent)\(doubt)"
    }
}
