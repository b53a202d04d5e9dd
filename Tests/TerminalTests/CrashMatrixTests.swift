import Foundation
import TestSupport
import Testing

/// Every way out of the program in a real pseudo-terminal (TERM-10).
@Suite struct CrashMatrixTests {
    private static let probe = BuiltProduct.path("terminal-probe")

    private static func environment(_ more: [String: String] = [:]) -> [String: String] {
        let base = [
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
        return base.merging(more) { $1 }
    }

    private static func start(
        _ arguments: [String], environment: [String: String] = environment()
    ) throws -> (terminal: PseudoTerminal, before: PseudoTerminal.Modes) {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        try terminal.run(probe, arguments, environment: environment)
        try terminal.expect("ready")
        return (terminal, before)
    }

    /// The final state of the terminal, whatever happened.
    private static func expectRestored(
        _ terminal: PseudoTerminal, _ before: PseudoTerminal.Modes, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let tracker = ModeTracker(terminal.transcript)
        #expect(tracker.left.isEmpty, sourceLocation: sourceLocation)
        #expect(tracker.isCursorShown, sourceLocation: sourceLocation)
        #expect(tracker.on.contains(7), sourceLocation: sourceLocation)
        #expect(terminal.modes == before, sourceLocation: sourceLocation)
    }

    @Test func theDashboardTakesTheTerminal() throws {
        let (terminal, before) = try Self.start([])
        try terminal.read(waitingFor: "the end of the frame") { !ModeTracker(terminal.transcript).on.contains(2026) }
        let tracker = ModeTracker(terminal.transcript)
        #expect(tracker.left == [1000, 1004, 1006, 1049, 2004])
        #expect(!tracker.isCursorShown)
        #expect(!terminal.modes.isCanonical)
        #expect(!terminal.modes.echoes)
        #expect(before.isCanonical)
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        Self.expectRestored(terminal, before)
        #expect(ModeTracker(terminal.transcript).mainScreen.hasSuffix("probe ended\r\n"))
    }

    #if arch(x86_64)
        private static let trap = SIGILL
    #else
        private static let trap = SIGTRAP
    #endif

    @Test(arguments: [
        ("fatalError", ChildExit.signal(trap)), ("index", .signal(trap)), ("thread", .signal(trap)),
        ("segfault", .signal(SIGSEGV)), ("abort", .signal(SIGABRT)), ("exit", .status(0)),
    ])
    func dyingByItselfRestores(way: String, exit: ChildExit) throws {
        let (terminal, before) = try Self.start([way])
        terminal.type("x")
        #expect(try terminal.waitForExit() == exit)
        Self.expectRestored(terminal, before)
    }

    /// Signals that end a process which does not handle them.
    private static let deadly: [Int32] = {
        let everywhere = [
            SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
            SIGXFSZ, SIGSYS,
        ]
        #if os(Linux)
            let realTime = [__libc_current_sigrtmin(), __libc_current_sigrtmin() + 1, __libc_current_sigrtmax()]
            return everywhere + [SIGPWR, SIGIO, SIGSTKFLT] + realTime
        #else
            return everywhere
        #endif
    }()

    @Test(arguments: deadly) func dyingOfASignalRestores(number: Int32) throws {
        let (terminal, before) = try Self.start([])
        kill(terminal.process, number)
        #expect(try terminal.waitForExit() == .signal(number))
        Self.expectRestored(terminal, before)
    }

    /// The program prints its last line, as after the key for quitting.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func aSignalEndsTheProgramInOrder(number: Int32) throws {
        let (terminal, before) = try Self.start([])
        kill(terminal.process, number)
        #expect(try terminal.waitForExit() == .signal(number))
        Self.expectRestored(terminal, before)
        #expect(ModeTracker(terminal.transcript).mainScreen.hasSuffix("probe ended\r\n"))
    }

    /// The program takes no event any more, so only the guard can end it.
    @Test(arguments: [SIGTERM, SIGHUP]) func aProgramThatHangsIsEndedByTheGuard(number: Int32) throws {
        let (terminal, before) = try Self.start(["hang"])
        terminal.type("x")
        try terminal.expect("hanging")
        kill(terminal.process, number)
        #expect(try terminal.waitForExit(within: .seconds(10)) == .signal(number))
        Self.expectRestored(terminal, before)
    }

