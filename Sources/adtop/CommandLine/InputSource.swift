import Foundation
import Live
import Ports

/// The input of a tool: a file, standard input (`-`) or a URL.
struct InputSource: Sendable {
    /// The bytes and their URI after redirects, which is the base of relative URIs.
    struct Content {
        var bytes: [UInt8]
        var uri: String
        /// The HTTP exchange; nil for a file.
        var exchange: HTTPExchange?
    }

    /// How requests are sent; read when the first is.
    private let plan: @Sendable () throws(CommandFailure) -> ConnectionPlan

    init(plan: @escaping @Sendable () throws(CommandFailure) -> ConnectionPlan) {
        self.plan = plan
    }

    /// The HTTP transport for one run of a tool; the caller shuts it down.
    func transport() throws(CommandFailure) -> LiveHTTPTransport {
        LiveHTTPTransport(plan: try plan())
    }

    /// Reads at most `limit` bytes. The failure of a URL is a network error, that of a file an unreadable input.
    func read(_ place: String, limit: Int) async throws(CommandFailure) -> Content {
        guard place.hasPrefix("http://") || place.hasPrefix("https://") else {
            return try Self.readFile(place, limit: limit)
        }
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(place)
        } catch {
            throw CommandFailure(.usage, "'\(place)' \(error.explanation)")
        }
        let transport = try transport()
        var request = HTTPRequest(url: url, maximumBodyBytes: limit)
        request.audience = .stream
        let exchange = await transport.send(request)
        await transport.shutdown()
        if let failure = exchange.failure { throw CommandFailure(.network, "\(place): \(failure.message)") }
        guard exchange.isSuccess else {
            throw CommandFailure(.network, "\(place): the server answered \(exchange.status ?? 0)")
        }
        return Content(bytes: exchange.body, uri: exchange.finalURL ?? place, exchange: exchange)
    }

    /// Reads a JSON document. Anything else is an unreadable input; the error names line and column.
    func document(_ place: String, limit: Int) async throws(CommandFailure) -> JSONValue {
        let content = try await read(place, limit: limit)
        do throws(JSONProblem) {
            return try JSONReader.read(content.bytes)
        } catch {
            throw CommandFailure(.unreadable, "\(place):\(error.line):\(error.column): not JSON: \(error.message)")
        }
    }

    private static func readFile(_ path: String, limit: Int) throws(CommandFailure) -> Content {
        let bytes = try InputFile.bytes(path, limit: limit)
        let uri = path == "-" ? "file:///dev/stdin" : URL(fileURLWithPath: path).absoluteString
        return Content(bytes: bytes, uri: uri)
    }
}
