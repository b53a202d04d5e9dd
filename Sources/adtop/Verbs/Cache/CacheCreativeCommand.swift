import ArgumentParser
import CreativeCache
import Ports

/// `adtop cache creative`
struct CacheCreativeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "creative",
        abstract: "Print the creative code for a line item that loads creatives from this computer.",
        usage: "adtop cache creative [<options>]",
        discussion: """
            The code waits at most 300 ms (--timeout) for the loopback server and shows its answer in a sandboxed \
            frame; without an answer it loads the universal creative. Chrome 142 and later ask the user for \
            permission (Local Network Access).

            Examples:
              adtop cache creative --server gam
              adtop cache creative --server plain --port 16300 > creative.html

            Exit codes: 0 success, 2 usage error.
            """)

    @Option(help: "Source of the values: macros of Google Ad Manager (gam) or the page's query (plain).")
    var server = CreativeSnippet.Server.gam

    @Option(help: "Port of the loopback server.")
    var port = LoopbackRules.defaultPort

    @Option(help: ArgumentHelp("Script URL of the universal creative.", valueName: "url"))
    var universal = CreativeSnippet.universalCreative

    @Option(help: ArgumentHelp("How long the code waits for the loopback server, at least 1ms.", valueName: "duration"))
    var timeout = "300ms"

    func run() throws {
        guard (1...65_535).contains(port) else { throw CommandFailure(.usage, "--port: \(port) is not 1 to 65535") }
        do throws(WebURLProblem) {
            _ = try WebURL(universal)
        } catch {
            throw CommandFailure(.usage, "--universal: '\(universal)' \(error.explanation)")
        }
        var snippet = CreativeSnippet(server: server, port: port)
        snippet.fallbackScript = universal
        snippet.timeout = Int(clamping: try DurationFlag.positive(timeout, flag: "--timeout").inMilliseconds)
        Output.write(snippet.text)
    }
}

extension CreativeSnippet.Server: ExpressibleByArgument {}
