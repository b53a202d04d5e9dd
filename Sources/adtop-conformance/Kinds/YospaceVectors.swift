import AdTracking
import Ports

/// Cases of Yospace: a session, its answers, and the records in its media.
enum YospaceVectors {
    /// Seconds between two requests.
    private static let interval = ExactDecimal(4)

    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        let isLive = try input.optional("live")?.flag() ?? true
        let session = try session(input)
        let request = JSONObject([
            JSONObject.Member(name: "method", value: "GET"),
            JSONObject.Member(name: "url", value: .optional(session?.tracking?.text)),
        ])
        var result: ListedVectors
        if isLive {
            var queue = YospaceQueue()
            let findings = try play(input, into: &queue)
            result = ListedVectors(breaks: queue.placed, findings: findings + queue.unknownStarts)
            result.others = [
                JSONObject.Member(name: "pending", value: .array(queue.pending.map { .optional($0.id) }))
            ]
            let isTracked = session?.tracking != nil
            result.next = ListedVectors.next(isTracked ? request : nil, after: queue.isPollDue ? .zero : interval)
        } else {
            result = try programme(input)
            result.next = ListedVectors.next(nil, after: .zero)
        }
        let answers = try input.optional("tracking")?.list() ?? []
        result.requests = answers.map { _ in .object(request) }
        result.others.append(JSONObject.Member(name: "session", value: json(session)))
        return result.json
    }

    private static func json(_ session: YospaceSession?) -> JSONValue {
        [
            "manifest": .optional(session?.manifest.text), "tracking": .optional(session?.tracking?.text),
            "id": .optional(session?.id),
        ]
    }

    private static func session(_ input: VectorNode) throws(VectorProblem) -> YospaceSession? {
        if let master = input.optional("master") {
            return YospaceSession(
                manifest: try master.member("text").text(), at: try MediaTailorVectors.url(master.member("url")))
        }
        if let opening = input.optional("init") {
            let asked = try MediaTailorVectors.url(opening.member("request").member("url"))
            let body = opening.optional("response")?.value["body"]?.stringValue ?? ""
            return YospaceSession(programme: Array(body.utf8), at: asked) ?? YospaceSession(manifest: body, at: asked)
        }
        guard let tracking = input.optional("tracking_url") else { return nil }
        let url = try MediaTailorVectors.url(tracking)
        return YospaceSession(attachedTo: url, manifest: url)
    }

    // MARK: Live

    /// Answers and records in the order in which a session gets them.
    private static func play(
        _ input: VectorNode, into queue: inout YospaceQueue
    ) throws(VectorProblem) -> [Finding] {
        var answers = try input.optional("tracking")?.list() ?? []
        for node in try input.optional("id3")?.list() ?? [] {
            guard let time = ListedVectors.moment(node.value["t"]) else {
                throw VectorProblem(path: node.path, message: "no time")
            }
            let seen = node.value["seen"]?.decimalValue ?? time.seconds
            while let next = answers.first, let at = next.value["at"]?.decimalValue, at <= seen {
                try add(answers.removeFirst(), to: &queue)
            }
            var fields: [String: String] = [:]
            for member in node.value.objectValue?.members ?? [] { fields[member.name] = member.value.stringValue }
            if let record = YospaceRecord(fields, at: time) { queue.add(record) }
        }
        for answer in answers { try add(answer, to: &queue) }
        return queue.takeFindings()
    }

    private static func add(_ node: VectorNode, to queue: inout YospaceQueue) throws(VectorProblem) {
        guard let body = try PolledVectors.goodBody(node) else { return }
        do throws(MetadataProblem) {
            _ = queue.add(try YospaceDocument.read(body, .records).answer)
        } catch {
            throw VectorProblem(path: node.path, message: error.explanation)
        }
    }

    // MARK: Recorded programmes

    private static func programme(_ input: VectorNode) throws(VectorProblem) -> ListedVectors {
        let total = input.optional("totalDuration")?.value.decimalValue
        var listing = Listing()
        var bodies = [input.value["init"]?["response"]?["body"]?.stringValue.map { Array($0.utf8) }]
        for node in try input.optional("tracking")?.list() ?? [] { bodies.append(try PolledVectors.goodBody(node)) }
        for body in bodies.compactMap(\.self) {
            do throws(MetadataProblem) {
                listing.add(try YospaceDocument.read(body, .programme(total)).answer)
            } catch {
                throw VectorProblem(path: input.path, message: error.explanation)
            }
        }
        return ListedVectors(breaks: listing.breaks, findings: listing.findings)
    }
}

extension ListedVectors {
    /// A moment in a case: a number is a second of the stream, a text a date.
    static func moment(_ value: JSONValue?) -> MediaMoment? {
        if let date = ListedTime.date(value) { return MediaMoment(date) }
        return value?.decimalValue.map { MediaMoment(seconds: $0) }
    }
}