    /// Who asks again does not wait. What comes at the same time is one: it may go to the process and to its group.
    @Test func aSecondSignalEndsAProgramThatHangsAtOnce() throws {
        let (terminal, before) = try Self.start(["hang"])
        terminal.type("x")
        try terminal.expect("hanging")
        let clock = ContinuousClock()
        let begin = clock.now
        kill(terminal.process, SIGTERM)
        while clock.now - begin < .milliseconds(200) {}
        kill(terminal.process, SIGINT)
        #expect(try terminal.waitForExit() == .signal(SIGINT))
        #expect(clock.now - begin < .milliseconds(2_500))
        Self.expectRestored(terminal, before)
    }

    @Test func theReasonOfACrashIsPrintedOnTheMainScreen() throws {
        let (terminal, before) = try Self.start(["fatalError"])
        terminal.type("x")
        #expect(try terminal.waitForExit() == .signal(Self.trap))
        Self.expectRestored(terminal, before)
        #expect(ModeTracker(terminal.transcript).mainScreen.contains("Fatal error: probe fails on purpose"))
    }

    /// Nor does it wait for a key of a terminal that may be gone, although it would if it were asked to.
    @Test(arguments: ["no", "yes,timeout=600s"]) func theBacktracerRunsOnTheMainScreen(isInteractive: String) throws {
        let backtrace = [
            "SWIFT_BACKTRACE":
                "enable=yes,interactive=\(isInteractive),color=no,symbolicate=off,threads=crashed,images=none"
        ]
        let (terminal, before) = try Self.start(["fatalError"], environment: Self.environment(backtrace))
        terminal.type("x")
        #expect(try terminal.waitForExit(within: .seconds(120)) == .signal(Self.trap))
        Self.expectRestored(terminal, before)
        let text = ModeTracker(terminal.transcript).mainScreen
        #expect(text.contains("Fatal error: probe fails on purpose"))
        #expect(text.contains("crashed"))
    }

    @Test func aQuitKeyKillsEvenAHangingProgram() throws {
        let (terminal, before) = try Self.start([])
        terminal.type("\u{1C}")
        #expect(try terminal.waitForExit() == .signal(SIGQUIT))
        Self.expectRestored(terminal, before)
    }

    /// It is no crash: no backtracer runs, which would take seconds and ask for a key.
    @Test func aQuitKeyIsNoCrash() throws {
        let backtrace = ["SWIFT_BACKTRACE": "enable=yes,interactive=yes,timeout=600s,color=no,symbolicate=off"]
        let (terminal, before) = try Self.start([], environment: Self.environment(backtrace))
        terminal.type("\u{1C}")
        #expect(try terminal.waitForExit() == .signal(SIGQUIT))
        Self.expectRestored(terminal, before)
        let text = ModeTracker(terminal.transcript).mainScreen
        #expect(text.contains("ended at once by SIGQUIT") && !text.contains("crashed"))
    }

    /// The window takes nothing any more, so the painter hangs in a write (TERM-13).
    @Test(arguments: [("fullTerminate", ChildExit.signal(SIGTERM)), ("fullQuit", .status(0))])
    func aBlockedTerminalStopsNeitherSignalsNorQuitting(way: String, exit: ChildExit) throws {
        let (terminal, before) = try Self.start([way])
        terminal.type("x")
        #expect(try terminal.waitForExit(reading: false) == exit)
        Self.expectRestored(terminal, before)
    }

    @Test func interruptIsAKey() throws {
        let (terminal, _) = try Self.start([])
        terminal.type("\u{3}")
        try terminal.expect("<key C-c>")
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
    }

    @Test func aClosedWindowEndsTheProgram() throws {
        let (terminal, _) = try Self.start([])
        terminal.hangUp()
        #expect(try terminal.waitForExit() == .signal(SIGHUP))
    }

    @Test func aClosedWindowEndsTheProgramThatIgnoresHangUps() throws {
        let terminal = try PseudoTerminal()
        // nohup: an ignored signal stays ignored, and then the reader's EIO ends the events.
        try terminal.run(
            "/bin/sh", ["-c", "trap '' HUP; exec \"$0\"", Self.probe], environment: Self.environment())
        try terminal.expect("ready")
        terminal.hangUp()
        #expect(try terminal.waitForExit() == .status(0))
    }

    @Test func standardErrorWaitsUntilTheTerminalIsBack() throws {
        let (terminal, before) = try Self.start(["stderr"])
        terminal.type("x")
        try terminal.expect("<key x>")
        // The program gets the line at once, for its log; the escape is drawn in a style of its own.
        try terminal.expect("<stderr a library ")
        try terminal.expect("]0;writes>")
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        Self.expectRestored(terminal, before)
        #expect(ModeTracker(terminal.transcript).mainScreen.contains("a library ^[]0;writes\r\n"))
    }

