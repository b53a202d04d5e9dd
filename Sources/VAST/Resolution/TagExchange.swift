package import Ports

/// Data about the client that every tag request contains.
package struct TagRequestSettings: Hashable, Sendable {
    package var userAgent: String
    /// Additional header fields of every request, for example `X-Device-IP` (VAST-30).
    package var fields: [HTTPField] = []
    package var addressRule = AddressRule.anywhere

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

extension TagFetch {
    /// The request for a fetch.
    package func request(_ settings: TagRequestSettings, timeout: Duration) -> HTTPRequest {
        let own = [HTTPField("User-Agent", settings.userAgent), HTTPField("Accept", "application/xml, text/xml, */*")]
        let fields = own.filter { settings.fields[$0.name] == nil } + settings.fields
        return HTTPRequest(
            url: url, fields: fields, connectTimeout: min(timeout, Limits.connectTimeout), totalTimeout: timeout,
            maximumBodyBytes: Limits.vastBytes, addressRule: settings.addressRule)
    }
}

extension TagAnswer {
    /// Converts an exchange to an answer: requests rejected by the client become error 300; timeouts, connection
    /// failures and statuses of 400 and above become error 301 (VAST-13). An answer without content is an empty body.
    package init(_ exchange: HTTPExchange, to fetch: TagFetch) {
        if let failure = exchange.failure {
            switch failure.kind {
            case .tooManyRedirects, .badRedirect, .redirectToReport, .bodyTooLarge, .addressNotAllowed:
                self = .refused(failure.message)
            case .timeout, .connectTimeout: self = .timedOut(failure.message)
            case .resolve, .connect, .tls, .proxy, .reset, .protocolError, .cancelled:
                self = .unavailable(failure.message)
            }
            return
        }
        guard let status = exchange.status, (200..<300).contains(status) else {
            self = .httpStatus(exchange.status ?? 0)
            return
        }
        self = .body(exchange.body, url: exchange.finalURL ?? fetch.url.text, charset: exchange.charset)
    }
}

extension HTTPExchange {
    /// The error of a media file that was requested and not received (VAST 4.3 section 2.3.6.3).
    package var mediaErrorCode: Int {
        switch failure?.kind {
        case .timeout, .connectTimeout: 402
        default: 401
        }
    }

    /// The `charset` of the Content-Type (RFC 7303 section 3.2).
    package var charset: String? { Self.charset(of: contentType) }

    /// The same of a Content-Type alone.
    package static func charset(of contentType: String?) -> String? {
        for parameter in (contentType ?? "").split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, ValueReader.word(String(parts[0]))?.lowercased() == "charset" else { continue }
            return ValueReader.word(parts[1].filter { $0 != "\"" })
        }
        return nil
    }
}
