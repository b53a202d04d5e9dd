package import Ports

/// The requests of one session over a client that many share: with the fields, credentials and cookies of that session.
package struct SessionTransport: HTTPTransport {
    private let client: LiveHTTPTransport
    private let identity: RequestIdentity
    private let cookies: SessionCookies

    package init(_ client: LiveHTTPTransport, identity: RequestIdentity, cookies: SessionCookies = SessionCookies()) {
        self.client = client
        self.identity = identity
        self.cookies = cookies
    }

    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        await send(request) {}
    }

    package func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        await client.run(request, { RequestCourse($0, identity: identity, cookies: cookies) }, onWritten)
    }
}
