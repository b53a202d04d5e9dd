import AdTracking
import HLS
import Ports

/// Cases of providers whose answers are polled at one address: Broadpeak, Primetime and VMAP.
struct PolledVectors {
    /// Seconds between two requests if nothing names them.
    private static let usualInterval = ExactDecimal(4)

    /// What one answer lists, and the seconds until the next request as it asks for them.
    typealias Reader =
        @Sendable (
            _ body: [UInt8], _ isLive: Bool, _ total: ExactDecimal?
        ) throws(MetadataProblem) -> (answer: ListedAnswer, after: ExactDecimal?)

    static let broadpeak: ProviderVectors.Run = run(every: BroadpeakDocument.delays.upperBound) {
        body, isLive, _ throws(MetadataProblem) in
        let document = try BroadpeakDocument.read(body, isLive: isLive)
        return (document.answer, document.after)
    }

    static let primetime: ProviderVectors.Run = run { body, _, _ throws(MetadataProblem) in
        (try PrimetimeDocument.read(body).answer, nil)
    }

    static let vmap: ProviderVectors.Run = run { body, _, total throws(MetadataProblem) in
        (try VMAPAnswer.read(body, total: total).answer, nil)
    }

    /// - Parameter interval: seconds between two requests if neither the case nor an answer names them.
    private static func run(every interval: ExactDecimal = usualInterval, _ reader: @escaping Reader)
        -> ProviderVectors.Run
    {
        { input throws(VectorProblem) in
            let isLive = try input.optional("live")?.flag() ?? true
            let total = input.optional("totalDuration")?.value.decimalValue
            var listing = Listing()
            var requests: [JSONValue] = []
            var after: ExactDecimal?
            var isDone = false
            let request = try self.request(input)
            for node in try input.optional("tracking")?.list() ?? [] {
                requests.append(.object(request))
                guard let body = try goodBody(node) else { continue }
                do throws(MetadataProblem) {
                    let read = try reader(body, isLive, total)
                    listing.add(read.answer)
                    (after, isDone) = (read.after, !isLive)
                } catch {
                    throw VectorProblem(path: node.path, message: error.explanation)
                }
            }
            var result = ListedVectors(breaks: listing.breaks, findings: listing.findings)
            result.requests = requests
            result.next = ListedVectors.next(
                isDone ? nil : request, after: after ?? input.optional("every")?.value.decimalValue ?? interval)
            return result.json
        }
    }

    /// The bytes of a good answer; nil for another status.
    static func goodBody(_ node: VectorNode) throws(VectorProblem) -> [UInt8]? {
        guard (200..<300).contains(try node.member("status").integer()) else { return nil }
        let body = try node.member("body")
        return Array((body.value.stringValue ?? body.value.text()).utf8)
    }

    /// The request of each answer.
    static func request(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        JSONObject([
            JSONObject.Member(name: "method", value: "GET"),
            JSONObject.Member(name: "url", value: .optional(try input.optional("tracking_url")?.text())),
        ])
    }
}

/// The result of a case in the members of the schema, from breaks that answers listed.
struct ListedVectors {
    var breaks: [ListedBreak]
    var findings: [Finding]
    var requests: [JSONValue]?
    var next: JSONObject?
    /// Members of one kind only.
    var others: [JSONObject.Member] = []

    init(breaks: [ListedBreak], findings: [Finding]) {
        (self.breaks, self.findings) = (breaks, findings + ListingLint.findings(in: breaks))
    }

    var json: JSONObject {
        let (clock, breaks) = ListingJSON.breaks(self.breaks)
        var members = JSONObject()
        members.append("clock", .string(clock))
        members.append("breaks", breaks)
        if let requests { members.append("requests", .array(requests)) }
        let findings = findings.map { JSONValue.object(Self.finding($0)) }
        members.append("findings", .array(findings))
        if let next { members.append("next", .object(next)) }
        for member in others { members.append(member.name, member.value) }
        return members
    }

    private static func finding(_ finding: Finding) -> JSONObject {
        JSONObject([
            JSONObject.Member(name: "id", value: .string(finding.rule)),
            JSONObject.Member(name: "node", value: .string(finding.path ?? "")),
        ])
    }

    /// The request that follows after some seconds; nil stops.
    static func next(_ request: JSONObject?, after: ExactDecimal) -> JSONObject {
        guard var members = request else { return JSONObject([JSONObject.Member(name: "stop", value: true)]) }
        members.append("after", JSONValue(after))
        return members
    }
}
