import ArgumentParser
import Foundation
import Live
import Ports

/// The root of the command line: `adtop URL` is `adtop watch URL`.
@main
struct Adtop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adtop",
        abstract: "htop for ad breaks: follow a live stream's server-side ad insertion without decoding video.",
        discussion: """
            adtop opens the session, follows the playlist, advances a playhead, polls the ad metadata and works out \
            which tracking beacons are due. It shows breaks, ads and events with the result of every URL. For a \
            stream that is not on loopback it only shows what it would send; --fire sends the beacons.

            Examples:
              adtop demo                                   watch a demo stream
              adtop https://example.com/live/master.m3u8   watch a stream
              adtop https://example.com/live/master.m3u8 --dump --until ad-start

            Shell completion: adtop --generate-completion-script bash, zsh or fish prints a script to install.

            Exit codes: 0 success, 1 findings, 2 usage error, 3 network error, 4 unreadable input, 5 interrupted \
            or output incomplete. The help of a verb lists its own; that standard output could not be written is 5 \
            for all.
            """,
        version: BuildReport.ofProgram.text,
        groupedSubcommands: verbs,
        defaultSubcommand: WatchCommand.self)

    /// The verbs in the order of the help.
    private static let verbs = [
        CommandGroup(
            name: "Streams",
            subcommands: [
                WatchCommand.self, AttachCommand.self, MonitorCommand.self, DoctorCommand.self, DemoCommand.self,
                OriginCommand.self,
                ReplayCommand.self,
                ReportCommand.self, SimulateCommand.self,
            ]),
        CommandGroup(
            name: "Documents",
            subcommands: [
                HLSCommand.self, MetadataCommand.self, ProvidersCommand.self, SCTE35Command.self, VASTCommand.self,
                VMAPCommand.self, ChooseCommand.self,
                ExplainCommand.self,
            ]),
        CommandGroup(
            name: "Ads",
            subcommands: [
                AuctionCommand.self, LineItemsCommand.self, FormatCommand.self, NativeCommand.self, MRAIDCommand.self,
                RewardedCommand.self, PluginsCommand.self, CheckCommand.self,
            ]),
        CommandGroup(name: "Caches", subcommands: [CacheCommand.self, ZoneCommand.self]),
        CommandGroup(name: "Fleet", subcommands: [FleetCommand.self]),
        CommandGroup(name: "Program", subcommands: [ConfigCommand.self, ThemeCommand.self]),
    ]

    /// Parses and runs; every error becomes one line on stderr and its exit code.
    static func main() async {
        await start()
        if let failure = Output.failure { end(with: failure) }
        if Output.isIncomplete { Foundation.exit(ExitStatus.interrupted.rawValue) }
    }

    private static func start() async {
        StandardStreams.reserve()
        // When the reader of a pipe has gone, the write fails instead of ending the process: the terminal must be
        // restored.
        signal(SIGPIPE, SIG_IGN)
        // Likewise beyond the limit of a file's size.
        signal(SIGXFSZ, SIG_IGN)
        if let failure = ArgumentBytes.failure { end(with: failure) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let text = text(for: arguments) {
            Output.write(text)
            return
        }
        // A mistyped verb would be taken for a stream, and its options for unknown ones.
        if let failure = Door.failure(in: arguments, verbs: VerbNames.all) { end(with: failure) }
        let parsed: any ParsableCommand
        do {
            parsed = try command(in: ShortHelp.isForAll(arguments) ? ["--help"] : IdentityOptions.joined(arguments))
        } catch {
            HelpWidth.prepare()
            // A word may ask for help or the version, whose texts are errors of the parser, too.
            if asksForText(arguments) || arguments.first == "help" { Foundation.exit(report(error, arguments)) }
            end(with: CommandFailure(.usage, usageError(error, arguments)))
        }
        await run(parsed, arguments)
    }

    /// What is printed for arguments that name no verb: the version, the short help, a completion script or the manual page; nil for
    /// others. Made without the parser where it can be: the parser would build the tree of all verbs first.
    private static func text(for arguments: [String]) -> String? {
        if arguments == ["--version"] { return BuildReport.ofProgram.text + "\n" }
        if let help = ShortHelp(for: arguments) { return help.text }
        if let shell = CompletionScript.shell(in: arguments) {
            let generated = completionScript(for: shell)
            return CompletionScript.text(shell, generated: generated, verbs: VerbNames.all, groups: VerbNames.groups)
        }
        if let failure = CompletionScript.failure(in: arguments) { end(with: failure) }
        // A description that is not JSON would be a fault of the parser, which then reports the option as unknown.
        if ManualPage.isRequested(in: arguments), let description = try? JSONReader.read(_dumpHelp()) {
            return ManualPage(description).text
        }
        return nil
    }

    private static func run(_ parsed: sending any ParsableCommand, _ arguments: [String]) async {
        do {
            var command = parsed
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            end(with: failure)
        } catch {
            HelpWidth.prepare()
            Foundation.exit(report(error, arguments))
        }
    }

    /// The parser of the whole tree builds the options of `watch`, its default, several times for every other verb, and a
    /// start would spend most of its time on that. So the verb itself parses what follows its name, and the tree makes help and
    /// version, because their texts contain the whole command.
    private static func command(in arguments: [String]) throws -> any ParsableCommand {
        guard let verb = VerbNames.verb(in: arguments) else { return try parseAsRoot(arguments) }
        do {
            let command = try verb.type.parseAsRoot(verb.rest)
            if type(of: command) == verb.type { return command }
        } catch {
            if verb.rest.count < arguments.count, !asksForText(arguments) { throw error }
        }
        return try parseAsRoot(arguments)
    }

    /// Whether the arguments may ask for help or the version. The parser knows only after it has built its text, which takes
    /// longer than everything else about a usage error.
    private static func asksForText(_ arguments: [String]) -> Bool {
        arguments.contains { argument in
            argument.hasPrefix("--help") || argument == "--version" || argument.hasPrefix("--experimental")
                || argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.contains("h")
        }
    }

    private static func end(with failure: CommandFailure) -> Never {
        if let loss = Output.failure, loss != failure { Output.error(loss.message) }
        Output.error(failure.message)
        Foundation.exit(failure.status.rawValue)
    }

    /// Help and version go to stdout; a usage error is one line on stderr.
    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        let code = exitCode(for: error)
        if code.isSuccess, let failure = VerbNames.failure(in: arguments.filter { $0 != "--help" && $0 != "-h" }) {
            Output.error(failure.message)
            return failure.status.rawValue
        }
        if code.isSuccess {
            Output.write(fullMessage(for: error) + "\n")
            if let failure = Output.failure { end(with: failure) }
            return ExitStatus.fine.rawValue
        }
        if error is ExitCode {
            if let failure = Output.failure { end(with: failure) }
            return code.rawValue
        }
        // Any other error comes from a library, and its text is not written for users.
        if code == .failure {
            Output.error(ForeignErrorText.clause(error))
            return ExitStatus.unreadable.rawValue
        }
        Output.error(usageError(error, arguments))
        return ExitStatus.usage.rawValue
    }

    static func usageError(_ error: any Error, _ arguments: [String]) -> String {
        if let failure = VerbNames.failure(in: arguments) { return failure.message }
        let rest = VerbNames.verb(in: arguments)?.rest ?? arguments
        return UsageText(message(for: error), verb: arguments.dropLast(rest.count), arguments: rest).text
    }
}
