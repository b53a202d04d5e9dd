import AdTracking
import Ports

/// Cases of Google DAI: a session, its metadata, and the ids in its media.
enum DAIVectors {
    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        let session = try session(input)
        var metadata = DAIMetadata()
        let request = JSONObject([
            JSONObject.Member(name: "method", value: "GET"),
            JSONObject.Member(name: "url", value: .optional(session.metadata?.text)),
        ])
        var requests: [JSONValue] = []
        for node in try input.optional("tracking")?.list() ?? [] {
            requests.append(.object(request))
            guard (200..<300).contains(try node.member("status").integer()) else { continue }
            let body = try node.member("body")
            do throws(MetadataProblem) {
                try metadata.add(body.value)
            } catch {
                throw VectorProblem(path: body.path, message: error.explanation)
            }
        }
        let placed = try ids(input, session).placed(by: metadata)
        var listing = Listing()
        listing.add(session.programme ?? placed.answer)
        var findings = listing.findings + placed.fewer + placed.loose.map(\.finding)
        if session.isReportedByService {
            findings.append(ProviderRule.reportedByService.finding("the service reports", path: ""))
        }
        var result = ListedVectors(breaks: listing.breaks, findings: findings)
        result.requests = requests
        result.next = ListedVectors.next(session.metadata == nil ? nil : request, after: session.interval)
        result.others = [
            JSONObject.Member(name: "session", value: json(session)),
            JSONObject.Member(name: "reporting", value: session.isReportedByService ? "server" : "client"),
            JSONObject.Member(name: "loose", value: .array(placed.loose.map(json))),
        ]
        return result.json
    }

    private static func session(_ input: VectorNode) throws(VectorProblem) -> DAISession {
        let opening = try input.member("init")
        let asked = try MediaTailorVectors.url(opening.member("request").member("url"))
        let body = try opening.member("response").member("body")
        do throws(MetadataProblem) {
            return try DAISession(body.value, asked: asked)
        } catch {
            throw VectorProblem(path: body.path, message: error.explanation)
        }
    }

    private static func ids(_ input: VectorNode, _ session: DAISession) throws(VectorProblem) -> DAIMediaIDs {
        var ids = DAIMediaIDs(verification: session.verification)
        for node in try input.optional("ids")?.list() ?? [] {
            guard let moment = ListedVectors.moment(node.value["t"]) else {
                throw VectorProblem(path: node.path, message: "no time")
            }
            ids.add(try node.member("id").text(), at: moment)
        }
        return ids
    }

    private static func json(_ session: DAISession) -> JSONValue {
        [
            "manifest": .string(session.manifest.text), "id": .optional(session.id),
            "metadata": .optional(session.metadata?.text), "verification": .optional(session.verification?.text),
        ]
    }

    private static func json(_ loose: DAIMediaIDs.Loose) -> JSONValue {
        let at =
            loose.at.date.map { JSONValue.string($0.iso8601) } ?? JSONValue(loose.at.seconds.rounded(toDecimals: 3))
        return ["at": at, "urls": .array([loose.url].compactMap(\.self).map(JSONValue.string))]
    }
}
