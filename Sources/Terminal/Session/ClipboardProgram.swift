/// Programs that put their standard input into a clipboard.
package enum ClipboardProgram: String, Sendable, CaseIterable {
    case tmux, wlCopy = "wl-copy", xclip, pbcopy

    /// The command, found through PATH.
    package var arguments: [String] {
        switch self {
        case .tmux: ["tmux", "load-buffer", "-w", "-"]
        case .wlCopy: ["wl-copy"]
        case .xclip: ["xclip", "-selection", "clipboard"]
        case .pbcopy: ["pbcopy"]
        }
    }

    /// What to run in this environment: tmux besides OSC 52, which it may drop, and then the first of the others that
    /// works (TERM-38).
    package static func plan(
        environment: [String: String], isMacOS: Bool
    ) -> (besides: [ClipboardProgram], firstWorking: [ClipboardProgram]) {
        func has(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        var others: [ClipboardProgram] = []
        if has("WAYLAND_DISPLAY") { others.append(.wlCopy) }
        if has("DISPLAY") { others.append(.xclip) }
        if isMacOS { others.append(.pbcopy) }
        return (has("TMUX") ? [.tmux] : [], others)
    }
}

/// How a text was copied.
package struct ClipboardReport: Sendable, Equatable, CustomStringConvertible {
    /// Whether OSC 52 was sent to the terminal; the terminal does not report whether it obeys.
    package let sentToTerminal: Bool
    /// The programs that accepted the text.
    package let programs: [ClipboardProgram]

    /// What was used.
    package init(sentToTerminal: Bool, programs: [ClipboardProgram]) {
        self.sentToTerminal = sentToTerminal
        self.programs = programs
    }

    /// Whether anything accepted it.
    package var worked: Bool { sentToTerminal || !programs.isEmpty }

    /// Our own words, safe to show: "copied (OSC 52, tmux)".
    package var description: String {
        let ways = (sentToTerminal ? ["OSC 52"] : []) + programs.map(\.rawValue)
        return ways.isEmpty
            ? "not copied: too long for OSC 52 and no clipboard program" : "copied (\(ways.joined(separator: ", ")))"
    }
}
