import Ports
import VAST

extension VectorKind {
    /// A VAST or VMAP document: verdict, values, findings that must be reported, and URLs that must never be requested.
    static let document = VectorKind(name: "vast-document") { document, folder in
        guard document.schema == nil, document.file.hasSuffix(VectorFolder.expectedSuffix),
            document.root.value["outcome"]?.stringValue != nil
        else { return nil }
        var claim = folder.claim(document, kind: "vast-document") { () throws(VectorProblem) in
            let bytes = try folder.subjectBytes(of: document)
            return try DocumentCheck(expected: document.root, bytes: bytes).differences()
        }
        claim.unknownMembers = (document.root.value.objectValue?.members ?? []).map(\.name).filter {
            !DocumentCheck.members.contains($0)
        }
        return claim
    }
}

/// Compares one document with its expected result.
private struct DocumentCheck {
    /// The top level of the schema (README of the vectors, "Schema of expected.json").
    static let members: Set = [
        "outcome", "error_code", "document", "notes", "lint", "lenient_document", "also_accept", "must_not_fetch",
        "digest", "play_order", "fire", "resolution_error",
    ]

    let expected: VectorNode
    let bytes: [UInt8]
    let reading: VASTReading

    init(expected: VectorNode, bytes: [UInt8]) {
        self.expected = expected
        self.bytes = bytes
        reading = VASTReader.read(bytes)
    }

    func differences() throws(VectorProblem) -> [Difference] {
        let findings = reading.findings()
        var differences = try verdict()
        // An alternative outcome has other values, which the vector does not contain.
        if try expected.member("outcome").text() == reading.outcome.rawValue {
            differences += Difference.check(
                "$.error_code", expected: expected.value["error_code"], actual: .optional(reading.errorCode))
            differences += try values(reading.json(findings: findings))
        }
        differences += Difference.checkContains(
            "$.lint", expected: try expected.texts("lint") ?? [], actual: findings.map(\.rule))
        return try differences + digest() + behaviour()
    }

    private func verdict() throws(VectorProblem) -> [Difference] {
        var outcomes = [try expected.member("outcome").text()]
        if outcomes == ["rejected_or_ok"] { outcomes = ["rejected", "ok"] }
        if let other = expected.optional("also_accept") { outcomes.append(try other.text()) }
        if outcomes.contains(reading.outcome.rawValue) { return [] }
        let relation: Difference.Relation = outcomes.count == 1 ? .equal : .oneOf
        let wanted: JSONValue = outcomes.count == 1 ? .string(outcomes[0]) : .array(outcomes.map(JSONValue.string))
        return [Difference("$.outcome", relation, expected: wanted, actual: .string(reading.outcome.rawValue))]
    }

    private func values(_ ours: JSONValue) throws(VectorProblem) -> [Difference] {
        var differences: [Difference] = []
        for member in ["document", "lenient_document"] {
            guard let wanted = expected.optional(member), var document = wanted.value.objectValue else { continue }
            // Some VAST 1.0 vectors repeat the verdict inside the document; that is not part of the schema.
            document["outcome"] = nil
            document["error_code"] = nil
            differences += Difference.list(
                expected: .object(document), actual: ours[member] ?? .null, at: wanted.path)
        }
        return differences
    }

    /// Counts instead of a large document.
    private func digest() throws(VectorProblem) -> [Difference] {
        guard let digest = expected.optional("digest") else { return [] }
        guard let document = reading.vast else {
            return [Difference("$.digest", expected: digest.value, actual: nil)]
        }
        let linears = document.ads.flatMap(\.linears)
        let order = Resolved(bytes).result.pod.map { JSONValue.optional($0.ad.id) }
        let ours: [String: JSONValue] = [
            "ads": .optional(document.ads.count),
            "document_order_first5": .array(document.ads.prefix(5).map { .optional($0.id) }),
            "play_order_first3": .array(Array(order.prefix(3))), "play_order_last": order.last ?? .null,
            "impressions": .optional(document.ads.map(\.impressions.count).reduce(0, +)),
            "media_files": .optional(linears.map(\.mediaFiles.count).reduce(0, +)),
            "total_duration_ms": .integer(linears.compactMap(\.durationMilliseconds).reduce(0, +)),
        ]
        return try digest.members().flatMap { name, node in
            Difference.check(node.path, expected: node.value, actual: ours[name])
        }
    }

    /// The requests, events and ads of a player that receives this document as the answer to its tag.
    private func behaviour() throws(VectorProblem) -> [Difference] {
        let members = ["must_not_fetch", "play_order", "fire", "resolution_error"]
        guard members.contains(where: { expected.optional($0) != nil }) else { return [] }
        let resolved = Resolved(bytes)
        let result = resolved.result
        let fired = result.pixels.map(\.url)
        var differences: [Difference] = []
        if let forbidden = try expected.texts("must_not_fetch") {
            // Only a WebURL can be requested, whatever a document contains: the transport accepts nothing else.
            let planned = result.ads.flatMap { TrackingPlan($0).events.flatMap(\.urls).map(\.template) }
                .filter { (try? WebURL($0)) != nil }
            differences += Difference.checkExcludes(
                "$.must_not_fetch", expected: forbidden, actual: resolved.requests + fired + planned)
        }
        if let order = expected.optional("play_order") {
            for (name, ads) in [("pod", result.pod), ("standalone", result.standalone)] {
                differences += Difference.check(
                    "\(order.path).\(name)", expected: order.value[name],
                    actual: .array(ads.map { .optional($0.ad.id) }))
            }
        }
        if let urls = try expected.texts("fire") {
            differences += Difference.checkSet("$.fire", expected: urls, actual: fired)
        }
        if let codes = try expected.optional("resolution_error")?.list() {
            let code = JSONValue.optional(result.failure?.code)
            if !codes.contains(where: { $0.value == code }) {
                differences.append(
                    Difference("$.resolution_error", .oneOf, expected: .array(codes.map(\.value)), actual: code))
            }
        }
        return differences
    }
}

/// A document as the answer to a tag; the URLs that it points to do not answer.
private struct Resolved {
    let result: ResolutionResult
    /// URLs requested after the tag.
    let requests: [String]

    init(_ bytes: [UInt8]) {
        let tag = "https://ads.example.test/tag"
        var resolution = WrapperResolution(tag: tag, values: MacroValues(), seed: 1)
        var open = resolution.start()
        var requests: [String] = []
        while !open.isEmpty {
            let fetch = open.removeFirst()
            let isTag = fetch.parent == nil
            if !isTag { requests.append(fetch.url.text) }
            open += resolution.answered(fetch.id, with: isTag ? .body(bytes, url: tag) : .httpStatus(404))
        }
        result = resolution.result
        self.requests = requests
    }
}
