import ArgumentParser
import Bidding
import Ports

/// `adtop auction targeting`
struct AuctionTargetingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targeting", abstract: "Merge the hb_* keys of a Prebid Server's answer as a client sends them.",
        discussion: """
            What the server sent is authoritative; where exact arithmetic gives another bucket, that is said.

            Examples:
              adtop auction targeting answer.json
              adtop auction targeting answer.json --granularity high --json

            Exit codes: 0 fine, 2 wrong usage, 3 network, 4 unreadable input.
            """)

    @Argument(help: "File, - or URL of an answer.")
    var answer: String

    @OptionGroup var steps: GranularityOptions

    @Flag(help: "Print JSON (schema adtop-targeting/1).")
    var json = false

    func run() async throws {
        let granularity = try await steps.granularity()
        let document = try await InputSource.document(answer, limit: Auction.maximumBytes)
        guard let prebid = PrebidAnswer(document, requiresCacheID: false) else {
            throw CommandFailure(.unreadable, "\(answer): is a \(document.typeName), not an answer")
        }
        if json {
            let imps = prebid.imps.map { JSONObject.Member(name: $0.id, value: Self.json($0, granularity)) }
            let value: JSONValue = ["schema": "adtop-targeting/1", "imps": .object(JSONObject(imps))]
            Output.write(value.text(indented: true) + "\n")
            return
        }
        for imp in prebid.imps {
            Output.line("imp \(imp.id, .strong)")
            for pair in imp.targeting { Output.line("  \(pair.name)=\(pair.value)") }
            for bid in imp.bids {
                guard let difference = bid.bucketDifference(granularity) else { continue }
                Output.line(
                    "  \("!", .warning) \(bid.seat) \(bid.bid.id): \(difference.sent) was sent, exact is \(difference.exact)"
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
