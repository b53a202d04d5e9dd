import Foundation
import Live
import Ports
import Session

/// The input of a tool: a file, standard input (`-`) or a URL.
struct InputSource: Sendable {
    /// The bytes and their URI after redirects, which is the base of relative URIs.
    struct Content {
        var bytes: [UInt8]
        var uri: String
        /// The HTTP exchange; nil for a file.
        var exchange: HTTPExchange?
    }

    /// What requests are made of; read when the first is, and before that if flags are given.
    private let settings: @Sendable () throws(CommandFailure) -> ToolSettings
    private var isChecked = false
    /// What the user typed, for the requests of what it names.
    private var origin: String?

    init(_ settings: @escaping @Sendable () throws(CommandFailure) -> ToolSettings) {
        self.settings = settings
    }

    /// With flags, the environment and the config file; `hasOwnTimeout`: without the time limit of the settings.
    init(flags: [Setting: String], hasOwnTimeout: Bool = false) {
        self.init { () throws(CommandFailure) in
            try Settings.tool(try SettingsLoader().texts(flags: flags).texts, hasOwnTimeout: hasOwnTimeout)
        }
        isChecked = !flags.isEmpty
    }

    /// The same for what the document at `place` names: credentials belong to its host and port.
    func named(by place: String) -> InputSource {
        var source = self
        source.origin = place
        return source
    }

    /// The User-Agent of the settings; nil without one.
    func agent() throws(CommandFailure) -> String? { try settings().agent }

    /// The requests of one run of a tool; the caller ends them.
    func requests() throws(CommandFailure) -> ToolRequests {
        try ToolRequests(try settings())
    }

    /// Reads at most `limit` bytes. The failure of a URL is a network error, that of a file an unreadable input.
    func read(_ place: String, limit: Int) async throws(CommandFailure) -> Content {
        guard InputFile.isAddress(place) else {
            try InputFile.checkScheme(of: place)
            if isChecked { _ = try settings() }
            return try Self.readFile(place, limit: limit)
        }
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(place)
        } catch {
            throw CommandFailure(.usage, "'\(place)' \(error.explanation)")
        }
        let requests = try requests()
        var request = HTTPRequest(
            url: url.withoutCredentials, fields: requests.agentFields, maximumBodyBytes: limit)
        var typed: WebURL? = url
        if let origin {
            typed = try? WebURL(origin)
            request.url = url
        } else {
            request.audience = .stream
        }
        let exchange = await requests.documents(typed: typed).send(request)
        await requests.end()
        if let failure = exchange.failure { throw Self.failure(failure, of: place) }
        guard exchange.isSuccess else {
            let proxy = requests.doubtfulProxy(for: exchange)
            let who = "the server\(proxy.map { ", or the proxy \($0.text)," } ?? "")"
            throw CommandFailure(.network, "\(place): \(who) answered \(exchange.status ?? 0)")
        }
        return Content(bytes: exchange.body, uri: exchange.finalURL ?? request.url.text, exchange: exchange)
    }

    /// The error for a request without an answer. For a certificate that was rejected it has the flag that helps.
    static func failure(_ failure: HTTPFailure, of place: String) -> CommandFailure {
        let advice = failure.rejection == nil ? nil : OpeningProblem(HTTPExchange(failure: failure))?.advice
        return CommandFailure(.network, "\(place): \(failure.message)\(advice.map { ". \($0)" } ?? "")")
    }

    /// The place for output: a URL without user and password.
    static func shown(_ place: String) -> String {
        guard InputFile.isAddress(place) else { return place }
        return (try? WebURL(place))?.withoutCredentials.text ?? Redaction.credentials(in: place)
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

    /// The URI of what came from standard input. It has no folder, so that relative URIs stay as they are without `--base`.
    private static let standardInput = "-"

    private static func readFile(_ path: String, limit: Int) throws(CommandFailure) -> Content {
        let bytes = try InputFile.bytes(path, limit: limit)
        let uri = path == "-" ? Self.standardInput : URL(fileURLWithPath: path).absoluteString
        return Content(bytes: bytes, uri: uri)
    }
}
