/// One version of the metadata documents of a ``LiveStream``: what differs from the plan by ``MetadataChanges`` and by a token
/// that rotates.
struct MetadataVersion: Sendable, Equatable {
    /// Query parameter of the token.
    static let tokenName = "token"
    /// Largest difference of starts at which every break has its own.
    private static let ownStartMs = 1_000

    private let changes: MetadataChanges?
    private let token: String?
    private let seed: UInt64
    /// Number of the version; version 0 is as planned.
    private let number: Int
    /// Number of the document.
    private let poll: Int

    /// The version at `nowMs` of the `poll`th document of the origin.
    init(_ stream: LiveStream, at nowMs: Int, poll: Int) {
        changes = stream.scenario.metadata.changes
        token = stream.token(at: nowMs)
        seed = stream.seed
        self.poll = poll
        number =
            switch changes?.pace {
            case nil: 0
            case .poll: poll
            case .instance: poll % 2
            case .every(let intervalMs): max(0, nowMs - stream.startMs) / intervalMs
            }
    }

    /// Whether the documents list everything as planned.
    var isPlain: Bool { changes == nil && token == nil }

    /// The id of a break or an ad.
    func id(_ planned: String) -> String {
        guard changes?.ids == true, number > 0 else { return planned }
        return planned + "-v" + String(SeedMix.value(seed: seed, index: 0x6964 &+ UInt64(number)) % 46_656, radix: 36)
    }

    /// Difference of the starts of break `number` from the plan.
    func shiftMs(ofBreak adBreak: Int) -> Int {
        guard let changes, changes.startsMs > 0, number > 0 else { return 0 }
        guard changes.pace != .instance else { return changes.startsMs }
        let own = changes.startsMs <= Self.ownStartMs ? UInt64(adBreak) &* 0x1_0000 : 0
        let value = SeedMix.value(seed: seed, index: 0x7374_6172 &+ own &+ UInt64(number))
        switch value % 4 {
        case 0: return -changes.startsMs
        case 1: return changes.startsMs
        case 2: return 0
        default: return Int(value / 4 % UInt64(2 * changes.startsMs + 1)) - changes.startsMs
        }
    }

    /// What follows a beacon's URL: cache buster and token, or nothing.
    func query(of target: String) -> String {
        var query = ""
        if let name = changes?.cacheBuster {
            let index = target.utf8.reduce(UInt64(truncatingIfNeeded: poll)) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
            query += "&\(name)=\(1_000_000_000 + SeedMix.value(seed: seed, index: index) % 9_000_000_000)"
        }
        if let token { query += "&\(Self.tokenName)=\(token)" }
        return query
    }
}

extension LiveStream {
    /// The token that URLs carry at `nowMs`; nil if the scenario has none.
    func token(at nowMs: Int) -> String? {
        guard let intervalMs = scenario.session.tokenMs else { return nil }
        let index = 0x746F_6B65 &+ UInt64(truncatingIfNeeded: max(0, nowMs) / intervalMs)
        return "exp1h" + String(SeedMix.value(seed: seed, index: index), radix: 16)
    }
}

extension Scenario {
    /// The target of a beacon as it is in the plan: without cache buster and token.
    package func planned(_ target: String) -> String {
        let names = [metadata.changes?.cacheBuster, session.tokenMs.map { _ in MetadataVersion.tokenName }]
            .compactMap { $0.map { "\($0)=" } }
        guard !names.isEmpty, let question = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        let pairs = target.utf8[question...].dropFirst()
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in !names.contains { pair.starts(with: $0.utf8) } }
        return target[...question] + kept.map { Substring($0) }.joined(separator: "&")
    }
}
