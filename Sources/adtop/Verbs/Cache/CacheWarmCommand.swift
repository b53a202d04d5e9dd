import ArgumentParser
import Bidding
import CreativeCache
import CreativeServer
import Live
import Ports

/// `adtop cache warm`
struct CacheWarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm", abstract: "Put the winning creatives of a Prebid Server answer into the cache.",
        discussion: """
            Each winner's markup is stored with its bid under hb_cache_id and hb_uuid, with macros replaced. The \
            markup of a winner without one (returnCreative false) is fetched from the remote cache once.

            Examples:
              adtop cache warm answer.json
              adtop cache warm answer.json --offline --json

            Exit codes: 0 all winners are cached, 1 a winner is not cached, 2 usage error, 3 network error, 4 \
            unreadable input or folder.
            """)

    @Argument(help: "Answer of POST /openrtb2/auction: file, URL, or - for stdin.", completion: .files("json"))
    var answer: String

    @OptionGroup var place: CacheFolderOptions

    @OptionGroup var keys: TargetingPrefixOptions

    @Flag(help: "Fetch nothing from the remote cache.")
    var offline = false

    @Flag(help: "Print JSON (schema adtop-cache-warm/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let content = try await fetch.input.read(answer, limit: Limits.metadataBytes)
        guard let document = try? JSONReader.read(content.bytes), let answer = try keys.answer(document)
        else { throw CommandFailure(.unreadable, "\(answer): not a Prebid Server answer") }
        let shelf = try place.shelf()
        var results: [WarmResult] = []
        let warming = CreativeWarming(shelf, input: fetch.input.named(by: self.answer), isOffline: offline)
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
            if results.isEmpty { Output.line("no impression has a winner") }
        }
        if results.contains(where: { !$0.isStored }) { throw ExitStatus.findings.code }
    }

    private func warm(_ imp: PrebidImp, of answer: PrebidAnswer, _ warming: CreativeWarming) async -> [WarmResult] {
        let candidates = imp.warmCandidates(auction: answer.response.id)
        if let problem = imp.warmProblem { return [WarmResult(imp: imp.id, id: nil, problem: problem)] }
        return await warming.warm(candidates).map {
            WarmResult(imp: imp.id, id: $0.candidate.id, problem: $0.isStored ? nil : $0.outcome)
        }
    }
}

/// The outcome for one creative.
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

    var text: String { "\(isStored ? "✓" : "✗") \(id ?? "no id")  imp \(imp)\(problem.map { "  \($0)" } ?? "")" }

    var json: JSONValue {
        ["imp": .string(imp), "id": .optional(id), "stored": .bool(isStored), "problem": .optional(problem)]
    }
}
