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
        let warming = CreativeWarming(shelf, isOffline: offline)
        for imp in answer.imps where imp.winner != nil {
            results += await warm(imp, of: answer, warming)
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

    private func warm(_ imp: PrebidImp, of answer: PrebidAnswer, _ warming: CreativeWarming) async -> [WarmResult] {
        let candidates = imp.warmCandidates(auction: answer.response.id)
        guard !candidates.isEmpty else {
            return [WarmResult(imp: imp.id, id: nil, problem: "the winner has neither markup nor a cache id")]
        }
        return await warming.warm(candidates).map {
            WarmResult(imp: imp.id, id: $0.candidate.id, problem: $0.isStored ? nil : $0.outcome)
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

    var isStored: Bool { problem == nil }

    var text: String { "\(isStored ? "✓" : "✗") \(id ?? "without id")  imp \(imp)\(problem.map { "  \($0)" } ?? "")" }

    var json: JSONValue {
        ["imp": .string(imp), "id": .optional(id), "stored": .bool(isStored), "problem": .optional(problem)]
    }
}
