import Testing

@testable import Ports

@Suite struct HTTPExchangeTests {
    @Test func theLastHopIsTheAnswer() {
        let exchange = HTTPExchange(hops: [
            .init(url: "http://a/", status: 302, fields: [HTTPField("Location", "/b")]),
            .init(url: "http://a/b", status: 204, fields: [HTTPField("Content-Type", "image/gif")]),
        ])
        #expect(exchange.status == 204)
        #expect(exchange.isSuccess)
        #expect(exchange.wasRedirected)
        #expect(exchange.finalURL == "http://a/b")
        #expect(exchange.contentType == "image/gif")
        #expect(exchange.fields["CONTENT-TYPE"] == "image/gif")
    }

    @Test func aFailureHasNoStatusEvenAfterARedirect() {
        let exchange = HTTPExchange(
            hops: [.init(url: "http://a/", status: 302, fields: [])],
            failure: HTTPFailure(.connect, "connection refused"))
        #expect(exchange.status == nil)
        #expect(!exchange.isSuccess)
    }
}
