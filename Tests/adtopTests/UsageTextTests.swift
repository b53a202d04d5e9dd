import ArgumentParser
import Testing

@testable import adtop

/// Usage errors in our words. The sentences come from the parser itself, which may change them with a new version.
struct UsageTextTests {
    /// The error of the arguments; nil if they can be parsed.
    private static func error(_ arguments: [String]) throws -> String? {
        let verb = try #require(VerbNames.verb(in: arguments))
        do {
            _ = try verb.type.parseAsRoot(verb.rest)
            return nil
        } catch {
            return Adtop.usageError(error, arguments)
        }
    }

    @Test(arguments: [
        (["config", "not-a-url"], "<topic>: 'not-a-url' is not 'keys'; see adtop config --help"),
        (["config", "--pol=4s"], "--pol: no such option; did you mean '--poll'? See adtop config --help"),
        (["-x", "http://a.test/"], "-x: no such option; see adtop --help"),
        (["-4z", "http://a.test/"], "-z: no such option; see adtop --help"),
        (["demo", "--size"], "--size: has no value; give --size <COLUMNSxROWS>, or see adtop demo --help"),
        // A value that begins with a dash is taken for options.
        (
            ["format", "load", "--geo", "-33.8,151.2"],
            "--geo: has no value; write --geo=-33.8,151.2 for one that begins with a dash"
        ),
        (
            ["cache", "put", "f", "--ttl", "-5s"],
            "--ttl: has no value; write --ttl=-5s for one that begins with a dash"
        ),
        (["auction", "bucket", "-1"], "<price>: missing; write -- before '-1', which begins with a dash"),
        (["hls", "parse", "x", "--json=yes"], "--json: takes no value, but 'yes' is given; give --json alone"),
        (["hls", "parse"], "<playlist>: missing; give it, or see adtop hls parse --help"),
        (["auction", "run"], "<file>: missing; give it, or see adtop auction run --help"),
        (["hls", "parse", "a", "b"], "'b': not expected; see adtop hls parse --help"),
        (["hls", "parse", "a", "it's", "c"], "'it's', 'c': not expected; see adtop hls parse --help"),
        (["mraid", "x", "--placement", "y"], "--placement: 'y' is not one of inline, interstitial"),
        (["--dump", "--format", "x", "http://a.test/"], "--format: 'x' is not one of text, ansi, json, svg"),
        (
            ["vast", "expand", "--context", "x", "y"],
            "--context: 'x' is not one of request, impression, tracking, click, error, verificationNotExecuted, vmap-error"
        ),
        (["origin", "--port", "it's"], "--port: 'it's' is not valid; see adtop origin --help"),
        (
            ["zone", "warm", String(repeating: "z", count: 129) + "=http://a.test/"],
            "<zones>: a name has 129 characters; give at most 128 (see adtop zone warm --help)"
        ),
        (["zone", "warm", "xx"], "<zones>: 'xx' is not valid; see adtop zone warm --help"),
        (
            ["replay", "x", "--at", "1s", "--step", "3"],
            "--at and --step exclude each other; give one (see adtop replay --help)"
        ),
        (
            ["cache", "list", "--folder", ""],
            "--folder: '' is empty; name a folder, or omit it (see adtop cache list --help)"
        ),
        (
            ["cache", "cert", "show", "--path", "--json"],
            "--path and --json exclude each other; give one (see adtop cache cert show --help)"
        ),
        (
            ["zone", "purge", "--folder", ""],
            "--folder: '' is empty; name a folder, or omit it (see adtop zone purge --help)"
        ),
        (
            ["cache", "serve", "--memory-only", "--disk", "8"],
            "--memory-only and --disk exclude each other; give one (see adtop cache serve --help)"
        ),
        (
            ["demo", "--readonly", "--fire"],
            "--readonly and --fire exclude each other; give one (see adtop demo --help)"
        ),
        (
            ["--observe", "--fire", "http://a.test/"],
            "--observe and --fire exclude each other; give one (see adtop --help)"
        ),
        // What would have no effect.
        (
            ["auction", "run", "x", "--fire-anyway"],
            "--fire-anyway: has an effect only with --fire; add it (see adtop auction run --help)"
        ),
        (
            ["auction", "run", "x", "--journal", "j"],
            "--journal: has an effect only with --fire; add it (see adtop auction run --help)"
        ),
        (
            ["auction", "run", "x", "--plugins", "p"],
            "--plugins: has an effect only with --live; add it (see adtop auction run --help)"
        ),
        (
            ["auction", "bid", "--replay", "x", "--live"],
            "--live: has an effect only with --pbs or --openrtb; omit it (see adtop auction bid --help)"
        ),
        (
            ["vast", "lint", "x", "--json", "--format", "github"],
            "--json and --format github exclude each other; give one (see adtop vast lint --help)"
        ),
        (
            ["--redact", "none", "http://a.test/"],
            "--redact: has an effect only with --record; add it (see adtop --help)"
        ),
        // A sentence of ours stays.
        (["-4", "-6", "http://a.test/"], "-4 and -6 exclude each other; give one (see adtop --help)"),
    ])
    func namesThingProblemAndRemedy(arguments: [String], sentence: String) throws {
        #expect(try Self.error(arguments) == sentence)
    }

    @Test func aScriptForAnUnknownShellIsAnError() {
        let option = "--generate-completion-script"
        let failure = CompletionScript.failure(in: [option, "nope"])
        #expect(failure == CommandFailure(.usage, "\(option): 'nope' is not one of zsh, bash, fish"))
        #expect(CompletionScript.failure(in: [option, "bash"]) == nil)
        #expect(CompletionScript.failure(in: ["config"]) == nil)
    }

    private static let theirs = [
        "Missing", "nknown option", "is invalid for", "nexpected", "does not take any", "Please",
    ]

    /// In no verb a sentence of the parser reaches a person.
    @Test func noVerbHasTheParsersWords() {
        func verbs(_ command: any ParsableCommand.Type, _ words: [String]) -> [[String]] {
            let below = command.configuration.subcommands
            return below.isEmpty
                ? [words] : below.flatMap { verbs($0, words + [$0.configuration.commandName ?? ""]) }
        }
        let all = verbs(Adtop.self, [])
        #expect(all.count > 40)
        for verb in all {
            for more in [["--no-such-option"], ["--json=yes"], [], ["x", "x", "x", "x"]] {
                guard let text = try? Self.error(verb + more) else { continue }
                let isOurs = !Self.theirs.contains { text.contains($0) } && !text.contains("\n")
                let remedies = ["see adtop", "; give", " is not one of "]
                #expect(
                    isOurs && remedies.contains { text.lowercased().contains($0) },
                    "\(verb + more): \(text)")
            }
        }
    }
}
