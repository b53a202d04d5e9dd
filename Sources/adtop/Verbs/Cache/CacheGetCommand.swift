import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache get`
struct CacheGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a creative, or compare it with the remote cache.",
        discussion: """
            Examples:
              adtop cache get 0a6f0a3e > banner.html
              adtop cache get 0a6f0a3e --output ad.mp4
              adtop cache get 0a6f0a3e --bid
              adtop cache get 0a6f0a3e --verify-remote --json

            The bytes of a creative are never printed on a terminal: its escape sequences would reach it.

            Exit codes: 0 success, 1 no such creative or it differs, 2 usage error, 3 network error, 4 unusable folder.
            """)

    @Argument(help: "Id of the creative.")
    var id: CreativeID

    @OptionGroup var place: CacheFolderOptions

    @Flag(help: "Print the bid instead of the creative.")
    var bid = false

    @Flag(help: "Compare the creative with the one at its fallback URL.")
    var verifyRemote = false

    @Option(
        help: ArgumentHelp("Write the bytes to this file (default stdout, also -).", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Print JSON (schema adtop-cache-creative/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        if json || verifyRemote, output != nil {
            throw CommandFailure(.usage, "--output: writes the bytes only; omit --json and --verify-remote")
        }
        guard let found = try place.existingShelf().creative(id) else {
            throw CommandFailure(.findings, "\(id.text): no such creative (see adtop cache list)")
        }
        var comparison: RemoteComparison?
        if verifyRemote {
            guard let url = found.record.fallbackURL else {
                throw CommandFailure(.findings, "\(id.text): no fallback URL to compare with")
            }
            let remote = try await fetch.input.named(by: "").read(url, limit: Limits.vastBytes)
            comparison = RemoteComparison(local: found.content, remote: remote.bytes)
        }
        if json {
            var object = found.record.json.objectValue ?? JSONObject()
            let text = String(validating: found.content.body, as: UTF8.self)
            object.append("body", .optional(text))
            if text == nil {
                object.append("bodyBase64", .string(Data(found.content.body).base64EncodedString()))
            }
            object.append(
                "bid", found.content.bidJSON.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null)
            object.append("remote", comparison.map { .string($0.rawValue) } ?? .null)
            let value: JSONValue = ["schema": "adtop-cache-creative/1", "creative": .object(object)]
            Output.write(value.text(indented: true) + "\n")
        } else if let comparison {
            Output.line("\(id.text): \(comparison.sentence)")
        } else if bid {
            guard let bid = found.content.bidJSON else {
                throw CommandFailure(.findings, "\(id.text): the creative has no bid")
            }
            try write(bid)
        } else {
            try write(found.content.body)
        }
        if comparison == .differs { throw ExitStatus.findings.code }
    }

    /// Writes bytes as they are; what is in a creative must not reach a terminal.
    private func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard (output ?? "-") != "-" || !Output.isTerminal else {
            throw CommandFailure(
                .usage, "\(id.text): its bytes are not printed on a terminal; use --output FILE or redirect stdout")
        }
        var target = try ReportOutput(path: output)
        target.write(bytes)
        try target.finish()
    }
}
