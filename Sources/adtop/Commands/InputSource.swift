import Foundation
import Live
import Ports

/// What the tools read: a file, standard input (`-`) or a URL.
struct InputSource {
    /// The bytes and where they are from, after redirects: the base of relative URIs.
    struct Content {
        var bytes: [UInt8]
        var uri: String
        /// How it was delivered; nil for a file.
        var exchange: HTTPExchange?
    }

    /// Connections for one run of a tool; the caller shuts it down.
    static func transport() throws(CommandFailure) -> LiveHTTPTransport {
        do throws(FileProblem) {
            return try LiveHTTPTransport()
        } catch {
            throw CommandFailure(.network, "\(error)")
        }
    }

    /// `limit` bounds both; a URL's failure is a network error, a file's an unreadable input.
    static func read(_ place: String, limit: Int) async throws(CommandFailure) -> Content {
        guard place.hasPrefix("http://") || place.hasPrefix("https://") else {
            return try readFile(place, limit: limit)
        }
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(place)
        } catch {
            throw CommandFailure(.usage, "'\(place)' \(error.explanation)")
        }
        let transport = try transport()
        let exchange = await transport.send(HTTPRequest(url: url, maximumBodyBytes: limit))
        await transport.shutdown()
        if let failure = exchange.failure { throw CommandFailure(.network, "\(place): \(failure.message)") }
        guard exchange.isSuccess else {
            throw CommandFailure(.network, "\(place): the server answered \(exchange.status ?? 0)")
        }
        return Content(bytes: exchange.body, uri: exchange.finalURL ?? place, exchange: exchange)
    }

    /// A JSON document; what is none is an unreadable input, with its place.
    static func document(_ place: String, limit: Int) async throws(CommandFailure) -> JSONValue {
        let content = try await read(place, limit: limit)
        do throws(JSONProblem) {
            return try JSONReader.read(content.bytes)
        } catch {
            throw CommandFailure(.unreadable, "\(place):\(error.line):\(error.column): is not JSON: \(error.message)")
        }
    }

    private static func readFile(_ path: String, limit: Int) throws(CommandFailure) -> Content {
        let bytes = try InputFile.bytes(path, limit: limit)
        let uri = path == "-" ? "file:///dev/stdin" : URL(fileURLWithPath: path).absoluteString
        return Content(bytes: bytes, uri: uri)
    }
}
