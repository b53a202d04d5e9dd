import AdTracking
import Ports

/// Cases of Uplynk: a preplay answer, and what the player does, with the answers to the pings that follow from it.
struct UplynkVectors {
    private let session: UplynkSession
    private var pings: UplynkPings
    private var listing = Listing()
    private var requests: [JSONValue] = []
    private var findings: [Finding] = []

    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        let opening = try input.member("init")
        let asked = try MediaTailorVectors.url(opening.member("request").member("url"))
        var run = try UplynkVectors(try opening.member("response").member("body"), asked: asked)
        for node in try input.optional("play")?.list() ?? [] { try run.play(node) }
        return run.result
    }

    private init(_ body: VectorNode, asked: WebURL) throws(VectorProblem) {
        do throws(MetadataProblem) {
            session = try UplynkSession(body.value, asked: asked)
            listing.add(try UplynkDocument.read(body.value).answer)
        } catch {
            throw VectorProblem(path: body.path, message: error.explanation)
        }
        pings = UplynkPings(areWanted: session.ping != nil)
    }

    private mutating func play(_ node: VectorNode) throws(VectorProblem) {
        if let answer = node.optional("answer") {
            findings += [pings.answered(answer.value, ping: pings.newest)].compactMap(\.self)
            listing.add(UplynkDocument.breaks(answer.value, .client))
        } else if let seek = node.optional("seek") {
            send(pings.sought(from: try Self.seconds(seek.member("from")), to: try Self.seconds(seek.member("to"))))
        } else if let start = node.optional("play") {
            send(pings.started(at: try Self.seconds(start)))
        } else {
            send(pings.moved(to: try Self.seconds(node.member("pos"))))
        }
    }

    private static func seconds(_ node: VectorNode) throws(VectorProblem) -> ExactDecimal {
        guard let seconds = node.value.decimalValue else { throw VectorProblem(path: node.path, message: "no number") }
        return seconds
    }

    private mutating func send(_ ping: UplynkPing?) {
        guard let ping, let url = session.ping else { return }
        let query = ping.query.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
        requests.append(["method": "GET", "url": .string(url.text), "query": .object(JSONObject(query))])
    }

    private var result: JSONObject {
        var result = ListedVectors(breaks: listing.breaks, findings: findings + listing.findings)
        result.requests = requests
        switch pings.next {
        case .event: result.next = JSONObject()
        case .position(let seconds):
            result.next = JSONObject([JSONObject.Member(name: "position", value: JSONValue(seconds))])
        case .never: result.next = ListedVectors.next(nil, after: .zero)
        }
        result.others = [
            JSONObject.Member(
                name: "session",
                value: ["manifest": .string(session.manifest.text), "id": .optional(session.id)])
        ]
        return result.json
    }
}
