import AdTracking
import ArgumentParser
import Ports

/// `adtop providers`
struct ProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the services whose ad metadata adtop reads.",
        discussion: """
            A stream's provider is recognised in the order of this list; --provider NAME decides.

            Examples:
              adtop providers
              adtop --provider mediatailor https://video.example.com/live/index.m3u8

            Exit codes: 0 success, 2 usage error.
            """)

    @Flag(help: "Print JSON (schema adtop-providers/1).")
    var json = false

    func run() {
        if json {
            let providers = ProviderTable.readers.map(Self.json)
            let value: JSONValue = ["schema": "adtop-providers/1", "providers": .array(providers)]
            Output.write(value.text(indented: true) + "\n")
            return
        }
        for provider in ProviderTable.readers {
            Output.line("\(provider.name)  \(provider.summary.title)")
            Output.line("  recognised by \(provider.summary.recognition)")
            for clause in provider.summary.supports { Output.line("  \(clause)") }
        }
    }

    private static func json(_ provider: any SavedAnswerReader.Type) -> JSONValue {
        [
            "name": .string(provider.name), "title": .string(provider.summary.title),
            "recognisedBy": .string(provider.summary.recognition),
            "supports": .array(provider.summary.supports.map(JSONValue.string)),
        ]
    }
}
