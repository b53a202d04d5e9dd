import AdFormats
import ArgumentParser
import Bidding
import Ports

/// `adtop check FILE --badv … --bcat … --secure`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a bid or a creative against block lists.",
        discussion: """
            A file that holds a JSON object is a bid: the checks use its adomain, cat, attr, bundle, language, w and \
            h, dur and markup. Any other file is markup, and only --secure applies to it. The creative is not run.

            Examples:
              adtop check bid.json --badv casino.example --bcat IAB9,IAB25 --secure
              adtop check creative.html --secure --json

            Exit codes: 0 all checks pass, 1 a check fails, 2 usage error, 3 network error, 4 unreadable input.
            """)

    /// Bytes of a bid or creative.
    private static let maximumBytes = 2 << 20

    @Argument(help: "Bid or creative: file, URL, or - for stdin.", completion: .file())
    var place: String

    @Option(help: ArgumentHelp("Blocked advertiser domains and their subdomains, comma-separated.", valueName: "list"))
    var badv: String?

    @Option(help: ArgumentHelp("Blocked categories and their subcategories, comma-separated.", valueName: "list"))
    var bcat: String?

    @Option(help: ArgumentHelp("Blocked creative attributes, comma-separated numbers.", valueName: "list"))
    var battr: String?

    @Option(help: ArgumentHelp("Blocked application bundles, comma-separated.", valueName: "list"))
    var bapp: String?

    @Option(help: ArgumentHelp("Allowed languages, comma-separated.", valueName: "list"))
    var languages: String?

    @Option(help: ArgumentHelp("Allowed sizes of a bid (w and h), comma-separated.", valueName: "WxH,…"))
    var size: String?

    @Option(help: ArgumentHelp("Allowed duration of a bid's video (dur) in seconds.", valueName: "min-max"))
    var duration: String?

    @Flag(help: "Fail for markup that loads over http.")
    var secure = false

    @Flag(help: "Print JSON (schema adtop-check/1).")
    var json = false

    /// The result of one check.
    private struct Outcome {
        var name: String
        /// The offending value; nil when the check passes.
        var offender: String?
    }

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let content = try await fetch.input.read(place, limit: Self.maximumBytes)
        let document = try? JSONReader.read(content.bytes)
        let bid = document.flatMap { $0.objectValue == nil ? nil : Bid($0) }
        let markup = bid.map { $0.markup ?? "" } ?? String(decoding: content.bytes, as: UTF8.self)
        let outcomes = try outcomes(bid, markup)
        guard !outcomes.isEmpty else {
            throw CommandFailure(
                .usage,
                "no check: give --badv, --bcat, --battr, --bapp, --languages, --size, --duration or --secure")
        }
        present(outcomes, isBid: bid != nil)
        if outcomes.contains(where: { $0.offender != nil }) { throw ExitStatus.findings.code }
    }

    private func outcomes(_ bid: Bid?, _ markup: String) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        if let list = Self.members(badv) {
            let found = BrandSafety.blockedAdvertiser(bid?.advertiserDomains ?? [], by: list)
            outcomes.append(Outcome(name: "advertiser", offender: found))
        }
        if let list = Self.members(bcat) {
            let found = BrandSafety.blockedCategory(bid?.categories ?? [], by: list)
            outcomes.append(Outcome(name: "category", offender: found))
        }
        if let list = Self.members(battr) {
            let numbers = list.compactMap { Int($0) }
            guard numbers.count == list.count else {
                throw CommandFailure(.usage, "--battr: not a comma-separated list of numbers")
            }
            let found = BrandSafety.blockedAttribute(bid?.attributes ?? [], by: numbers)
            outcomes.append(Outcome(name: "attribute", offender: found.map { String($0) }))
        }
        if let list = Self.members(bapp) {
            outcomes.append(Outcome(name: "bundle", offender: bid?.bundle.flatMap { list.contains($0) ? $0 : nil }))
        }
        if let list = Self.members(languages) {
            let isAllowed = BrandSafety.isAllowed(language: bid?.language, among: list)
            outcomes.append(Outcome(name: "language", offender: isAllowed ? nil : bid?.language))
        }
        if let list = Self.members(size) {
            let allowed = list.compactMap { PixelSize(text: $0)?.text }
            guard allowed.count == list.count else {
                throw CommandFailure(.usage, "--size: not a comma-separated list of sizes such as 320x50")
            }
            let offender = bid?.size.flatMap { allowed.contains($0.description) ? nil : $0.description }
            outcomes.append(Outcome(name: "size", offender: offender))
        }
        if let duration { outcomes.append(try outcome(of: bid?.duration, in: duration)) }
        if secure {
            let isInsecure = BrandSafety.isInsecure(markup)
            outcomes.append(
                Outcome(name: "secure", offender: isInsecure ? "loads over http only" : nil))
        }
        return outcomes
    }

    private func outcome(of seconds: Int?, in range: String) throws -> Outcome {
        let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let least = ends[0], let most = ends[1], least >= 0, least <= most else {
            throw CommandFailure(.usage, "--duration: '\(range)' is not a range of seconds such as 5-30")
        }
        let offender = seconds.flatMap { (least...most).contains($0) ? nil : "\($0) s" }
        return Outcome(name: "duration", offender: offender)
    }

    private func present(_ outcomes: [Outcome], isBid: Bool) {
        if json {
            let value: JSONValue = [
                "schema": "adtop-check/1", "kind": isBid ? "bid" : "markup",
                "checks": .array(
                    outcomes.map {
                        [
                            "check": .string($0.name), "ok": .bool($0.offender == nil),
                            "offender": .optional($0.offender),
                        ]
                    }),
            ]
            Output.write(value.text(indented: true) + "\n")
        } else {
            for outcome in outcomes {
                let (word, tint): (String, ToolLine.Tint) =
                    outcome.offender == nil ? ("ok", .good) : ("blocked", .error)
                Output.line("\(outcome.name, .strong)  \(word, tint)  \(outcome.offender ?? "", .muted)")
            }
        }
    }

    private static func members(_ list: String?) -> [String]? {
        list.map { $0.split(separator: ",").map(String.init) }
    }
}