    @Test func suspendGivesTheTerminalToTheShell() throws {
        let terminal = try PseudoTerminal()
        try terminal.run(Self.probe, ["shell"], environment: Self.environment())
        try terminal.expect("ready")
        terminal.type("\u{1A}")
        let stopped = try terminal.expect("shell: stopped by \(SIGTSTP), cooked")
        #expect(ModeTracker(terminal.transcript).left.isEmpty)
        #expect(ModeTracker(terminal.transcript).isCursorShown)
        terminal.resize(columns: 100, rows: 30)
        terminal.type("\n")
        let back = try terminal.expect("ready", after: stopped)
        try terminal.expect("<size 100x30>", after: back)
        #expect(ModeTracker(terminal.transcript).left.contains(1049))
        #expect(!terminal.modes.isCanonical)
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        #expect(ModeTracker(terminal.transcript).left.isEmpty)
        #expect(ModeTracker(terminal.transcript).mainScreen.contains("shell: ended with 0"))
    }

    @Test func aStopFromOutsideSuspendsToo() throws {
        let terminal = try PseudoTerminal()
        try terminal.run(Self.probe, ["shell"], environment: Self.environment())
        try terminal.expect("ready")
        // The foreground group contains the probe alone, not the shell that watches it.
        kill(-terminal.foregroundGroup, SIGTSTP)
        let stopped = try terminal.expect("shell: stopped by \(SIGTSTP), cooked")
        terminal.type("\n")
        try terminal.expect("ready", after: stopped)
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
    }

    /// A shell waits for the script that started the program, and not for the program.
    @Test func theScriptAroundTheProgramStopsWithIt() throws {
        let terminal = try PseudoTerminal()
        try terminal.run(Self.probe, ["shell", "wrapped"], environment: Self.environment())
        try terminal.expect("ready")
        terminal.type("\u{1A}")
        let stopped = try terminal.expect("shell: stopped by \(SIGTSTP), cooked")
        terminal.type("\n")
        try terminal.expect("ready", after: stopped)
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        #expect(ModeTracker(terminal.transcript).mainScreen.contains("shell: ended with 0"))
    }

    /// The entry script of a container, and the command of `ssh -t`: nothing could continue the program.
    @Test func inAScriptWithoutAShellSuspendDoesNothing() throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        try terminal.run("/bin/sh", ["-c", "\"$0\"; exit $?", Self.probe], environment: Self.environment())
        try terminal.expect("ready")
        terminal.type("\u{1A}")
        try terminal.expect("<continued>")
        terminal.type("j")
        try terminal.expect("<key j>")
        #expect(!terminal.modes.isCanonical)
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        Self.expectRestored(terminal, before)
    }

    @Test func withoutAShellSuspendDoesNothing() throws {
        let (terminal, _) = try Self.start([])
        terminal.type("\u{1A}j")
        try terminal.expect("<key j>")
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
    }

    @Test func keysMousePasteFocusAndSizesArrive() throws {
        let (terminal, _) = try Self.start([])
        terminal.type("\u{1B}[A\u{1B}[<0;150;7M\u{1B}[I\u{1B}[200~:q\n\u{1B}[201~é")
        try terminal.expect("<key Up>")
        try terminal.expect("<mouse press left 149,6>")
        try terminal.expect("<focus true>")
        try terminal.expect("<paste :q")
        try terminal.expect("<key é>")
        terminal.type("\u{1B}")
        try terminal.expect("<key Esc>")
        terminal.resize(columns: 40, rows: 12)
        try terminal.expect("<size 40x12>")
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
    }

    @Test func aTerminalWithoutAnEntryIsDrawnAsXterm() throws {
        let (terminal, before) = try Self.start([], environment: Self.environment(["TERM": "no-such-terminal"]))
        terminal.type("j")
        try terminal.expect("<key j>")
        terminal.type("q")
        #expect(try terminal.waitForExit() == .status(0))
        Self.expectRestored(terminal, before)
    }

    @Test(arguments: [
        ("", "TERM is not set"), ("dumb", "cannot place text (no cup)"),
        ("\u{1B}]0;x\u{7}", "unknown terminal type \"^[]0;x^G\""),
    ])
    func anImpossibleTerminalIsAnErrorInOneLine(type: String, message: String) throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        try terminal.run(Self.probe, [], environment: Self.environment(["TERM": type]))
        #expect(try terminal.waitForExit() == .status(1))
        #expect(terminal.modes == before)
        let text = String(decoding: terminal.transcript, as: UTF8.self)
        #expect(text.contains(message))
        #expect(text.contains("; "))
        #expect(!text.contains("\u{1B}"))
    }
}
