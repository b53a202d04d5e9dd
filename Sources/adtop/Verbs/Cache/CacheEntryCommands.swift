import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache put`
struct CachePutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Put a creative into the cache.",
        usage: "adtop cache put [<options>] <file>",
        discussion: """
            Prints the id. A server that uses the same folder serves the creative at once.

            Examples:
              adtop cache put banner.html
              adtop cache put ad.xml --id 3d9c3d61 --type application/xml --ttl 10m
              generate-ad | adtop cache put - --bid bid.json --json

            Exit codes: 0 stored, 1 rejected (too large with its bid, negative time to live, id exists), 2 usage \
            error, 4 unreadable input or folder.
            """)

    /// Most bytes that are read, to report how large a creative is that the cache does not store.
    private static let maximumBytes = 64 << 20

    @Argument(help: "File of the creative; - for stdin.", completion: .file())
    var file: String

    @OptionGroup var place: CacheFolderOptions

    @Option(help: ArgumentHelp("Id (default a random UUID).", valueName: "id"))
    var id: CreativeID?

    @Option(
        help: ArgumentHelp("MIME type (default: from the first characters, else text/html).", valueName: "type"))
    var type: String?

    @Option(
        help: ArgumentHelp(
            "Time to live (default 5m, at most 1h; settings cache-ttl, cache-max-ttl).", valueName: "duration"))
    var ttl: String?

    @Option(help: ArgumentHelp("Bid as JSON, served as /cache?uuid=ID.", valueName: "file"), completion: .files("json"))
    var bid: String?

    @Option(help: ArgumentHelp("URL of the same creative on a remote cache.", valueName: "url"))
    var fallback: String?

    @Flag(help: "Do not replace a valid creative of the same id.")
    var keep = false

    @Flag(help: "Print JSON (schema adtop-cache-put/1).")
    var json = false

    func run() throws {
        let limit = Self.maximumBytes
        let body = try InputFile.bytes(file, limit: limit)
        let bidBytes = try bid.map { path throws(CommandFailure) in try Self.bid(path, limit: limit) }
        try checkFlags()
        var generator = SystemRandomNumberGenerator()
        let id = id ?? CreativeID.random(using: &generator)
        let type = type ?? Self.type(of: body)
        let kind = CachedCreative.Kind(contentType: type)
        let life = try ttl.map { text throws(CommandFailure) in try DurationFlag.position(text, flag: "--ttl") }
        let shelf = try place.shelf()
        let outcome = shelf.put(
            CachedCreative(
                id: id, kind: kind, contentType: type, fallbackURL: fallback,
                content: CachedCreative.Content(body: body, bidJSON: bidBytes)),
            life: life, replacing: !keep)
        try shelf.checkDisk("put")
        if json {
            let value: JSONValue = [
                "schema": "adtop-cache-put/1", "id": .string(id.text), "outcome": .string(outcome.name),
                "creative": shelf.records().first { $0.id == id }?.json ?? .null,
            ]
            Output.write(value.text(indented: true) + "\n")
        } else if outcome.isStored {
            Output.line(id.text)
        }
        guard outcome.isStored else { throw CommandFailure(.findings, "\(file): \(outcome.clause)") }
    }

    /// Rejects a type that cannot become a header field and a URL that could not be requested later.
    private func checkFlags() throws(CommandFailure) {
        if let type, !CachedCreative.isFieldValue(type) {
            throw CommandFailure(.usage, "--type: '\(type)' is not 1 to 255 printable ASCII characters")
        }
        guard let fallback else { return }
        do throws(WebURLProblem) {
            _ = try WebURL(fallback)
        } catch {
            throw CommandFailure(.usage, "--fallback: '\(fallback)' \(error.explanation)")
        }
    }

    /// The bytes of the bid; rejects a bid that is not JSON, because it is served as JSON.
    private static func bid(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        let bytes = try InputFile.bytes(path, limit: limit)
        do throws(JSONProblem) {
            _ = try JSONReader.read(bytes)
        } catch {
            throw CommandFailure(.unreadable, "\(path):\(error.line):\(error.column): not JSON: \(error.message)")
        }
        return bytes
    }

    /// VAST and native answers are recognised by their first characters; everything else is HTML markup.
    private static func type(of body: [UInt8]) -> String {
        let start = body.prefix(512).drop { $0 <= 0x20 || $0 >= 0x80 }
        if start.starts(with: "<?xml".utf8) || start.starts(with: "<VAST".utf8) {
            return CachedCreative.Kind.video.contentType
        }
        return (start.first == UInt8(ascii: "{") ? CachedCreative.Kind.native : .banner).contentType
    }
}

extension PutOutcome {
    fileprivate var name: String {
        switch self {
        case .stored: "stored"
        case .negativeLife: "negativeTtl"
        case .tooLarge: "tooLarge"
        case .exists: "exists"
        }
    }

    /// One clause for an error line.
    var clause: String {
        switch self {
        case .stored: "stored"
        case .negativeLife: "--ttl must not be negative"
        case .tooLarge(let bytes, let limit): "too large: \(bytes) bytes, the limit for one creative is \(limit)"
        case .exists: "a valid creative with this id exists; omit --keep to replace it"
        }
    }
}

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

/// `adtop cache list`
struct CacheListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the creatives, newest first.",
        discussion: """
            Examples:
              adtop cache list
              adtop cache list --json

            Exit codes: 0 success, 2 usage error, 4 unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions

    @Flag(help: "Print JSON (schema adtop-cache/1).")
    var json = false

    func run() throws {
        let report = try place.existingShelf().report()
        if json {
            var object = JSONObject([JSONObject.Member(name: "schema", value: "adtop-cache/1")])
            for member in report.json.objectValue?.members ?? [] { object.append(member.name, member.value) }
            Output.write(JSONValue.object(object).text(indented: true) + "\n")
            return
        }
        let now = SystemTimeSource().now().wall
        for record in report.records {
            let left = Duration.seconds((record.expiresAt - now).inMilliseconds / 1_000)
            Output.line(
                [
                    record.id.text, record.kind.rawValue, "\(record.byteCount) B", "expires in \(left.text)",
                    record.origin.bidder, record.origin.auction,
                ].compactMap { $0 }.joined(separator: "  "))
        }
        let used = "\(report.diskBytes.grouped) of \((report.diskLimit ?? 0).grouped) bytes used"
        Output.line("\(Report.count(report.count, "creative")), \(used)")
    }
}

/// `adtop cache rm`
struct CacheRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove creatives.",
        discussion: """
            Examples:
              adtop cache rm 0a6f0a3e 3d9c3d61

            Exit codes: 0 success, 1 no such creative, 2 usage error, 4 unusable folder.
            """)

    @Argument(help: "Ids of the creatives.")
    var ids: [CreativeID]

    @OptionGroup var place: CacheFolderOptions

    func run() throws {
        let shelf = try place.existingShelf()
        let missing = ids.filter { !shelf.remove($0) }
        guard missing.isEmpty else {
            throw CommandFailure(.findings, "no such creative: \(missing.map(\.text).joined(separator: ", "))")
        }
    }
}

/// `adtop cache purge`
struct CachePurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Remove all creatives.",
        discussion: """
            Examples:
              adtop cache purge

            Exit codes: 0 success, 2 usage error, 4 unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions

    func run() throws {
        let count = try place.existingShelf().removeAll()
        Output.line("\(Report.count(count, "creative")) removed")
    }
}
