import Ports
import VAST

/// Vectors of chains of wrappers.
enum ScenarioVectors {
    /// A chain of wrappers as a folder: `scenario.json` maps URLs to files and has the expected result.
    static let scenario = VectorKind(name: "vast-scenario") { document, folder in
        let root = document.root.value
        guard document.schema == nil, root["entry"]?.stringValue != nil, let files = root["files"]?.objectValue,
            root["expected"]?.objectValue != nil
        else { return nil }
        let scenario = VectorCase(
            kind: "vast-scenario", file: folder.place(of: document.file)
        ) { () throws(VectorProblem) in
            let run = try ScenarioRun(document.root, folder)
            let expected = try document.root.member("expected")
            let differences = try run.differences(from: expected)
            guard let other = try alternative(to: expected) else { return differences }
            // Read even if it is not needed, so that a malformed alternative is found.
            let others = try run.differences(from: other)
            return differences.isEmpty || others.isEmpty ? [] : differences
        }
        return VectorClaim(
            cases: [scenario], files: Set(files.members.compactMap(\.value.stringValue)).union([document.file]))
    }

    /// The other accepted result, with those members of the first one that hold for any result.
    private static func alternative(to expected: VectorNode) throws(VectorProblem) -> VectorNode? {
        guard let other = expected.optional("also_accept") else { return nil }
        guard var members = other.value.objectValue else {
            throw VectorProblem(path: other.path, message: "expected an object")
        }
        for name in ["requests", "requests_max", "must_not_request", "must_not_fire"] where members[name] == nil {
            if let value = expected.value[name] { members.append(name, value) }
        }
        return VectorNode(.object(members), path: other.path)
    }
}

/// The resolution of a tag with the scenario's files as the network.
private struct ScenarioRun {
    /// Number of requests after which a resolution counts as endless.
    private static let maximumRequests = 1_000

    private(set) var requests: [String] = []
    let result: ResolutionResult

    init(_ scenario: VectorNode, _ folder: VectorFolder) throws(VectorProblem) {
        var options = ResolutionOptions()
        if let limit = scenario.optional("options")?.optional("max_wrappers") {
            options.maximumWrappers = try limit.count()
        }
        var resolution = WrapperResolution(
            tag: try scenario.member("entry").text(), options: options, values: MacroValues(), seed: 1)
        var open = resolution.start()
        while !open.isEmpty, requests.count < Self.maximumRequests {
            let fetch = open.removeFirst()
            requests.append(fetch.url.text)
            open += resolution.answered(fetch.id, with: try Self.answer(fetch.url.text, scenario, folder))
        }
        guard resolution.isFinished else {
            throw VectorProblem(path: "$", message: "the resolution is endless")
        }
        result = resolution.result
    }

    /// A URL in neither table answers 404; status 0 never answers.
    private static func answer(
        _ url: String, _ scenario: VectorNode, _ folder: VectorFolder
    ) throws(VectorProblem) -> TagAnswer {
        if let file = try scenario.member("files").optional(url) {
            return .body(try folder.bytes(of: try file.text()), url: url)
        }
        let status = try scenario.optional("http_status")?.optional(url)?.count() ?? 404
        // A success has no body here, as 204 never has one.
        return status == 0
            ? .timedOut("did not answer") : (200..<300).contains(status) ? .body([], url: url) : .httpStatus(status)
    }

    func differences(from expected: VectorNode) throws(VectorProblem) -> [Difference] {
        var differences: [Difference] = []
        _ = try expected.member("outcome").text()
        for (name, node) in try expected.members() {
            differences += try check(name, node, expected)
        }
        return try differences + checkPixels(expected)
    }

    private func check(
        _ name: String, _ node: VectorNode, _ expected: VectorNode
    ) throws(VectorProblem) -> [Difference] {
        func compared(_ value: JSONValue) -> [Difference] {
            Difference.check(node.path, expected: node.value, actual: value)
        }
        func ids(_ ads: [ResolvedAd]) -> JSONValue { .array(ads.map { .optional($0.ad.id) }) }
        switch name {
        case "outcome": return compared(result.isOK ? "ok" : "error")
        case "error_code": return try checkCode(node, also: expected.optional("error_code_also")?.list() ?? [])
        case "requests": return compared(.array(requests.map(JSONValue.string)))
        case "requests_max":
            return try requests.count <= node.count() ? [] : compared(.optional(requests.count))
        case "must_not_request":
            return Difference.checkExcludes(node.path, expected: try node.texts(), actual: requests)
        case "pod": return compared(ids(result.pod))
        case "standalone": return compared(ids(result.standalone))
        case "first_playable": return compared(.optional(result.firstPlayable?.ad.id))
        case "ads": return try checkAds(node)
        case "also_accept", "error_code_also", "fire", "fire_optional", "must_not_fire", "notes": return []
        default: throw VectorProblem(path: node.path, message: "not a member of the schema")
        }
    }

    private func checkCode(_ node: VectorNode, also: [VectorNode]) throws(VectorProblem) -> [Difference] {
        let code = JSONValue.optional(result.failure?.code)
        if also.contains(where: { $0.value == code }) { return [] }
        return Difference.check(node.path, expected: node.value, actual: code)
    }

    private func checkAds(_ node: VectorNode) throws(VectorProblem) -> [Difference] {
        let wanted = try node.list()
        guard wanted.count == result.ads.count else {
            let ids = JSONValue.array(result.ads.map { .optional($0.ad.id) })
            return [Difference(node.path, expected: .array(wanted.map { $0.value["id"] ?? .null }), actual: ids)]
        }
        var differences: [Difference] = []
        for (ad, wanted) in zip(result.ads, wanted) { differences += try ResolvedAdCheck(ad).differences(from: wanted) }
        return differences
    }

    /// Checks that every required URL fires once, and that only required and optional URLs fire.
    private func checkPixels(_ expected: VectorNode) throws(VectorProblem) -> [Difference] {
        let fired = result.pixels.map(\.url)
        let wanted = try expected.texts("fire") ?? []
        let allowed = try wanted + (expected.texts("fire_optional") ?? [])
        var differences = Difference.checkContains("\(expected.path).fire", expected: wanted, actual: fired)
        differences += Difference.checkExcludes(
            "\(expected.path).must_not_fire", expected: try expected.texts("must_not_fire") ?? [], actual: fired)
        // An alternative result does not list pixels.
        guard expected.path == "$.expected" else { return differences }
        return differences
            + Difference.checkSet(
                "\(expected.path).fire", expected: fired.filter(allowed.contains), actual: fired)
    }
}
