import ArgumentParser
import Bidding
import Ports

/// `adtop auction targeting`
struct AuctionTargetingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targeting",
        abstract: "Merge the hb_* keys of a Prebid Server answer as a client sends them to the ad server.",
        discussion: """
            The keys that the server sent count. A bucket that differs from exact arithmetic is reported.

            Examples:
              adtop auction targeting answer.json
              adtop auction targeting answer.json --granularity high --json

            Exit codes: 0 success, 2 usage error, 3 network error, 4 unreadable input.
            """)

    @Argument(help: "Prebid Server answer: file, URL, or - for stdin.", completion: .files("json"))
    var answer: String

    @OptionGroup var steps: GranularityOptions

    @OptionGroup var keys: TargetingPrefixOptions

    @Flag(help: "Print JSON (schema adtop-targeting/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let granularity = try await steps.granularity(from: fetch.input)
        let document = try await fetch.input.document(answer, limit: Auction.maximumBytes)
        guard let prebid = try keys.answer(document) else {
            throw CommandFailure(
                .unreadable, "\(answer): expected a Prebid Server answer, found a JSON \(document.typeName)")
        }
        if json {
            let imps = prebid.imps.map { JSONObject.Member(name: $0.id, value: Self.json($0, granularity)) }
            let value: JSONValue = ["schema": "adtop-targeting/1", "imps": .object(JSONObject(imps))]
            Output.write(value.text(indented: true) + "\n")
            return
        }
        if prebid.imps.isEmpty {
            Output.line(document["seatbid"] == nil ? "no bids: the answer has no seatbid" : "no bids")
        }
        for imp in prebid.imps {
            Output.line("imp \(imp.id, .strong)")
            for pair in imp.targeting { Output.line("  \(pair.name)=\(pair.value)") }
            for bid in imp.bids {
                guard let difference = bid.bucketDifference(granularity) else { continue }
                Output.line(
                    """
                      \("!", .warning) \(bid.seat) \(bid.bid.id): bucket \(difference.sent) sent, \
                    exact bucket \(difference.exact)
                    """
                )
            }
        }
    }

    private static func json(_ imp: PrebidImp, _ granularity: PriceGranularity) -> JSONValue {
        let keys = imp.targeting.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
        let differences = imp.bids.compactMap { bid -> JSONValue? in
            bid.bucketDifference(granularity).map { difference in
                [
                    "seat": .string(bid.seat), "bid": .string(bid.bid.id), "sent": .string(difference.sent),
                    "exact": .string(difference.exact),
                ]
            }
        }
        return ["targeting": .object(JSONObject(keys)), "bucketDifferences": .array(differences)]
    }
}
