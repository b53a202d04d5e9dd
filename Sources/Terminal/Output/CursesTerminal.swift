import CNcurses
import CTerminalGuard
package import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The terminal through ncurses: opens it, paints changed runs, gives it back.
///
/// ncurses keeps one screen per process in globals and is not thread-safe: all of this happens on one thread
/// (`TerminalThread`), and only one instance exists at a time. `ScreenBackend` documents `begin`, `paint` and `end`.
package final class CursesTerminal: ScreenBackend {
    /// What can be shown.
    package let capabilities: TerminalCapabilities
    /// The keys that terminfo names, for the input decoder.
    package let keys: TerminfoKeys
    /// The descriptor to read keys from.
    var inputDescriptor: Int32 { device.inputDescriptor }

    private let device: TerminalDevice
    private let entry: TerminfoEntry
    private let screen: OpaquePointer
    private let isGuarded: Bool
    private let mouse: Bool
    private var painter: CellPainter
    private var cursorVisible: Bool?
    private var isOpen = true
    private var holdsScreen = true

    /// Opens the terminal and takes over its screen. The terminal is as it was when this throws.
    package init(_ options: TerminalOptions) throws(TerminalError) {
        setlocale(LC_CTYPE, "")
        let device = try TerminalDevice(options.device)
        do throws(TerminalError) {
            let entry = try CursesTerminal.entry(for: options, device)
            isGuarded = try CursesTerminal.arm(device, entry)
            // Left in the environment they would override the real size (TERM-8); a file has no other size.
            if device.isTerminal {
                unsetenv("LINES")
                unsetenv("COLUMNS")
            }
            guard let screen = newterm(strdup(entry.name), device.output, device.input) else {
                terminal_guard_disable()
                throw TerminalError.refused(entry.name)
            }
            self.entry = entry
            self.screen = screen
        } catch {
            device.close()
            throw error
        }
        self.device = device
        keys = entry.keys
        mouse = options.mouse
        let isUTF8 = curses_locale_is_utf8() != 0
        let size = SystemCalls.windowSize(of: device.outputDescriptor) ?? CursesTerminal.knownSize
        capabilities = TerminalCapabilities(
            type: entry.name, unknownType: CursesTerminal.unknownType(options, entry), depth: entry.depth,
            isUTF8: isUTF8, widths: isUTF8 ? WidthProbe.measure() : .standard, size: size)
        painter = CellPainter(
            colors: ColorNumbers(colors: entry.colors, isDirect: entry.isDirectColor), isUTF8: isUTF8, palette: .plain)
        prepare()
    }

    /// The entry of TERM or, if wanted and promised, its direct-colour sibling, which seldom is installed (TERM-23).
    private static func entry(for options: TerminalOptions, _ device: TerminalDevice) throws(TerminalError)
        -> TerminfoEntry
    {
        let name = options.environment["TERM"] ?? ""
        if options.directColor, options.promisesTruecolor, !name.isEmpty {
            let suffix = "-256color"
            let family = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
            // Absence is the normal case: the plain entry follows.
            let direct = try? TerminfoEntry(name: family + "-direct", fd: device.outputDescriptor)
            if let direct, direct.isDirectColor { return direct }
        }
        do throws(TerminalError) {
            return try TerminfoEntry(name: name, fd: device.outputDescriptor)
        } catch {
            // Terminals with a name of their own, as alacritty and kitty, understand xterm; a server seldom has their
            // entry.
            guard case .typeUnknown(let name) = error, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
                let known = try? TerminfoEntry(name: fallback, fd: device.outputDescriptor)
            else { throw error }
            return known
        }
    }

    /// The entry of a terminal that has none.
    private static let fallback = "xterm-256color"

    /// TERM, where the entry is not its own.
    private static func unknownType(_ options: TerminalOptions, _ entry: TerminfoEntry) -> String? {
        guard let name = options.environment["TERM"], entry.name == fallback, name != fallback, !entry.isDirectColor
        else { return nil }
        return name
    }

    /// Arms the guard before ncurses changes anything; its handlers then find ours and do not replace them (TERM-7).
    private static func arm(_ device: TerminalDevice, _ entry: TerminfoEntry) throws(TerminalError) -> Bool {
        guard device.isTerminal else { return false }
        let reset = TerminalModes.reset(for: entry)
        let code = terminal_guard_enable(device.outputDescriptor, device.outputDescriptor, reset, reset.count)
        guard code == 0 else { throw .system("cannot take over the terminal", code) }
        return true
    }

    private func prepare() {
        cbreak()
        noecho()
        nonl()
        takeKeys()
        _ = curses_options()
        if entry.colors > 0 {
            start_color()
            use_default_colors()
        }
        painter.reset(palette: .plain, pairs: Int(curses_color_pairs()))
        send(TerminalModes.entering(mouse: mouse))
    }

    /// ^C and ^Z arrive as keys, so that quitting is orderly; ^\ still kills, should the program ever hang. ^S must not
    /// stop the output (TERM-12), ^V and ^O are not editing keys here.
    private func takeKeys() {
        guard device.isTerminal else { return }
        var modes = termios()
        guard tcgetattr(device.inputDescriptor, &modes) == 0 else { return }
        modes.c_iflag &= ~tcflag_t(IXON)
        modes.c_lflag &= ~tcflag_t(IEXTEN)
        withUnsafeMutableBytes(of: &modes.c_cc) { keys in
            keys[Int(VINTR)] = CursesTerminal.disabledKey
            keys[Int(VSUSP)] = CursesTerminal.disabledKey
        }
        tcsetattr(device.inputDescriptor, TCSANOW, &modes)
        def_prog_mode()
    }

    #if canImport(Glibc)
        private static let disabledKey: UInt8 = 0
    #else
        private static let disabledKey: UInt8 = 0xFF
    #endif

    private static var knownSize: Size { Size(columns: Int(curses_columns()), rows: Int(curses_rows())) }

    /// Sends bytes past ncurses; only to terminals that understand private modes.
    func send(_ bytes: [UInt8]) {
        guard entry.isANSI, isOpen else { return }
        SystemCalls.writeAll(bytes, to: device.outputDescriptor)
    }
}

