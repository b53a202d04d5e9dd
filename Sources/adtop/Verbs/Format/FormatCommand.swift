import AdFormats
import ArgumentParser
import Live
import Ports

/// `adtop format load|show`
struct FormatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format", abstract: "Request one ad and run it through its states.",
        discussion: """
            Examples:
              adtop format load --url http://127.0.0.1:8080/ads/zone --unit banner-1
              adtop format show --plugin static --file ad.xml --unit any --type rewarded
            """,
        subcommands: [Load.self, Show.self])

    static let exitCodes = """
        Exit codes: 0 success, 2 usage error, 3 no fill, 4 internal error or unreadable input, 5 invalid request.
        """

    struct Load: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "load", abstract: "Load an ad and apply the visible shares of --visibility.",
            discussion: """
                Beacons are listed and never sent. Once the ad is loaded, its clock is simulated, so a video of one \
                minute ends at once.

                Examples:
                  adtop format load --url http://127.0.0.1:8080/ads/zone --unit banner-1 \\
                    --visibility 0,0.5,1
                  adtop format load --plugin static --file ad.xml --unit any --type rewarded \\
                    --show --json
                  adtop format load --plugins plugins --plugin acme --unit home --explain

                \(FormatCommand.exitCodes)
                """)

        @OptionGroup var options: FormatOptions
        @OptionGroup var fetch: FetchOptions

        @Flag(help: "Show the loaded ad, play it to its end and close it.")
        var show = false

        @Flag(help: "Click the ad.")
        var click = false

        @Option(help: ArgumentHelp("Visible shares of the ad in sequence, e.g. 0,0.5,1.", valueName: "list"))
        var visibility: String?

        @Flag(help: "Print the parameters of the ad call, static or dynamic.")
        var explain = false

        @Flag(help: "Print JSON (schema adtop-format/1).")
        var json = false

        func run() async throws {
            try await FormatReport(
                options: options, input: fetch.input, shows: show, clicks: click,
                shares: try FormatCommand.shares(visibility),
                explains: explain,
                isJSON: json
            ).run()
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Load an interstitial or rewarded ad, show it, play it to its end and close it.",
            discussion: """
                Examples:
                  adtop format show --url http://127.0.0.1:8080/ads/zone --unit rewarded-1 \\
                    --type rewarded

                \(FormatCommand.exitCodes)
                """)

        @OptionGroup var options: FormatOptions
        @OptionGroup var fetch: FetchOptions

        @Flag(help: "Click the ad at its end.")
        var click = false

        @Flag(help: "Print JSON (schema adtop-format/1).")
        var json = false

        func run() async throws {
            var options = options
            options.format = options.format ?? .interstitial
            guard options.type.isFullScreen else {
                throw CommandFailure(
                    .usage,
                    "--type: \(options.type.rawValue) has no show; give interstitial or rewarded, or use format load")
            }
            try await FormatReport(
                options: options, input: fetch.input, shows: true, clicks: click, shares: [], explains: false,
                isJSON: json
            ).run()
        }
    }

    fileprivate static func shares(_ text: String?) throws(CommandFailure) -> [Double] {
        var shares: [Double] = []
        for part in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            guard let share = Double(part), (0...1).contains(share) else {
                throw CommandFailure(.usage, "--visibility: '\(part)' is not between 0 and 1")
            }
            shares.append(share)
        }
        return shares
    }
}

/// Runs an ad and prints its trace and its final state.
struct FormatReport {
    var options: FormatOptions
    var input: InputSource
    var shows: Bool
    var clicks: Bool
    var shares: [Double]
    var explains: Bool
    var isJSON: Bool

    func run() async throws {
        do {
            try await drive(options.setup(agent: try input.agent()))
        } catch let failure as FormatFailure {
            Output.error(failure.message)
            throw ExitCode(failure.error.reason.exitCode)
        }
    }

    private func drive(_ setup: FormatOptions.Setup) async throws {
        // One jar for the ad call, its wrappers and reports.
        let requests = try input.requests()
        let transport = requests.adCalls(typed: options.address)
        let run = FormatRun(
            setup.slot, process: setup.process, configuration: setup.configuration, transport: transport,
            time: SystemTimeSource(), zones: try options.zones())
        // Without shares the ad is fully visible.
        if let first = shares.first { await run.see(firstly: first) }
        await run.load()
        if await run.slot.state != .failed {
            await run.see(shares)
            if shows { await run.show(clicking: clicks) } else if clicks { await run.click() }
        }
        await run.finish()
        await requests.end()
        open(await run.trace)
        try await present(run.slot, run.trace)
    }

    /// Opens the click destinations with the program of `--open-cmd`, if there is one.
    private func open(_ trace: FormatTrace) {
        guard let command = options.adCall.openCommand.map(OpenCommand.init) else { return }
        for entry in trace.lines where entry.kind == .open {
            if let problem = command.open(entry.text) { Output.note("--open-cmd: \(problem)") }
        }
    }

    private func present(_ slot: AdSlot, _ trace: FormatTrace) throws {
        if isJSON {
            Output.write(SlotJSON.document(slot, trace, explains: explains).text(indented: true) + "\n")
        } else {
            if explains { SlotJSON.explanation(slot.parameters).forEach { Output.line($0) } }
            trace.text.forEach { Output.line($0) }
            Report.tree(SlotJSON.ad(slot)).forEach { Output.line($0) }
        }
        if slot.state == .failed, let error = slot.error { throw ExitCode(error.reason.exitCode) }
    }
}
