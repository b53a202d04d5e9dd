import AdTracking
import Ports

/// Vectors of providers' tracking data (`adtop-provider-tracking/1`): answers in order, and all that follows from them.
enum ProviderVectors {
    static let schema = "adtop-provider-tracking/1"

    /// The result of one case, in the members of the schema.
    typealias Run = @Sendable (VectorNode) throws(VectorProblem) -> JSONObject

    /// The providers that are built. Cases of others are skipped, each with its reason.
    static let runs: [String: Run] = [
        "mediatailor": MediaTailorVectors.result, "broadpeak": PolledVectors.broadpeak,
        "primetime": PolledVectors.primetime, "vmap": PolledVectors.vmap, "yospace": YospaceVectors.result,
        "dai": DAIVectors.result, "uplynk": UplynkVectors.result,
        "svta": SignalingVectors.result, "recognise": RecognitionVectors.result,
    ]

    static let tracking = VectorKind(name: schema) { document, folder in
        guard document.schema == schema else { return nil }
        let ofFile = document.root.value["provider"]?.stringValue ?? ""
        let cases = document.root.value["cases"]?.arrayValue ?? []
        let provider = { @Sendable (value: JSONValue) in value["provider"]?.stringValue ?? ofFile }
        let known = cases.enumerated().filter { runs[provider($1)] != nil }.map(\.offset)
        var claim = VectorClaim(cases: [], files: [document.file])
        if !known.isEmpty || cases.isEmpty {
            claim = folder.claim(document, kind: schema, casesIn: "cases") { node throws(VectorProblem) in
                guard let run = runs[provider(node.value)] else { return [] }
                return try differences(node, run)
            }
            if !cases.isEmpty { claim.cases = known.map { claim.cases[$0] } }
        }
        claim.skipped = cases.enumerated().filter { !known.contains($0.offset) }.map { index, value in
            let name = value["id"]?.stringValue ?? "cases[\(index)]"
            return VectorSearch.Skipped(
                file: "\(folder.place(of: document.file))#\(name)",
                reason: "provider '\(provider(value))' is not built yet")
        }
        return claim
    }

    // MARK: Comparison

    private static let members: Set = [
        "session", "reporting", "clock", "breaks", "requests", "next", "findings", "noFindings", "loose", "pending",
        "provider", "role", "tracking", "by",
    ]

    private static func differences(_ node: VectorNode, _ run: Run) throws(VectorProblem) -> [Difference] {
        let expected = try node.member("expected")
        try expected.require(members: members)
        let actual = try run(try node.member("input"))
        let found = actual["findings"]?.arrayValue ?? []
        var differences: [Difference] = []
        for (name, member) in try expected.members() {
            switch name {
            case "findings":
                for item in try member.list()
                where !found.contains(where: { Difference.subset("", expected: item.value, actual: $0).isEmpty }) {
                    differences.append(Difference(item.path, .contains, expected: item.value, actual: .array(found)))
                }
            case "noFindings":
                for item in try member.list() where found.contains(where: { $0["id"] == item.value }) {
                    differences.append(Difference(item.path, .excludes, expected: item.value, actual: .array(found)))
                }
            default:
                differences += Difference.subset(member.path, expected: member.value, actual: actual[name])
                differences += whole(member, actual[name])
            }
        }
        return differences
    }

    /// Bodies and queries of requests are compared whole: another member in one is another request.
    private static func whole(_ node: VectorNode, _ actual: JSONValue?) -> [Difference] {
        if let list = node.value.arrayValue {
            return zip(list, actual?.arrayValue ?? []).enumerated().flatMap { index, pair in
                whole(VectorNode(pair.0, path: "\(node.path)[\(index)]"), pair.1)
            }
        }
        return ["body", "query"].flatMap { name -> [Difference] in
            guard let wanted = node.value[name] else { return [] }
            return Difference.check("\(node.path).\(name)", expected: wanted, actual: actual?[name])
        }
    }
}
