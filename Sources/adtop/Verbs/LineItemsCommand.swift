import ArgumentParser
import Bidding
import Ports

/// `adtop lineitems`
struct LineItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lineitems", abstract: "Check an ad server's line items.",
        discussion: """
            Examples:
              adtop lineitems check lineitems.json --granularity dense
            """,
        subcommands: [LineItemsCheckCommand.self])
}

/// `adtop lineitems check`
struct LineItemsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report header bidding prices without a line item and other set-up errors.",
        discussion: """
            Reports prices without a line item, values targeted twice, CPMs that differ from the value they target, \
            line items without eCPM priority or CPM, and values that no price falls into. A CPM in a currency other \
            than the file's is converted with --rates and compared at the precision of the granularity; without a \
            rate it is a finding.

            Examples:
              adtop lineitems check lineitems.json
              adtop lineitems check lineitems.json --granularity dense --max 10 --json
              adtop lineitems check lineitems.json --rates rates.json

            Exit codes: 0 success, 1 findings of severity error, 2 usage error, 3 network error, 4 unreadable input.
            """)

    @Argument(help: "Line items (adtop/lineitems/1): file, URL, or - for stdin.", completion: .files("json"))
    var file: String

    @OptionGroup var steps: GranularityOptions

    @Option(
        help: ArgumentHelp(
            "Highest price that needs a line item (default: the top of the granularity).", valueName: "price"))
    var max: String?

    @Option(help: ArgumentHelp("Targeting key that carries the price.", valueName: "key"))
    var key = "hb_pb"

    @Option(help: ArgumentHelp("Exchange rates (Prebid currency file).", valueName: "file"), completion: .files("json"))
    var rates: String?

    @Flag(help: "Print JSON (schema adtop-findings/1, with buckets and covered).")
    var json = false

    @Option(help: .of(.timeout, "duration"))
    var timeout: String?

    @OptionGroup var fetch: WayFetchOptions

    /// Only `--key` is one of its own.
    private var input: InputSource {
        var flags = fetch.settings
        flags[.timeout] = timeout
        return InputSource(flags: flags)
    }

    func run() async throws {
        let granularity = try await steps.granularity(from: input)
        var maximum = granularity.cap
        if let max {
            guard let amount = ExactDecimal(max), amount.isPositive else {
                throw CommandFailure(.usage, "--max: '\(max)' is not an amount above zero")
            }
            maximum = amount
        }
        let document = try await input.document(file, limit: LineItemFile.maximumBytes)
        let items: LineItemFile
        do throws(AuctionProblem) {
            items = try LineItemFile(document)
        } catch {
            throw CommandFailure(.unreadable, "\(file): \(error) (docs/auction.md describes the document)")
        }
        var check = LineItemCheck(granularity: granularity, maximum: maximum)
        check.key = key
        if let table = try await AuctionRunCommand.rates(rates, from: input) { check.rates = table }
        let outcome = check.outcome(items)
        if json {
            guard case .object(var object) = Report.json(outcome.findings) else { return }
            object.append("buckets", .optional(outcome.buckets))
            object.append("covered", .optional(outcome.covered))
            Output.write(JSONValue.object(object).text(indented: true) + "\n")
        } else {
            for finding in outcome.findings { Output.line(Report.finding(finding, place: file)) }
            let covered = "\(outcome.covered) of \(outcome.buckets) prices covered"
            Output.line("\(items.items.count.counted("line item")), \(covered)")
        }
        if outcome.findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
    }
}
