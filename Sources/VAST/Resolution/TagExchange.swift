package import Ports

/// What every request for a tag says of the one who asks.
package struct TagRequestSettings: Hashable, Sendable {
    package var userAgent: String
    /// Further fields of every request, `X-Device-IP` for example (vast-vmap 2.2 rule 10).
    package var fields: [HTTPField] = []
    package var addressRule = AddressRule.anywhere

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

extension TagFetch {
    /// The request to make; `cookies` are those that earlier answers of the same chain have set.
    package func request(
        _ settings: TagRequestSettings, timeout: Duration, cookies: CookieJar
    ) -> HTTPRequest {
        let own = [HTTPField("User-Agent", settings.userAgent), HTTPField("Accept", "application/xml, text/xml, */*")]
        let fields = own.filter { settings.fields[$0.name] == nil } + settings.fields
        var request = HTTPRequest(
            url: url, fields: fields, connectTimeout: min(timeout, Limits.connectTimeout), totalTimeout: timeout,
            maximumBodyBytes: Limits.vastBytes, addressRule: settings.addressRule)
        request.cookies = cookies
        return request
    }
}

extension TagAnswer {
    /// What an exchange means to the chain: refusals of ours are 300, silence and statuses of 400 and above are 301
    /// (vast-vmap 3.3). An answer without content is a body of no bytes.
    package init(_ exchange: HTTPExchange, to fetch: TagFetch) {
        if let failure = exchange.failure {
            switch failure.kind {
            case .tooManyRedirects, .badRedirect, .bodyTooLarge, .addressNotAllowed: self = .refused(failure.message)
            default: self = .unavailable(failure.message)
            }
            return
        }
        guard let status = exchange.status, (200..<300).contains(status) else {
            self = .httpStatus(exchange.status ?? 0)
            return
        }
        self = .body(exchange.body, url: exchange.finalURL ?? fetch.url.text)
    }
}
