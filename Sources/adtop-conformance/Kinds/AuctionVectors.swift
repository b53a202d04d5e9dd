import Bidding
import Ports

/// Vectors of whole auctions and of answers of Prebid Server.
enum AuctionVectors {
    /// Complete auctions.
    static let auction = VectorKind(schema: "adtop/auction-case/1", casesIn: "cases") { node throws(VectorProblem) in
        let input = try node.member("input")
        let auction: Auction
        do throws(AuctionProblem) {
            auction = try Auction(input.value)
        } catch {
            throw VectorProblem(path: "\(input.path).\(error.path)", message: error.message)
        }
        return try AuctionCheck(expected: node.member("expect"), result: auction.held().json).differences()
    }

    /// Answers of a Prebid Server.
    static let prebidAnswers = VectorKind(name: "adtop/pbs-case/1") { document, folder in
        guard document.schema == "adtop/pbs-case/1" else { return nil }
        var claim = folder.claim(document, kind: "adtop/pbs-case/1", casesIn: "cases") { node throws(VectorProblem) in
            let file = try node.member("responseFile").text()
            let options = try node.member("options")
            let bytes = try folder.bytes(at: file)
            let answer: PrebidAnswer?
            do throws(JSONProblem) {
                answer = PrebidAnswer(
                    try JSONReader.read(bytes),
                    requiresCacheID: options.value["requireCacheId"]?.boolValue ?? true)
            } catch {
                throw VectorProblem(path: "$.responseFile", message: "'\(file)' is not JSON: \(error.message)")
            }
            guard let answer else {
                throw VectorProblem(path: "$.responseFile", message: "'\(file)' is not a Prebid Server answer")
            }
            let expected = try node.member("expect")
            try expected.require(members: ["responseTimesMs", "errors", "imps", "nonBids"])
            let json = answer.json(authority: try options.member("localAuthority").text())
            return Difference.subset(expected.path, expected: expected.value, actual: json)
        }
        claim.files.formUnion(
            (document.root.value["cases"]?.arrayValue ?? []).compactMap { $0["responseFile"]?.stringValue })
        return claim
    }
}

/// Compares one auction with its expected result.
private struct AuctionCheck {
    /// Lists whose order has no meaning.
    private static let unordered: Set = ["losers", "nonBids", "warnings"]

    /// The members of `expect` (README of the vectors, "Auction case").
    private static let members: Set = [
        "winner", "forwarded", "callbacks", "notices", "losers", "nonBids", "warnings", "markup", "error", "finalState",
    ]

    let expected: VectorNode
    let result: JSONValue

    func differences() throws(VectorProblem) -> [Difference] {
        try expected.require(members: Self.members)
        var differences: [Difference] = []
        for (name, node) in try expected.members() {
            if Self.unordered.contains(name) {
                differences += Difference.subsetInAnyOrder(
                    node.path, expected: try node.list().map(\.value), actual: result[name]?.arrayValue ?? [])
            } else {
                differences += Difference.subset(node.path, expected: node.value, actual: result[name])
            }
        }
        return differences
    }
}
