/// What a caller decides about the terminal before it is opened. Values only: the environment is given, not read.
package struct TerminalOptions: Sendable {
    /// Where the dashboard appears.
    package enum Device: Sendable, Equatable {
        /// The process's own terminal, whatever standard input and output are (TERM-4).
        case controllingTerminal
        /// Open descriptors, for tests; they are duplicated and stay the caller's.
        case descriptors(input: Int32, output: Int32)
    }

    /// The process's environment: TERM, COLORTERM, TMUX, WAYLAND_DISPLAY, DISPLAY are looked at.
    package var environment: [String: String]
    /// Where to appear.
    package var device: Device
    /// Whether clicks and the wheel are reported; the terminal's own selection then needs Shift.
    package var mouse: Bool
    /// Whether to look for a direct-colour entry when COLORTERM promises 24 bits. Such an entry loses the user's own
    /// bright colours (TERM-23), so it is worth it only for a theme that uses 24-bit colours.
    package var directColor: Bool
    /// Whether descriptor 2 is diverted while the dashboard runs, when it is a terminal.
    package var capturesStderr: Bool

    /// The usual dashboard on the process's own terminal.
    package init(
        environment: [String: String], device: Device = .controllingTerminal, mouse: Bool = true,
        directColor: Bool = false, capturesStderr: Bool = true
    ) {
        self.environment = environment
        self.device = device
        self.mouse = mouse
        self.directColor = directColor
        self.capturesStderr = capturesStderr
    }

    /// Whether the terminal is asked for its background: those that know OSC 11 or skip it. Others would show the question
    /// (TERM-40).
    var asksForBackground: Bool {
        let families = [
            "xterm", "tmux", "screen", "rxvt", "foot", "alacritty", "kitty", "wezterm", "ghostty", "konsole", "vte",
            "gnome",
            "contour", "mlterm", "iterm", "st-",
        ]
        let name = environment["TERM"]?.lowercased() ?? ""
        return families.contains { name.hasPrefix($0) }
    }

    /// Whether COLORFGBG, which some terminals set, has a light background; nil without it. Its last field is the number
    /// of a colour of 16.
    package var isLightByEnvironment: Bool? {
        guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let number = Int(last),
            (0...15).contains(number)
        else { return nil }
        return number == 7 || number > 8
    }

    /// Whether COLORTERM promises 24-bit colour.
    var promisesTruecolor: Bool {
        let value = environment["COLORTERM"]?.lowercased()
        return value == "truecolor" || value == "24bit"
    }
}
