import ArgumentParser
import Bidding
import CreativeCache
import CreativeServer
import Live
import Ports

/// `adtop cache warm`
struct CacheWarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm", abstract: "Put the winners of a Prebid Server answer into the cache.",
        discussion: """
            Each winner's markup, macros filled, goes under hb_cache_id and hb_uuid with its bid. A winner that came without \
            markup (returnCreative false) is fetched from the remote cache once.

            Examples:
              adtop cache warm answer.json
              adtop cache warm answer.json --offline --json

            Exit codes: 0 all winners are kept, 1 one is not, 2 wrong usage, 3 network, 4 unreadable input or folder.
            """)

    @Argument(help: "File, - or URL of the answer of POST /openrtb2/auction.")
    var answer: String

    @OptionGroup var place: CacheFolderOptions

    @Flag(help: "Fetch nothing from the remote cache.")
    var offline = false

    @Flag(help: "Print JSON (schema adtop-cache-warm/1).")
    var json = false

    func run() async throws {
        let content = try await InputSource.read(answer, limit: Limits.metadataBytes)
        guard let answer = (try? JSONReader.read(content.bytes)).flatMap({ PrebidAnswer($0, requiresCacheID: false) })
        else { throw CommandFailure(.unreadable, "\(answer): is no answer of a Prebid Server") }
        let shelf = try place.shelf()
        var results: [WarmResult] = []
        for imp in answer.imps where imp.winner != nil {
            results += await warm(imp, of: answer, into: shelf)
        }
        try shelf.checkDisk("warm")
        if json {
            let value: JSONValue = [
                "schema": "adtop-cache-warm/1", "auction": .string(answer.response.id),
                "creatives": .array(results.map(\.json)),
            ]
            Output.write(value.text(indented: true) + "\n")
        } else {
            results.forEach { Output.line($0.text) }
            if results.isEmpty { Output.line("no imp has a winner") }
        }
        if results.contains(where: { !$0.isStored }) { throw ExitStatus.findings.code }
    }

    private func warm(_ imp: PrebidImp, of answer: PrebidAnswer, into shelf: CreativeShelf) async -> [WarmResult] {
        let origin = CachedCreative.Origin(auction: answer.response.id, bidder: imp.winningBid?.seat)
        guard imp.entries.isEmpty else {
            return imp.entries.map { entry in
                guard let (creative, life) = CachedCreative.warm(entry, origin: origin) else {
                    return WarmResult(imp: imp.id, id: entry.id, problem: "the id cannot be one of this cache")
                }
                return WarmResult(imp: imp.id, id: entry.id, outcome: shelf.put(creative, life: life))
            }
        }
        guard let url = imp.fallbackURL, let text = imp.winningBid?["hb_cache_id"], let id = CreativeID(text) else {
            return [WarmResult(imp: imp.id, id: nil, problem: "the winner has neither markup nor a cache id")]
        }
        if offline { return [WarmResult(imp: imp.id, id: text, problem: "the winner has no markup (--offline)")] }
        do throws(CommandFailure) {
            let remote = try await InputSource.read(url, limit: StoreLimits().entryBytes)
            guard
                let creative = CachedCreative(
                    remote: remote.bytes, contentType: remote.exchange?.contentType, id: id, url: url, origin: origin)
            else { return [WarmResult(imp: imp.id, id: text, problem: "the remote cache has no markup for it")] }
            return [WarmResult(imp: imp.id, id: text, outcome: shelf.put(creative))]
        } catch {
            return [WarmResult(imp: imp.id, id: text, problem: error.message)]
        }
    }
}

/// What became of one creative.
private struct WarmResult {
    var imp: String
    var id: String?
    var problem: String?

    init(imp: String, id: String?, problem: String? = nil) {
        self.imp = imp
        self.id = id
        self.problem = problem
    }

    init(imp: String, id: String, outcome: PutOutcome) {
        self.init(imp: imp, id: id, problem: outcome.isStored ? nil : outcome.clause)
    }

    var isStored: Bool { problem == nil }

    var text: String { "\(isStored ? "✓" : "✗") \(id ?? "without id")  imp \(imp)\(problem.map { "  \($0)" } ?? "")" }

    var json: JSONValue {
        ["imp": .string(imp), "id": .optional(id), "stored": .bool(isStored), "problem": .optional(problem)]
    }
}

extension CachedCreative {
    /// What an auction says about warming, as a creative with its life: at most what imp and bid allow, and 300 s
    /// (bidding-formats-cache 4.4.1). Nil for an id that cannot be in a path.
    static func warm(_ entry: WarmEntry, origin: Origin) -> (creative: CachedCreative, life: Duration)? {
        guard let id = CreativeID(entry.id) else { return nil }
        let creative = CachedCreative(
            id: id, kind: Kind(contentType: entry.contentType), contentType: entry.contentType,
            fallbackURL: entry.fallbackURL, origin: origin,
            content: Content(body: Array(entry.body.utf8), bidJSON: Array(entry.bidJSON.text().utf8)))
        let limit = StoreLimits().defaultLife
        return (creative, entry.timeToLive.map { min(.seconds(max(1, $0)), limit) } ?? limit)
    }
}
