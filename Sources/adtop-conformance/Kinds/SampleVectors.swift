import Bidding
import Ports

/// Sample inputs without expected values: they must be readable, which does not count as passed.
enum SampleVectors {
    private static func sample(
        _ name: String, matches: @escaping @Sendable (VectorDocument) -> Bool,
        check: @escaping @Sendable (VectorNode) throws(VectorProblem) -> Void
    ) -> VectorKind {
        VectorKind(name: name) { document, folder in
            guard matches(document) else { return nil }
            return folder.claim(document, kind: name, evidence: .files) { () throws(VectorProblem) in
                try check(document.root)
                return []
            }
        }
    }

    /// Line items (docs/auction.md).
    static let sampleLineItems = sample(
        "adtop/lineitems/1", matches: { $0.schema == "adtop/lineitems/1" }
    ) { root throws(VectorProblem) in
        do throws(AuctionProblem) {
            _ = try LineItemFile(root.value)
        } catch {
            throw VectorProblem(path: "$.\(error.path)", message: error.message)
        }
    }

    /// Exchange rates in the format of a Prebid currency file.
    static let sampleRates = sample(
        "sample-rates", matches: { $0.schema == nil && $0.root.value["conversions"] != nil }
    ) { root throws(VectorProblem) in
        let table = CurrencyTable(file: root.value)
        if let problem = table.problems.first { throw VectorProblem(path: "$", message: problem) }
        if table.isEmpty { throw VectorProblem(path: "$.conversions", message: "no rates") }
    }

    /// An OpenRTB 2.6 bid request.
    static let sampleRequest = sample(
        "sample-openrtb-request", matches: { $0.schema == nil && $0.root.value["imp"] != nil }
    ) { root throws(VectorProblem) in
        _ = try root.member("id").text()
        for imp in try root.member("imp").list() { _ = try imp.member("id").text() }
    }

    /// An OpenRTB 2.6 bid response.
    static let sampleResponse = sample(
        "sample-openrtb-response",
        matches: { $0.schema == nil && ($0.root.value["seatbid"] ?? $0.root.value["nbr"]) != nil }
    ) { root throws(VectorProblem) in
        _ = try root.member("id").text()
        for seat in try root.optional("seatbid")?.list() ?? [] {
            for node in try seat.member("bid").list() where Bid(node.value).price.amount == nil {
                throw VectorProblem(path: "\(node.path).price", message: "not a price")
            }
        }
    }
}
