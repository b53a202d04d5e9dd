import ArgumentParser

/// The first page of help: what adtop is, how it is called, and the names of the verbs. `adtop --help all` is the whole reference.
enum ShortHelp: Equatable {
    /// `adtop` alone.
    case welcome
    case verbs

    /// Nil for arguments that ask for something else.
    init?(for arguments: [String]) {
        switch arguments {
        case []: self = .welcome
        case ["--help"], ["-h"], ["help"]: self = .verbs
        default: return nil
        }
    }

    /// Whether the whole reference is asked for.
    static func isForAll(_ arguments: [String]) -> Bool {
        arguments.count == 2 && arguments[1] == "all" && Self(for: [arguments[0]]) == .verbs
    }

    var text: String {
        switch self {
        case .welcome: Self.calls + "\nadtop --help lists the verbs.\n"
        case .verbs: Self.calls + "\n" + Self.groups + Self.more
        }
    }

    private static let calls = """
        adtop, htop for ad breaks: follows a stream with server-side ad insertion.

          adtop demo                                  a stream made on this machine
          adtop https://example.com/live/master.m3u8  a stream; no beacon is sent
          adtop URL --fire                            sends the beacons that are due
          adtop URL URL, adtop monitor FILE           many streams
          adtop URL --dump --until ad-start           one frame, without a terminal
          adtop session.adtop                         a recording (of --record FILE)

        """

    /// One line for each group of verbs.
    private static let groups = Adtop.configuration.groupedSubcommands.map { group in
        let names = group.subcommands.map { $0.configuration.commandName ?? "" }.joined(separator: " ")
        return group.name.padding(to: 11) + names + "\n"
    }.joined()

    private static let more = """

        adtop VERB --help  options and examples of a verb (watch: those of a stream)
        adtop --help all   all verbs, each with a sentence
        adtop --version    the version and what it was built with
        adtop --generate-completion-script bash|zsh|fish   shell completion

        Exit codes: 0 success, 1 findings, 2 usage error, 3 network error,
        4 unreadable input, 5 interrupted or output incomplete.

        """
}
