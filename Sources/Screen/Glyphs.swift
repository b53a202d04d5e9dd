/// The signs the dashboard draws with: one set for Unicode terminals, one in ASCII (`--ascii`, TERM-29).
package struct Glyphs: Sendable, Equatable {
    /// Corners and edges of a box.
    package struct Border: Sendable, Equatable {
        let topLeft, topRight, bottomLeft, bottomRight: Glyph
        /// The edge at top and bottom, also used for rules.
        package let horizontal: Glyph
        /// The edge at left and right.
        package let vertical: Glyph

        init(_ corners: String) {
            let glyphs = Glyphs.glyphs(corners)
            (topLeft, topRight, bottomLeft, bottomRight) = (glyphs[0], glyphs[1], glyphs[2], glyphs[3])
            (horizontal, vertical) = (glyphs[4], glyphs[5])
        }
    }

    /// Whether the set keeps to ASCII.
    package let isASCII: Bool
    /// Shown in place of what was cut off.
    package let ellipsis: Glyph
    /// Border of a pane without focus.
    package let light: Border
    /// Border of the focused pane.
    package let heavy: Border
    /// In front of the focused pane's title where the border cannot show it; empty in Unicode.
    package let focusMark: SafeText
    /// Tree node whose children are shown.
    package let expanded: Glyph
    /// Tree node whose children are hidden.
    package let collapsed: Glyph
    /// Left of the selected row.
    package let cursor: Glyph
    /// Timeline without a break.
    package let track: Glyph
    /// Timeline: part of a break already played.
    package let past: Glyph
    /// Timeline: part of a break to come.
    package let future: Glyph
    /// Timeline: played, and a beacon failed; played while observing; not sent; played, and has no beacons.
    package let lost, seen, unsent, silent: Glyph
    /// Timeline: the playhead.
    package let playhead: Glyph
    /// Sparkline levels from lowest to highest.
    package let sparks: [Glyph]
    /// Filled and empty part of a gauge.
    package let gaugeFull, gaugeEmpty: Glyph
    /// A replay that plays, one that is paused, and the position in its bar.
    package let playing, paused, thumb: Glyph
    /// Findings that need a look.
    package let warning: Glyph
    private let states: [Glyph]
    private let cells: [Glyph]

    /// The sign of a state in one cell.
    package func sign(_ state: StateSign) -> Glyph { states[Int(state.rawValue)] }

    /// A cell of a bar of states; states differ without colour, too.
    package func cell(_ state: StateSign) -> Glyph { cells[Int(state.rawValue)] }

    /// The sign of a state as a row shows it: bracketed in ASCII, where a letter alone would read as text.
    package func badge(_ state: StateSign) -> SafeText {
        isASCII ? "[" + SafeText(sign(state)) + "]" : SafeText(sign(state))
    }

    /// Signs; states avoid glyphs of ambiguous width where they can.
    package static let unicode = Glyphs(
        isASCII: false, ellipsis: glyphs("…")[0], light: Border("┌┐└┘─│"), heavy: Border("┏┓┗┛━┃"), focusMark: "",
        expanded: glyphs("▾")[0], collapsed: glyphs("▸")[0], cursor: glyphs(">")[0],
        track: glyphs("─")[0], past: glyphs("▓")[0], future: glyphs("░")[0], lost: glyphs("╳")[0],
        seen: glyphs("▒")[0], unsent: glyphs("╱")[0], silent: glyphs("═")[0], playhead: glyphs("┃")[0],
        sparks: glyphs("▁▂▃▄▅▆▇█"),
        gaugeFull: glyphs("█")[0],
        gaugeEmpty: glyphs("░")[0],
        playing: glyphs("▶")[0], paused: glyphs("■")[0], thumb: glyphs("●")[0], warning: glyphs("⚠")[0],
        states: glyphs("○◌↻✓✗⊘◪?◦●"), cells: glyphs("░▓▓█✗·◪?▒█"))

    /// The same in ASCII.
    package static let ascii = Glyphs(
        isASCII: true, ellipsis: glyphs("~")[0], light: Border("++++-|"), heavy: Border("++++=|"), focusMark: ">",
        expanded: glyphs("-")[0], collapsed: glyphs("+")[0], cursor: glyphs(">")[0],
        track: glyphs("-")[0], past: glyphs("#")[0], future: glyphs(".")[0], lost: glyphs("x")[0],
        seen: glyphs("o")[0], unsent: glyphs("/")[0], silent: glyphs("=")[0], playhead: glyphs("|")[0],
        sparks: glyphs("_.,-=+*#"),
        gaugeFull: glyphs("#")[0],
        gaugeEmpty: glyphs(".")[0],
        playing: glyphs(">")[0], paused: glyphs("=")[0], thumb: glyphs("O")[0], warning: glyphs("!")[0],
        states: glyphs(".o~+x-%?*@"), cells: glyphs(".oo#x-%?*#"))

    /// One narrow glyph per scalar of a literal of this file.
    private static func glyphs(_ literal: String) -> [Glyph] {
        literal.unicodeScalars.map { Glyph(raw: $0.value) }
    }
}

/// The states a row can be in, each with sign, word and role, so that no meaning depends on colour alone (TERM-29).
package enum StateSign: UInt8, CaseIterable, Sendable {
    case idle, busy, retry, done, failed, off, partial, unknown, observed, onAir

    /// The role of sign and word.
    package var role: Role {
        switch self {
        case .idle: .stateIdle
        case .busy: .stateBusy
        case .retry: .stateRetry
        case .done: .stateDone
        case .failed: .stateFailed
        case .off: .stateOff
        case .partial: .statePartial
        case .unknown: .stateUnknown
        case .observed: .stateObserved
        case .onAir: .headerLive
        }
    }

    /// The state's word, shown wherever there is room.
    package var word: SafeText {
        switch self {
        case .idle: "idle"
        case .busy: "busy"
        case .retry: "retry"
        case .done: "done"
        case .failed: "failed"
        case .off: "not sent"
        case .partial: "partial"
        case .unknown: "unknown"
        case .observed: "observed"
        case .onAir: "on air"
        }
    }

    /// A parent shows its child of the highest urgency: failed, then what is undecided, then what is at rest (TERM-29).
    package var urgency: Int {
        switch self {
        case .off: 0
        case .done: 1
        case .observed: 2
        case .onAir: 3
        case .idle: 4
        case .retry: 5
        case .busy: 6
        case .unknown: 7
        case .partial: 8
        case .failed: 9
        }
    }
}
