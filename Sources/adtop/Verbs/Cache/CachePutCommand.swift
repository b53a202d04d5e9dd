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
