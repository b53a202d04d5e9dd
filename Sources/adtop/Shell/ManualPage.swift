import ArgumentParser
import Ports

/// The manual page adtop(1): verbs and options from the parser's description of itself, settings from their table.
struct ManualPage {
    private let root: ManualCommand
    private let sharedOptions: SharedOptions

    /// - Parameter description: what the parser prints for `--experimental-dump-help`.
    init(_ description: JSONValue) {
        root = ManualCommand(description["command"] ?? .null)
        sharedOptions = SharedOptions(root.all)
    }

    /// Whether the arguments request the page.
    static func isRequested(in arguments: [String]) -> Bool { arguments == ["--generate-manual"] }

    /// The source of the page, in the macros of man(7).
    var text: String {
        let lines =
            [
                ".TH ADTOP 1 \"\(Version.date)\" \"adtop \(Version.current)\" \"User Commands\"", ".nh", ".ad l",
                ".SH NAME",
            ]
            + RoffText.filled("adtop - \(root.abstract)")
            + [".SH SYNOPSIS", ".B adtop", "URL ... [OPTIONS]", ".br", ".B adtop", "VERB [OPTIONS]"]
            + [".SH DESCRIPTION"] + RoffText.paragraphs(root.discussion)
            + [".SH OPTIONS"] + Self.common + [".SH VERBS"] + root.all.dropFirst().flatMap(command)
            + sharedOptions.lines + Self.settings + Self.environment + Self.files
        return lines.joined(separator: "\n") + "\n"
    }

    private static let common =
        RoffText.filled("adtop URL has the options of adtop watch. Every verb has these, too:")
        + RoffText.entry("-h, --help", "Show the help of the verb; adtop --help all lists all verbs.")
        + RoffText.entry("--version", "Show the version, and with what the program was built.")

    private func command(_ command: ManualCommand) -> [String] {
        var lines = [RoffText.request("SS", command.path)] + RoffText.filled(command.abstract)
        if !command.discussion.isEmpty { lines += [".PP"] + RoffText.paragraphs(command.discussion) }
        for option in command.options where !sharedOptions.contains(option) {
            lines += RoffText.entry(option.subject, option.text)
        }
        for group in sharedOptions.groups(of: command) {
            lines.append(".PP")
            lines += RoffText.filled("\(group.title) options, described below:")
            lines += Self.list(group.names)
        }
        return lines
    }

    /// Names in bold with commas between them, one on a line of source.
    private static func list(_ names: [String]) -> [String] {
        names.enumerated().map { index, name in RoffText.bold(name) + (index + 1 < names.count ? "," : ".") }
    }

    private static let settings: [String] = {
        let introduction = """
            A setting is given by its flag, by the environment variable ADTOP_NAME (capitals, _ for -) or by its name in the \
            config file; the first that is given applies. adtop config shows each setting with its value and source.
            """
        return [".SH SETTINGS"] + RoffText.filled(introduction)
            + SettingSection.all.flatMap { section in
                [RoffText.request("SS", "Settings: \(section.title)")]
                    + section.settings.flatMap { spec in
                        RoffText.entry(spec.setting.rawValue, ArgumentHelp.of(spec.setting).abstract)
                    }
            }
    }()

    private static let environment =
        [".SH ENVIRONMENT"]
        + [
            ("ADTOP_CONFIG", "The config file."),
            ("ADTOP_NAME", "The setting NAME, see above."),
            ("ADTOP_STORE", "The store of a fleet, where --store is not given."),
            ("http_proxy, https_proxy, all_proxy, no_proxy", "Proxies, as curl reads them."),
            ("SSL_CERT_FILE, SSL_CERT_DIR", "Certificate authorities to trust, instead of those of the system."),
            ("NO_COLOR, CLICOLOR_FORCE, COLORTERM, TERM", "The colours, if the setting color is auto."),
            ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME", "The folders of the files below."),
        ].flatMap(RoffText.entry)

    private static let files =
        [".SH FILES"]
        + [
            ("$XDG_CONFIG_HOME/adtop/config.yaml", "Settings (default folder ~/.config)."),
            (
                "$XDG_STATE_HOME/adtop/journal.sqlite",
                "Journal of sessions and beacons (default folder ~/.local/state)."
            ),
            (
                "$XDG_CACHE_HOME/adtop/creatives, $XDG_CACHE_HOME/adtop/zones",
                "Creative cache and rewarded zones (default folder ~/.cache)."
            ),
            ("$XDG_DATA_HOME/adtop/tls", "Certificates of the loopback server (default folder ~/.local/share)."),
        ].flatMap(RoffText.entry)
}
