import ArgumentParser
import Foundation
import Testing

@testable import adtop

/// The help of every command.
struct HelpTests {
    private static let columns = 80

    /// A command and all commands below it.
    private static func commands(below root: any ParsableCommand.Type = Adtop.self) -> [any ParsableCommand.Type] {
        [root] + root.configuration.subcommands.flatMap { commands(below: $0) }
    }

    /// The text of a command's help on a terminal of 80 columns.
    private static func help(of command: any ParsableCommand.Type) -> String {
        Adtop.helpMessage(for: command, columns: columns)
    }

    @Test func everyCommandHasExamplesThatFitTheScreen() {
        for command in Self.commands() {
            let lines = command.configuration.discussion.split(separator: "\n")
            let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
            #expect(!examples.isEmpty, "\(command) has no examples")
            // A longer line is broken in the middle.
            let help = Self.help(of: command)
            for example in examples { #expect(help.contains("\n\(example)\n"), "\(command): \(example)") }
        }
    }

    /// Every command may be called with an option that it does not have.
    @Test func everyCommandThatRunsListsItsExitCodes() throws {
        for command in Self.commands() where command.configuration.subcommands.isEmpty {
            let discussion = command.configuration.discussion
            let codes = try #require(discussion.components(separatedBy: "Exit codes:").dropFirst().first, "\(command)")
            #expect(codes.hasPrefix(" 0 ") && codes.contains(" 2 "), "\(command): \(codes)")
        }
    }

    /// What only the demo has comes before the many options of every session.
    @Test func theDemoBeginsWithItsOwnOptions() {
        let options = Self.help(of: DemoCommand.self).split(separator: "\n").filter { $0.hasPrefix("  --") }
        let names = options.prefix(3).map { $0.split(separator: " ").first ?? "" }
        #expect(names == ["--scenario", "--list", "--port"])
    }

    /// A line that is longer than the screen is broken anywhere; only a long word, such as an address, has no place to break.
    @Test func helpFitsTheScreen() {
        for command in Self.commands() {
            for line in Self.help(of: command).split(separator: "\n") where line.count > Self.columns {
                #expect(line.split(separator: " ").count == 1, "\(command): \(line)")
            }
        }
    }

    /// A verb that sends no beacon has no option of sending.
    @Test func onlyVerbsThatSendHaveOptionsOfSending() {
        let sending: [any ParsableCommand.Type] = [
            WatchCommand.self, MonitorCommand.self, DemoCommand.self, ConfigCommand.self, FleetAgentCommand.self,
        ]
        for command in Self.commands() {
            let help = Self.help(of: command)
            let sends = sending.contains { $0 == command }
            let isAuction = command == AuctionRunCommand.self
            #expect(help.contains("  --fire-anyway") == (sends || isAuction), "\(command)")
            #expect(help.contains("  --fire ") == (sends || isAuction), "\(command)")
            #expect(help.contains("  --observe") == sends, "\(command)")
            #expect(help.contains("  --retry") == (sends && command != FleetAgentCommand.self), "\(command)")
            // What the help does not list is not in its texts either.
            if !sends, !isAuction { #expect(!help.contains("--fire-anyway"), "\(command)") }
        }
    }

    /// A session that is attached has no playlist and sends nothing. A line for `adtop URL` is understood all the same.
    @Test func attachListsWhatHasAnEffect() throws {
        let help = Self.help(of: AttachCommand.self)
        for flag in [
            "--readonly", "--journal-loss", "--no-renew", "--no-init-request", "--variant", "--no-low-latency",
            "--vast",
            "--vmap", "--macro",
        ] {
            #expect(!help.contains("  \(flag)"), "\(flag)")
            #expect(Self.help(of: WatchCommand.self).contains("  \(flag)"), "\(flag)")
        }
        for flag in [
            "--provider", "--poll", "--start", "--journal", "--record", "--cookie-jar", "--auction", "--cache",
        ] {
            #expect(help.contains("  \(flag) "), "\(flag)")
        }
        let attach = try AttachCommand.parse(["https://x.example/metadata", "--fire-anyway", "--variant", "720"])
        #expect(attach.session.sending.fireAnyway && attach.session.settings[.variant] == "720")
    }

    /// Many sessions have no creative cache.
    @Test func onlyVerbsOfOneSessionHaveACache() {
        let caching: [any ParsableCommand.Type] = [
            WatchCommand.self, AttachCommand.self, DemoCommand.self, ConfigCommand.self,
        ]
        for command in Self.commands() {
            let help = Self.help(of: command)
            let caches = caching.contains { $0 == command }
            #expect(help.contains("  --cache ") == caches, "\(command)")
            #expect(help.contains("  --cache-port") == caches, "\(command)")
        }
    }

    /// A recording, a table and a stream have other options without a terminal.
    @Test func headlessOptionsAreThoseWithAnEffect() {
        let streams: [any ParsableCommand.Type] = [WatchCommand.self, AttachCommand.self, DemoCommand.self]
        let tables: [any ParsableCommand.Type] = [MonitorCommand.self, FleetTopCommand.self]
        for command in streams + tables + [ReplayCommand.self] {
            let help = Self.help(of: command)
            let (follows, isTable) = (streams.contains { $0 == command }, tables.contains { $0 == command })
            for flag in ["--dump", "--format", "--size", "--keys", "--unredacted"] {
                #expect(help.contains("  \(flag) "), "\(command) \(flag)")
            }
            for flag in ["--plain", "--until"] {
                #expect(help.contains("  \(flag) ") == follows, "\(command) \(flag)")
            }
            #expect(help.contains("  --pane ") == !isTable, "\(command)")
            #expect(help.contains("  --for ") == (follows || isTable), "\(command)")
        }
    }

    /// What has no effect is not ignored: the reason is given before anything is requested.
    @Test(arguments: [
        (["monitor", "no-such-file", "--cache"], "--cache: needs a single stream, "),
        (["monitor", "no-such-file", "--cache-port", "0"], "--cache-port: needs a single stream, "),
        (["monitor", "no-such-file", "--log-level", "debug"], "--log-level: has an effect only with --log-file; "),
        (
            ["watch", "http://127.0.0.1:1/a.m3u8", "--cache-port", "0"],
            "--cache-port: has an effect only with --cache; "
        ),
        (["attach", "http://127.0.0.1:1/a", "--cache-port", "0"], "--cache-port: has an effect only with --cache; "),
        (
            ["watch", "http://127.0.0.1:1/a.m3u8", "http://127.0.0.1:1/b.m3u8", "--cache"],
            "--cache: needs a single stream, "
        ),
        (
            ["attach", "http://127.0.0.1:1/a", "--vast", "http://127.0.0.1:1/b"],
            "attach: --vast: there is no playlist "
        ),
        (["attach", "http://127.0.0.1:1/a", "--vmap", "b.xml"], "attach: --vmap: there is no playlist "),
        (["replay", "no-such-file", "--dump", "--for", "1s"], "--for: has no effect on a recording; "),
        (["replay", "no-such-file", "--dump", "--speed", "2"], "--speed: has no effect on a frame of a recording; "),
        (["vmap", "parse", "-", "--duration=-5m"], "--duration: '-5m' is negative"),
        (["format", "load", "--unit", "u", "--visibility", ""], "--visibility: '' is not between 0 and 1"),
        (["cache", "bench", "--n", "0"], "--n: '0' is not 1 to 100000"),
        (["cache", "bench", "--size", "0"], "--size: '0' is not 1 to "),
        (["replay", "no-such-file", "--at=-5s"], "--at: '-5s' is negative"),
        (["replay", "no-such-file", "--speed", "nan"], "--speed: 'nan' is not between 0.01 and 1000"),
        (
            ["simulate", "rush", "--kill-at", "1:1:1", "--seeds", "2"],
            "--kill-at: needs a single session without faults; "
        ),
        (
            ["simulate", "rush", "--for", "1s", "--kill-at", "99999:0:0"],
            "--kill-at: '99999:0:0' is not reached; the simulation has "
        ),
        (["simulate", "rush", "--seeds", "2", "--record", "x"], "--record: needs a single simulation; "),
        (["auction", "bid", "--pbs", "ftp://x"], "--pbs: 'ftp://x' "),
        (
            ["simulate", "rush", "--kill-everywhere", "--json"], "--json: has no effect with --kill-everywhere; omit it"
        ),
        (
            ["simulate", "rush", "--kill-everywhere", "--record", "no-such-folder/x"],
            "--record: has no effect with --kill-everywhere; "
        ),
        (
            ["simulate", "rush", "--kill-everywhere", "--kill-at", "57:2:1"],
            "--kill-at: has no effect with --kill-everywhere; "
        ),
        (["choose", "-", "--last-time", "2"], "--last-time: has an effect only with --last-quality; give both"),
        (
            ["format", "load", "--plugin", "static", "--url", "http://127.0.0.1:1/", "--unit", "u"],
            "--url: has no effect with --plugin static; give --file"
        ),
        (["attach", "http://127.0.0.1:1/a", "--macro", "A=1"], "attach: --macro: there is no playlist "),
    ])
    func whatHasNoEffectIsRejected(line: [String], start: String) async throws {
        let verb = try #require(VerbNames.verb(in: line))
        var command = try #require(try verb.type.parseAsRoot(verb.rest) as? any AsyncParsableCommand)
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(failure?.status == .usage && failure?.message.hasPrefix(start) == true, "\(failure?.message ?? "")")
    }

    /// The first page names what a new user looks for.
    @Test func theFirstPageNamesCompletion() {
        #expect(ShortHelp.verbs.text.contains("adtop --generate-completion-script bash|zsh|fish"))
        #expect(Adtop.configuration.discussion.contains("adtop --generate-completion-script"))
    }

    /// The reason for exit code 4 is where a user looks for it.
    @Test func whereNoNewSessionIsOpened() {
        let words = Self.help(of: WatchCommand.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("With --dump or --plain a single stream then ends with exit code 4"))
        #expect(words.contains("4 the server ended the session (--no-renew)"))
    }

    /// Words that plain technical help does not need.
    @Test func helpUsesPlainWords() {
        let words = /\b(whoever|nobody|somebody|anew|goes on|says?|said|tells?|told|refuses?)\b/.ignoresCase()
        for command in Self.commands() {
            let found = Self.help(of: command).firstMatch(of: words)?.output.0
            #expect(found == nil, "\(command)")
        }
    }
}
