import ArgumentParser
import Ports

/// `adtop check FILE --badv … --bcat … --secure`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a bid or a creative against block lists.",
        discussion: """
            A file that holds a JSON object is a bid: the checks use its adomain, cat, attr, bundle, language, w and \
            h, dur and markup. A check passes, and names the member, if the bid does not have it. Any other file is \
            markup, and only --secure applies to it. The creative is not run.

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

    @Flag(help: "Fail for markup whose URLs are all http (the rule of Prebid Server).")
    var secure = false

    @Flag(help: "Print JSON (schema adtop-check/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let rules = try CheckRules(self)
        let file = try CheckedFile(await fetch.input.read(place, limit: Self.maximumBytes).bytes, place: place)
        let outcomes = try rules.outcomes(file)
        let isBid = if case .bid = file { true } else { false }
        present(outcomes, isBid: isBid)
        if outcomes.contains(where: { $0.offender != nil }) { throw ExitStatus.findings.code }
    }

    private func present(_ outcomes: [CheckRules.Outcome], isBid: Bool) {
        if json {
            let value: JSONValue = [
                "schema": "adtop-check/1", "kind": isBid ? "bid" : "markup",
                "checks": .array(
                    outcomes.map {
                        [
                            "check": .string($0.name), "ok": .bool($0.offender == nil),
                            "offender": .optional($0.offender), "missing": .optional($0.missing),
                        ]
                    }),
            ]
            Output.write(value.text(indented: true) + "\n")
        } else {
            for outcome in outcomes {
                let (word, tint): (String, ToolLine.Tint) =
                    outcome.offender == nil ? ("ok", .good) : ("blocked", .error)
                let why = outcome.offender ?? outcome.missing.map { "the bid has no \($0)" } ?? ""
                Output.line("\(outcome.name, .strong)  \(word, tint)  \(why, .muted)")
            }
        }
    }
}
