import Hummingbird
import OriginServer
import Ports

/// Serves metrics on loopback: `GET /metrics` returns the text, `HEAD` its head (RFC 9110 section 9.1), everything else
/// is 404. The server starts and stops only once.
final class MetricsServer: Sendable {
    private let listener: HTTPListener
    private let text: @Sendable () async -> String

    /// - Parameter port: port on 127.0.0.1; 0 selects a free port.
    init(port: Int, text: @escaping @Sendable () async -> String) {
        // The scraper reports a scrape that fails.
        listener = HTTPListener(port: port, label: "adtop.metrics")
        self.text = text
    }

    /// Returns the port once connections are accepted.
    func start() async throws(ListenProblem) -> Int {
        try await listener.start(makeRouter().buildResponder())
    }

    func stop() async {
        await listener.stop()
    }

    private static func isLocal(_ authority: String?) -> Bool {
        ["127.0.0.1", "localhost"].contains(authority?.prefix { $0 != ":" }.lowercased())
    }

    private func makeRouter() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("metrics") { [text] request, _ in
            // A page whose name resolves to this machine must not read it (DNS rebinding).
            guard Self.isLocal(request.head.authority) else { return Response(status: .forbidden) }
            var fields = HTTPFields()
            fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return Response(
                status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: await text())))
        }
        return router
    }
}
