import Foundation
import TestSupport
import Testing

@testable import adtop

/// The completion scripts, sourced by real shells: what Tab makes of a line, as the arguments that the program then gets.
@Suite struct CompletionTests {
    /// A line before Tab, and the last arguments after it: all that are offered.
    struct Case: Sendable, CustomTestStringConvertible {
        var line: String
        var offered: Set<String>

        var testDescription: String { line }
    }

    static let cases = [
        Case(line: "adtop replay se", offered: ["session.adtop"]),
        Case(line: "adtop replay my", offered: ["my session.adtop"]),
        Case(line: "adtop replay sub/in", offered: ["sub/inner.adtop"]),
        // No recording, but a file all the same.
        Case(line: "adtop replay ot", offered: ["other.bin"]),
        Case(line: "adtop my", offered: ["my session.adtop"]),
        Case(line: "adtop monitor l", offered: ["list.txt"]),
        Case(line: "adtop vast lint an", offered: ["an ad.xml"]),
        Case(line: "adtop --du", offered: ["--dump"]),
        // A folder of the same name does not change the verb.
        Case(line: "adtop dem", offered: ["demo"]),
        Case(line: "adtop demo --scenario sp", offered: ["sprint"]),
        Case(line: "adtop simulate rus", offered: ["rush"]),
        Case(line: "adtop --theme=mid", offered: ["--theme=midnight"]),
        Case(line: "adtop https://h.example/x --dump --until ad", offered: ["ad-start"]),
        Case(line: "adtop https://h.example:8080/x --view cr", offered: ["creative"]),
        Case(line: "adtop --pane sum", offered: ["summary"]),
        Case(line: "adtop --color tr", offered: ["truecolor"]),
        Case(line: "adtop --theme mi", offered: ["midnight"]),
        Case(line: "adtop --cookie-jar=li", offered: ["--cookie-jar=list.txt"]),
        Case(line: "adtop config ke", offered: ["keys"]),
        Case(line: "adtop config keys next-f", offered: ["next-failure"]),
        Case(line: "adtop config keys freeze open-", offered: ["open-url"]),
        Case(line: "adtop explain TRK-15", offered: ["TRK-15"]),
        Case(line: "adtop help dem", offered: ["demo"]),
        Case(line: "adtop help al", offered: ["all"]),
        Case(line: "adtop help hls ti", offered: ["timeline"]),
        Case(line: "adtop --help a", offered: ["all"]),
        // Files are no verbs.
        Case(line: "adtop help other", offered: []),
        Case(line: "adtop help replay se", offered: []),
        Case(line: "adtop simulate rush --faults kill", offered: ["kill"]),
        Case(line: "adtop simulate rush --faults kill,5", offered: ["kill,5xx"]),
        Case(line: "adtop simulate rush --faults=reset,4xx,cl", offered: ["--faults=reset,4xx,clock"]),
        Case(line: "adtop simulate rush --with cache,au", offered: ["cache,auction"]),
    ]

    @Test(.enabled(if: Shell.bash.isThere, "bash is not installed"))
    func bash() async throws { try await check(.bash) }

    @Test(.enabled(if: Shell.zsh.isThere, "zsh is not installed (Debian: apt-get install zsh)"))
    func zsh() async throws { try await check(.zsh) }

    @Test(.enabled(if: Shell.fish.isThere, "fish is not installed (Debian: apt-get install fish)"))
    func fish() async throws { try await check(.fish) }

