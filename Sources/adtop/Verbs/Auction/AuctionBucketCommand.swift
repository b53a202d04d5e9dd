import ArgumentParser
import Bidding
import Ports

/// `adtop auction bucket`
struct AuctionBucketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket", abstract: "Show the price bucket for an amount.",
        discussion: """
            The bucket is computed exactly, and as Prebid Server (Go) and Prebid.js compute it with binary numbers: \
            under medium the bucket of 0.30 is 0.30, but Prebid Server sends 0.20. Both programs round down.

            Examples:
              adtop auction bucket 0.30 1.87
              adtop auction bucket 0.57 --granularity high --json
              adtop auction bucket 7.31 --granularity buckets.json --rounding up

            Exit codes: 0 success, 2 usage error, 4 unreadable granularity.
            """)

    @Argument(help: ArgumentHelp("Amounts such as 1.87.", valueName: "price"))
    var prices: [String]

    @OptionGroup var steps: GranularityOptions

    @Option(
        help: "Rounding: down, up, true (nearest) or timesplit (down or up, chosen at random for each price).",
        completion: .list(["down", "up", "true", "timesplit"]))
    var rounding = "down"

    @Flag(help: "Print JSON (schema adtop-buckets/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        guard let roundings = PriceRounding.choices(rounding) else {
            throw CommandFailure(.usage, "--rounding: '\(rounding)' is not down, up, true or timesplit")
        }
        let granularity = try await steps.granularity(from: fetch.input)
        var rows: [JSONValue] = []
        for text in prices {
            guard let price = ExactDecimal(text) else {
                throw CommandFailure(.usage, "'\(text)' is not an amount such as 1.87")
            }
            let exact = PriceBucket.texts(price, granularity, roundings: roundings)
            let server = DoubleBucket.prebidServer(price, granularity)
            let script = DoubleBucket.prebidJS(price, granularity)
            rows.append([
                "price": .string(price.text), "bucket": .optional(exact.first),
                "buckets": .array(exact.map(JSONValue.string)), "prebidServerGo": .string(server),
                "prebidJs": .string(script),
            ])
            if !json { Output.line(Self.line(price, exact, server, script)) }
        }
        if json {
            let document: JSONValue = ["schema": "adtop-buckets/1", "buckets": .array(rows)]
            Output.write(document.text(indented: true) + "\n")
        }
    }

    private static func line(_ price: ExactDecimal, _ exact: [String], _ server: String, _ script: String) -> ToolLine {
        func text(_ value: String) -> ToolLine {
            ToolLine(value.isEmpty ? "none" : value, exact.contains(value) ? nil : .warning)
        }
        let bucket = exact.map { $0.isEmpty ? "none" : $0 }.joined(separator: " or ")
        return
            "\(price)  \(bucket, .strong)  Prebid Server \(text(server))  Prebid.js \(text(script))"
    }
}

/// The price granularity: the steps that prices are rounded to.
struct GranularityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Granularity: low, medium, high, auto, dense, or a file of ranges.", valueName: "name|file"),
        completion: .files("json", or: NamedGranularity.allCases.map(\.rawValue)))
    var granularity = "medium"

    func granularity(from input: InputSource) async throws(CommandFailure) -> PriceGranularity {
        if let named = NamedGranularity(rawValue: granularity) { return named.granularity }
        guard granularity.contains(".") || granularity.contains("/") || granularity == "-" else {
            let known = NamedGranularity.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "--granularity: '\(granularity)' is not \(known) or a file")
        }
        let document = try await input.document(granularity, limit: CurrencyTable.maximumBytes)
        do throws(GranularityProblem) {
            return try PriceGranularity(document)
        } catch {
            throw CommandFailure(.unreadable, "\(granularity): \(error.path): \(error.message)")
        }
    }
}
