import ArgumentParser
import Foundation
import Live
import Ports
import Session

/// `adtop doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check step by step whether a stream and its trackers can be reached.",
        discussion: """
            Goes through name, connection, proxy and TLS of each host of the stream, then each request of a session, \
            and shows what was found, how long it took, and what to change. Hosts of trackers that the metadata names \
            now, at most 16, get a connection and no request. URLs in the output are redacted.

            Examples:
              adtop doctor https://example.com/live/master.m3u8
              adtop doctor https://example.com/live.m3u8 --proxy http://127.0.0.1:8080
              adtop doctor https://example.com/live/master.m3u8 --json

            Exit codes: 0 the stream opens and all hosts can be reached, 1 it opens, but its metadata or a tracker \
            cannot be reached, 2 usage error, 3 the stream cannot be opened.
            """)

    @Argument(help: ArgumentHelp("URL of the stream.", valueName: "url"))
    var place: String

    @Option(help: .of(.provider), completion: .of(.provider))
    var provider: String?

    @Option(help: .of(.variant, "variant"), completion: .of(.variant))
    var variant: String?

    @Flag(help: "Do not request a session with initSession=true.")
    var noInitRequest = false

    @Option(
        help: ArgumentHelp(
            "Connect to trackers at this host only, wherever it is: a private address too (repeatable).",
            valueName: "host"))
    var allowHost: [String] = []

    @Flag(help: "Connect to private and loopback addresses that a public stream names.")
    var allowPrivate = false

    @Flag(help: "Print JSON (schema adtop-doctor/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    /// The settings given as flags.
    private var flags: [Setting: String] {
        var flags = fetch.settings
        flags[.provider] = provider
        flags[.variant] = variant
        flags[.initRequest] = noInitRequest ? "no" : nil
        flags[.allowPrivate] = allowPrivate ? "yes" : nil
        flags.give(.allowHost, allowHost)
        return flags
    }

    func run() async throws {
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(place)
        } catch {
            throw CommandFailure(.usage, "'\(place)' \(error.explanation)")
        }
        let settings = try SettingsLoader().load(flags: flags, warn: Output.error)
        var run = DoctorRun(settings: settings, time: SystemTimeSource())
        // A server that does not answer takes a while.
        if isatty(STDERR_FILENO) == 1 { run.progress = { Output.note("… " + Redaction.url($0)) } }
        let report = try await run.report(on: url)
        if json {
            Output.write(report.json(of: url).text(indented: true) + "\n")
        } else {
            DoctorText.lines(of: report).forEach { Output.line($0) }
        }
        if report.verdict != .reachable { throw report.verdict.status.code }
    }
}
