import ArgumentParser
import Live
import Ports
import VAST

extension MacroExpander.Context: ExpressibleByArgument {}

/// `adtop vast expand`
struct VASTExpandCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expand", abstract: "Expand the macros of a URL.",
        usage: "adtop vast expand [<options>] <templates> ...",
        discussion: """
            Contexts: request, impression, tracking, click, error, verificationNotExecuted, vmap-error.

            Examples:
              adtop vast expand 'https://ads.example.com/?l=[ADCATEGORIES]' \\
                --macro ADCATEGORIES=IAB1,IAB2
              adtop vast expand 'https://ads.example.com/err?c=[ERRORCODE]' \\
                --context error --explain

            Exit codes: 0 success, 2 usage error.
            """)

    @Argument(help: "URLs with macros.")
    var templates: [String]

    @Option(help: "Purpose of the URL; determines [ERRORCODE] and [REASON].")
    var context = MacroExpander.Context.tracking

    @OptionGroup var macros: MacroOptions

    @Option(help: ArgumentHelp("Seed of [CACHEBUSTING] (default random).", valueName: "number"))
    var seed: UInt64?

    @Flag(help: "Show the replacement of each macro and the reason.")
    var explain = false

    @Flag(help: "Print JSON (schema adtop-vast-expansion/1).")
    var json = false

    func run() throws {
        var values = try macros.values(at: SystemTimeSource().now().wall)
        var random = SplitMix64(seed: seed ?? UInt64.random(in: .min ... .max))
        var documents: [JSONValue] = []
        for template in templates {
            values[.cacheBusting] = .eightDigits(random.next())
            let expansion = MacroExpander(values: values, isStrict: macros.strict).expand(template, in: context)
            guard !json else {
                documents.append([
                    "template": .string(template), "url": .string(expansion.url),
                    "macros": .array(expansion.steps.map(\.json)),
                ])
                continue
            }
            Output.line(expansion.url)
            if explain { ResolutionReport.explanation(of: expansion.steps).forEach { Output.line("  \($0)") } }
        }
        guard json else { return }
        let document: JSONValue = [
            "schema": "adtop-vast-expansion/1", "context": .string(context.rawValue), "expansions": .array(documents),
        ]
        Output.write(document.text(indented: true) + "\n")
    }
}
