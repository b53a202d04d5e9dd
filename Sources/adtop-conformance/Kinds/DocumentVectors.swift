import Ports
import VAST

/// Vectors of single VAST and VMAP documents.
enum DocumentVectors {
    /// A VAST or VMAP document: verdict, values, findings that must be reported, and URLs that must never be requested.
    static let document = VectorKind(name: "vast-document") { document, folder in
        guard document.schema == nil, document.file.hasSuffix(VectorFolder.expectedSuffix),
            document.root.value["outcome"]?.stringValue != nil
        else { return nil }
        return folder.claim(document, kind: "vast-document") { () throws(VectorProblem) in
            let subject = try folder.shared(document.file) { () throws(VectorProblem) in
                DocumentCheck.Subject(try folder.subjectBytes(of: document))
            }
            return try DocumentCheck(expected: document.root, subject: subject).differences()
        }
    }
}

extension DocumentVectors {
    /// The warnings and errors that are reported for a document beside those of `lint`; the format allows them ("more may
    /// be"), and the tests keep a list of them, so that a false alarm is noticed. Nil for a document without `lint`.
    static func extraFindings(_ document: VectorDocument, in folder: VectorFolder) throws(VectorProblem) -> [String]? {
        guard let listed = try document.root.texts("lint") else { return nil }
        let findings = VASTReader.read(try folder.subjectBytes(of: document)).findings()
        let rules = Set(findings.filter { $0.severity != .info }.map(\.rule))
        return rules.subtracting(listed).sorted()
    }
}

/// Compares one document with its expected result.
private struct DocumentCheck {
    /// The top level of the schema (README of the vectors, "Schema of expected.json").
    static let members: Set = [
        "outcome", "error_code", "document", "notes", "lint", "lenient_document", "also_accept", "must_not_fetch",
        "digest", "play_order", "fire", "resolution_error",
    ]

    /// The members that expect something of a document without comparing all its values.
    private static let others: Set = ["lint", "lenient_document", "must_not_fetch", "digest", "play_order", "fire"]
    /// The members that may be null.
    private static let nullable: Set = ["error_code", "document"]
    /// A document that is rejected for safety.
    private static let rejectedCode: Int64 = 100

    let expected: VectorNode
    let subject: Subject

    /// What our code makes of the document.
    struct Subject {
        let reading: VASTReading
        let rules: [String]
        let json: JSONValue
        let resolved: Resolved

        init(_ bytes: [UInt8]) {
            reading = VASTReader.read(bytes)
            let findings = reading.findings()
            rules = findings.map(\.rule)
            json = reading.json(findings: findings)
            resolved = Resolved(bytes)
        }
    }

    private var reading: VASTReading { subject.reading }

    func differences() throws(VectorProblem) -> [Difference] {
        try expected.require(members: Self.members)
        for (name, node) in try expected.members() where node.value == .null && !Self.nullable.contains(name) {
            throw VectorProblem(path: node.path, message: "null expects nothing")
        }
        var differences = try verdict()
        differences += try values(subject.json)
        differences += Difference.checkContains(
            "$.lint", expected: try expected.texts("lint") ?? [], actual: subject.rules)
        return try differences + digest() + behaviour()
    }

    private func verdict() throws(VectorProblem) -> [Difference] {
        let first = try expected.member("outcome").text()
        var accepted = first == "rejected_or_ok" ? ["rejected", "ok"] : [first]
        if let other = expected.optional("also_accept") { accepted.append(try other.text()) }
        guard accepted.contains(reading.outcome.rawValue) else {
            let relation: Difference.Relation = accepted.count == 1 ? .equal : .oneOf
            let wanted: JSONValue = accepted.count == 1 ? .string(first) : .array(accepted.map(JSONValue.string))
            return [Difference("$.outcome", relation, expected: wanted, actual: .string(reading.outcome.rawValue))]
        }
        // The code belongs to the first outcome; a document that may also be rejected then has the code of that.
        let code = try expected.member("error_code").value
        let isOther = reading.outcome == .rejected && first != "rejected"
        return Difference.check(
            "$.error_code", expected: isOther ? .integer(Self.rejectedCode) : code, actual: .optional(reading.errorCode)
        )
    }

    /// Compares the documents. `null` expects none; a vector that expects nothing besides the outcome expects none either.
    private func values(_ ours: JSONValue) throws(VectorProblem) -> [Difference] {
        let isOpen = try expected.member("outcome").text() != reading.outcome.rawValue
        var differences: [Difference] = []
        for member in ["document", "lenient_document"] {
            guard let wanted = expected.optional(member) else {
                let isFree = expected.value[member] == nil && Self.others.contains { expected.value[$0] != nil }
                guard member == "document", !isOpen, !isFree else { continue }
                differences += Difference.check("$.document", expected: .null, actual: ours[member])
                continue
            }
            // An alternative outcome may have no document.
            if isOpen, ours[member] == nil { continue }
            guard var document = wanted.value.objectValue else {
                throw VectorProblem(path: wanted.path, message: "expected an object")
            }
            // Some VAST 1.0 vectors repeat the verdict inside the document; that is not part of the schema.
            for name in ["outcome", "error_code"] {
                guard let repeated = document[name] else { continue }
                differences += Difference.check("\(wanted.path).\(name)", expected: repeated, actual: ours[name])
                document[name] = nil
            }
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
        let order = subject.resolved.result.pod.map { JSONValue.optional($0.ad.id) }
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
        let resolved = subject.resolved
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
