import Bidding
import CreativeCache
import CreativeServer
import Live
import Ports
import Session

/// Puts the winning creatives of auctions into a creative cache. Markup that the answer lacks is fetched from the
/// remote cache once.
struct CreativeWarming {
    let keeper: ShelfKeeper
    /// Fetch nothing.
    var isOffline = false

    private let input: InputSource

    init(_ shelf: CreativeShelf, input: InputSource, isOffline: Bool = false) {
        self.input = input
        keeper = ShelfKeeper(shelf: shelf, time: SystemTimeSource())
        self.isOffline = isOffline
    }

    func warm(_ candidates: [WarmCandidate]) async -> [WarmedCreative] {
        var results: [WarmedCreative] = []
        for candidate in candidates { results.append(await warm(candidate)) }
        return results
    }

    private func warm(_ candidate: WarmCandidate) async -> WarmedCreative {
        let order: CreativeOrder
        do throws(CommandFailure) {
            order = try await self.order(candidate)
        } catch {
            return WarmedCreative(candidate, problem: error.message)
        }
        let kept = await keeper.keep([order]).first
        return WarmedCreative(
            candidate, bytes: order.creative.content.body.count, problem: kept?.problem, took: kept?.took)
    }

    private func order(_ candidate: WarmCandidate) async throws(CommandFailure) -> CreativeOrder {
        if CreativeID(candidate.id) == nil {
            throw CommandFailure(.findings, "the id is not valid in this cache")
        }
        if let entry = candidate.entry, let order = CachedCreative.warm(entry, origin: .init(candidate)) {
            return order
        }
        guard let url = candidate.remote else {
            throw CommandFailure(.findings, "the winner has neither markup nor a remote cache URL")
        }
        if isOffline { throw CommandFailure(.findings, "the winner has no markup; --offline fetches none") }
        let remote = try await input.read(url, limit: StoreLimits().entryBytes)
        do throws(RemoteCreative.Problem) {
            return try CreativeOrder(candidate, remote: remote.bytes, contentType: remote.exchange?.contentType)
        } catch {
            throw CommandFailure(.findings, error.message)
        }
    }
}

/// The outcome for one creative.
struct WarmedCreative: Hashable {
    let candidate: WarmCandidate
    /// Nil when there is no markup yet.
    var bytes: Int?
    var problem: String?
    /// Time to read the creative back; nil when it is not cached.
    var took: Duration?

    init(_ candidate: WarmCandidate, bytes: Int? = nil, problem: String? = nil, took: Duration? = nil) {
        self.candidate = candidate
        self.bytes = bytes ?? candidate.entry?.body.utf8.count
        self.problem = problem
        self.took = problem == nil ? took : nil
    }

    var isStored: Bool { took != nil }

    /// `cached, read back in 0.3 ms`, or the reason why it is not cached.
    var outcome: String {
        guard let took else { return problem ?? "not cached (--live caches it)" }
        return "cached, read back in \(took.millisecondsText) ms"
    }

    var json: JSONValue {
        [
            "id": .string(candidate.id), "bidder": .string(candidate.bidder), "stored": .bool(isStored),
            "contentType": .optional(candidate.entry?.contentType), "bytes": .optional(bytes),
            "fallbackUrl": .optional(candidate.remote), "tookUs": .optional(took?.inMicroseconds),
            "problem": .optional(problem),
        ]
    }
}