extension CursesTerminal {
    package var size: Size { SystemCalls.windowSize(of: device.outputDescriptor) ?? CursesTerminal.knownSize }

    /// The palette in use.
    package var palette: Palette { painter.palette }

    /// Uses another palette; the next frame has to be a whole one.
    package func use(_ palette: Palette) {
        painter.reset(palette: palette, pairs: Int(curses_color_pairs()))
    }

    /// Passes the terminal's size to ncurses; true when it is new, and then the next frame has to be a whole one.
    package func adoptSize() -> Bool {
        let actual = size
        guard actual != CursesTerminal.knownSize, actual.columns > 0, actual.rows > 0 else { return false }
        resizeterm(Int32(actual.rows), Int32(actual.columns))
        return true
    }

    /// A frame needs no preparation: cells beyond the terminal's edges are clipped.
    package func begin(size: Size) {}

    package func paint(_ run: CellRun, of grid: Grid) {
        painter.paint(run, of: grid)
    }

    package func end(cursor: Point?) {
        showCursor(cursor)
        curses_stage()
        send(TerminalModes.frameStart)
        doupdate()
        send(TerminalModes.frameEnd)
    }

    private func showCursor(_ cursor: Point?) {
        if let cursor { curses_move(Int32(clamping: cursor.y), Int32(clamping: cursor.x)) }
        guard cursorVisible != (cursor != nil) else { return }
        cursorVisible = cursor != nil
        curs_set(cursor == nil ? 0 : 1)
    }

    package func invalidate() {
        curses_erase()
        curses_repaint()
    }

    package func close() {
        guard isOpen else { return }
        leave()
        isOpen = false
        delscreen(screen)
        if isGuarded { terminal_guard_disable() }
        device.close()
    }

    /// Gives the screen to the shell; `enter` takes it back.
    func leave() {
        guard holdsScreen else { return }
        holdsScreen = false
        send(TerminalModes.leaving)
        send(entry.erasing)
        endwin()
        guard isGuarded else { return }
        terminal_guard_restore_modes()
        // Reports of the mouse that were on their way would land on the shell's command line.
        tcflush(device.inputDescriptor, TCIFLUSH)
        terminal_guard_pause()
    }

    /// Takes the screen back; the next frame has to be a whole one.
    func enter() {
        holdsScreen = true
        if isGuarded { terminal_guard_resume() }
        reset_prog_mode()
        send(TerminalModes.entering(mouse: mouse))
        cursorVisible = nil
    }
}
