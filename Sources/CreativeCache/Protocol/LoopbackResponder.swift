package import Ports

/// Answers requests from a ``CreativeStore``: creatives at `/ID`, the interface of Prebid Cache at `/cache` (CACHE-4).
/// It uses no socket and no clock: the same request at the same moment has the same answer.
package struct LoopbackResponder: Sendable {
    /// The result of a request.
    package enum Step: Hashable, Sendable {
        case answer(LoopbackAnswer)
        /// The bytes of this creative are only on disk: load them into the store, or report them as lost, and repeat
        /// the request.
        case load(CreativeID)
    }

    package var rules: LoopbackRules

    package init(rules: LoopbackRules) {
        self.rules = rules
    }

    /// Answers a request and updates the store. New ids are drawn from `generator`.
    package func answer(
        _ request: LoopbackRequest, store: inout CreativeStore, using generator: inout some RandomNumberGenerator,
        at now: UnixTime
    ) -> Step {
        do throws(LoopbackRefusal) {
            return try respond(request, store: &store, using: &generator, at: now)
        } catch {
            return .answer(refusal(error, to: request.method))
        }
    }

    /// The answer to a request that is rejected, or to bytes that are not a request.
    package func refusal(_ refusal: LoopbackRefusal, to method: String = "GET") -> LoopbackAnswer {
        var answer = LoopbackAnswer(
            status: refusal.status, reason: StatusReason.text(refusal.status), fields: fields(type: Self.plainText),
            body: Array(refusal.text.utf8))
        if !refusal.isShared { answer.fields.removeAll { $0.name == Self.shareField.name } }
        answer.omitsBody = method.uppercased() == "HEAD"
        answer.closes = refusal.closes
        return answer
    }

    /// The creative that a request reads; nil for all other requests.
    package static func creative(wantedBy request: LoopbackRequest) -> CreativeID? {
        guard request.method.uppercased() == "GET" || request.isHead,
            // An invalid target reads no creative.
            let target = try? Target(request.target)
        else { return nil }
        if case .creative(let id) = target.place { return id }
        return target.uuid.flatMap { CreativeID($0) }
    }

    private func respond(
        _ request: LoopbackRequest, store: inout CreativeStore, using generator: inout some RandomNumberGenerator,
        at now: UnixTime
    ) throws(LoopbackRefusal) -> Step {
        try checkHost(request)
        let target = try Target(request.target)
        switch (request.method.uppercased(), target.place) {
        case ("OPTIONS", let place): return .answer(preflight(request, place))
        case ("GET", .cache), ("HEAD", .cache):
            return try readCache(target, isHead: request.isHead, store: &store, at: now)
        case ("POST", .cache):
            return .answer(try write(request, store: &store, using: &generator, at: now))
        case ("GET", .status), ("HEAD", .status): return .answer(noContent())
        case ("GET", .root), ("HEAD", .root): throw .notFound
        case ("GET", .creative(let id)), ("HEAD", .creative(let id)):
            switch store.get(id, at: now) {
            case .missing: throw .notFound
            case .onDisk: return .load(id)
            case .found(let record, let content):
                return .answer(found(content.body, type: record.contentType, isHead: request.isHead))
            }
        default: throw .badRequest
        }
    }

    // MARK: Reading

    /// Reads through the interface of Prebid Cache; a creative is returned as its bid, if it has one.
    private func readCache(
        _ target: Target, isHead: Bool, store: inout CreativeStore, at now: UnixTime
    ) throws(LoopbackRefusal) -> Step {
        guard let text = target.uuid, !text.isEmpty else { throw .prebidCache(.missingID) }
        let shown = String(text.prefix(CreativeID.maximumLength))
        guard rules.allowsOwnKeys || text.utf8.count == Self.uuidLength else {
            throw .prebidCache(.badIDLength(shown))
        }
        guard let id = CreativeID(text) else { throw .prebidCache(.unknownID(shown)) }
        switch store.get(id, at: now) {
        case .missing: throw .prebidCache(.unknownID(shown))
        case .onDisk: return .load(id)
        case .found(let record, let content):
            if let bid = content.bidJSON { return .answer(found(bid, type: Self.json, isHead: isHead)) }
            // Markup alone is not usable for readers of this interface.
            guard record.kind != .banner else { throw .prebidCache(.unknownID(shown)) }
            return .answer(found(content.body, type: record.contentType, isHead: isHead))
        }
    }

    // MARK: Writing

    private func write(
        _ request: LoopbackRequest, store: inout CreativeStore, using generator: inout some RandomNumberGenerator,
        at now: UnixTime
    ) throws(LoopbackRefusal) -> LoopbackAnswer {
        if let origin = request.fields["origin"], !rules.allowedOrigins.contains(origin) { throw .foreignOrigin }
        if let key = rules.writeKey, request.fields["x-pbc-api-key"] != key { throw .wrongKey }
        let puts: [PrebidCachePut]
        do throws(PrebidCacheProblem) {
            puts = try PrebidCachePut.read(request.body, rules: rules)
        } catch {
            throw .prebidCache(error)
        }
        let ids = puts.map { put in
            let id = put.key ?? CreativeID.random(using: &generator)
            let creative = CachedCreative(
                id: id, kind: put.form == .xml ? .prebidXML : .prebidJSON,
                content: CachedCreative.Content(body: put.body))
            let life = put.life.flatMap { $0 > .zero ? $0 : nil } ?? store.limits.maximumLife
            let outcome = store.put(creative, life: life, replacing: false, at: now)
            // An empty id reports that the id is taken or that the value does not fit.
            return JSONValue.object(
                JSONObject([JSONObject.Member(name: "uuid", value: .string(outcome.isStored ? id.text : ""))]))
        }
        let body: JSONValue = ["responses": .array(ids)]
        return LoopbackAnswer(
            status: 200, reason: StatusReason.text(200), fields: fields(type: Self.json),
            body: Array(body.text().utf8))
    }

    // MARK: Parts of answers

    private static let plainText = "text/plain; charset=utf-8"
    private static let json = "application/json"
    private static let shareField = HTTPField("Access-Control-Allow-Origin", "*")
    private static let uuidLength = 36
    private static let readMethods = "GET, HEAD, OPTIONS"
    private static let cacheMethods = "GET, HEAD, POST, OPTIONS"

    private func fields(type: String?) -> [HTTPField] {
        var fields = rules.sharesWithPages ? [Self.shareField] : []
        if let type { fields.append(HTTPField("Content-Type", type)) }
        return fields + [HTTPField("Cache-Control", "no-store"), HTTPField("X-Content-Type-Options", "nosniff")]
    }

    private func found(_ body: [UInt8], type: String, isHead: Bool) -> LoopbackAnswer {
        var answer = LoopbackAnswer(
            status: 200, reason: StatusReason.text(200), fields: fields(type: type), body: body)
        answer.omitsBody = isHead
        return answer
    }

    private func noContent() -> LoopbackAnswer {
        LoopbackAnswer(status: 204, reason: StatusReason.text(204), fields: fields(type: nil))
    }

    private func preflight(_ request: LoopbackRequest, _ place: Target.Place) -> LoopbackAnswer {
        var answer = noContent()
        let methods = place == .cache ? Self.cacheMethods : Self.readMethods
        answer.fields += [
            HTTPField("Access-Control-Allow-Methods", methods),
            HTTPField("Access-Control-Allow-Headers", "Content-Type, X-PBC-API-Key"),
        ]
        // Only when requested: Chrome's preflight of public pages (CACHE-10).
        if request.fields["access-control-request-private-network"]?.lowercased() == "true" {
            answer.fields.append(HTTPField("Access-Control-Allow-Private-Network", "true"))
        }
        return answer
    }

    private func checkHost(_ request: LoopbackRequest) throws(LoopbackRefusal) {
        let hosts = request.fields.filter { $0.name.lowercased() == "host" }
        guard hosts.count <= 1 else { throw .badRequest }
        guard let host = hosts.first else {
            if request.requiresHost { throw .badRequest }
            return
        }
        guard rules.isOwn(host: host.value) else { throw .foreignHost }
    }
}

extension LoopbackRequest {
    fileprivate var isHead: Bool { method.uppercased() == "HEAD" }
}