    /// A shell that can completes all lines in turn.
    private func check(_ shell: Shell) async throws {
        let folder = try TemporaryFolder()
        for name in ["files/sub", "files/demo", "completions"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        for name in ["my session.adtop", "session.adtop", "sub/inner.adtop", "list.txt", "an ad.xml", "other.bin"] {
            try Data().write(to: URL(fileURLWithPath: folder.file("files/\(name)")))
        }
        let script = try await AdtopProcess.run(["--generate-completion-script", shell.rawValue])
        #expect(script.status == 0)
        try Data(script.output.utf8).write(to: URL(fileURLWithPath: folder.file("completions/_adtop")))
        for cases in shell.takesAll ? [Self.cases] : Self.cases.map({ [$0] }) {
            let child = try ChildProcess(
                "/bin/sh",
                ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.file("files"), shell.path]
                    + shell.arguments(folder: folder.file("completions")),
                environment: [
                    "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": folder.path,
                    "ADTOP_LINE": cases[0].line,
                ],
                input: shell.input(lines: cases.map(\.line)))
            Self.expect(cases, from: shell, in: String(decoding: try await child.end().output, as: UTF8.self))
        }
    }

    private static func expect(_ cases: [Case], from shell: Shell, in output: String) {
        let answers = output.components(separatedBy: ">END")
        #expect(answers.count == cases.count + 1, "\(shell.rawValue): \(output)")
        for (example, answer) in zip(cases, answers) {
            let typed = example.line.split(separator: " ").dropFirst().map(String.init)
            // Where nothing is offered, the line that is run has the word that was typed.
            let expected = example.offered.isEmpty && shell != .fish ? Set(typed.suffix(1)) : example.offered
            let offered = shell.offered(in: answer, after: typed.dropLast())
            #expect(offered == expected, "\(shell.rawValue): \(example): \(answer)")
        }
    }
}

/// A shell that completes a line.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var path: String {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + rawValue }.first(where: Self.isProgram) ?? rawValue
    }

    /// Whether one shell completes several lines.
    var takesAll: Bool { self != .zsh }

    var isThere: Bool { Self.isProgram(path) }

    private static func isProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// In bash and zsh Tab inserts all that is offered and the line is run: a function prints the arguments it gets.
    func arguments(folder: String) -> [String] {
        switch self {
        case .bash: ["-c", Self.bashStart, "bash", folder]
        case .zsh: ["-f", "-c", Self.zshStart, "zsh", folder]
        case .fish: ["-c", "source \(folder)/_adtop; while read -l line; complete -C $line; echo '>END'; end"]
        }
    }

    func input(lines: [String]) -> String {
        switch self {
        case .bash: lines.map { "\($0)\t\n" }.joined() + "exit\n"
        case .zsh: ""
        case .fish: lines.map { "\($0)\n" }.joined()
        }
    }

    /// The arguments behind those that were typed, in an answer without its end.
    func offered(in answer: String, after typed: ArraySlice<String>) -> Set<String> {
        if self == .fish {
            return Set(answer.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
        }
        let start = (["<"] + typed.map { "\($0)><" }).joined()
        guard let begin = answer.range(of: start, options: .backwards) else { return [] }
        return Set(answer[begin.upperBound...].components(separatedBy: "><"))
    }

    private static let bashStart = #"""
        cat > "$1/start" <<'EOF'
        bind 'set bell-style none'
        bind '"\t": insert-completions'
        adtop() { local line; printf -v line '<%s>' "$@"; echo "${line}END"; }
        EOF
        cat "$1/_adtop" >> "$1/start"
        exec bash --rcfile "$1/start" -i 2>/dev/null
        """#

    private static let zshStart = #"""
        zmodload zsh/zpty
        zpty z zsh -f -i
        zpty -w z "PS1=; fpath=($1 \$fpath)"'
            autoload -Uz compinit; compinit -u -D
            zle -C every complete-word _generic
            zstyle ":completion:every:*" completer _all_matches _complete
            zstyle ":completion:every:*" insert true
            bindkey "^I" every
            adtop() { print -r -- "<${(j:><:)@}>END" }
            print REA""DY'
        zpty -r z output '*READY*'
        zpty -w -n z "$ADTOP_LINE"$'\t\n'
        zpty -r z output '*>END*'
        print -r -- "$output"
        zpty -d z
        """#
}
