import ArgumentParser
import CreativeCache
import Ports

/// `adtop cache creative`
struct CacheCreativeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "creative", abstract: "Print the markup of a line item that shows creatives from this computer.",
        discussion: """
            It asks the loopback server for 300 ms at most, shows what comes in a sandboxed frame, and loads the universal \
            creative otherwise. Chrome 142 and later ask the user for the permission (Local Network Access).

            Examples:
              adtop cache creative --server gam
              adtop cache creative --server plain --port 16300 > creative.html

            Exit codes: 0 fine, 2 wrong usage.
            """)

    @Option(help: "gam (macros of Google Ad Manager) or plain (values from the page's query).")
    var server = CreativeSnippet.Server.gam

    @Option(help: "Port of the loopback server.")
    var port = LoopbackRules.defaultPort

    @Option(help: ArgumentHelp("Script of the universal creative.", valueName: "url"))
    var universal = CreativeSnippet.universalCreative

    @Option(help: ArgumentHelp("How long the loopback server has.", valueName: "duration"))
    var timeout = "300ms"

    func run() throws {
        guard (1...65_535).contains(port) else { throw CommandFailure(.usage, "--port \(port) is not 1 to 65535") }
        do throws(WebURLProblem) {
            _ = try WebURL(universal)
        } catch {
            throw CommandFailure(.usage, "--universal '\(universal)' \(error.explanation)")
        }
        var snippet = CreativeSnippet(server: server, port: port)
        snippet.fallbackScript = universal
        snippet.timeout = Int(clamping: try DurationFlag.positive(timeout, flag: "--timeout").inMilliseconds)
        Output.write(snippet.text)
    }
}

extension CreativeSnippet.Server: ExpressibleByArgument {}
