import Foundation
import Locks
import Screen
import Testing

@testable import Terminal

@Suite struct PaintQueueTests {
    private func frame(_ columns: Int) -> TerminalFrame {
        TerminalFrame(grid: Grid(size: Size(columns: columns, rows: 1)), palette: .plain)
    }

    @Test func onlyTheNewestFrameIsPainted() {
        let queue = PaintQueue()
        #expect(!queue.show(frame(1)))
        #expect(queue.show(frame(2)))
        #expect(queue.show(frame(3)))
        #expect(queue.next().frame?.grid.size.columns == 3)
        #expect(!queue.show(frame(4)))
    }

    @Test func ordersKeepTheirOrderAndComeWithTheFrame() {
        let queue = PaintQueue()
        queue.add(.suspend)
        queue.add(.resume)
        queue.show(frame(1))
        let batch = queue.next()
        #expect(batch.orders == [.suspend, .resume])
        #expect(batch.frame != nil)
    }

    @Test func repaintsAreOne() {
        let queue = PaintQueue()
        for _ in 0..<100 { #expect(queue.add(.invalidate)) }
        #expect(queue.next().orders == [.invalidate])
    }

    @Test func ordersAreBoundedAndClosingIsNot() {
        let queue = PaintQueue()
        for _ in 0..<PaintQueue.orderLimit { #expect(queue.add(.send([7]))) }
        #expect(!queue.add(.send([7])))
        #expect(queue.add(.close))
        #expect(queue.next().orders.last == .close)
    }
}

@Suite struct InputReaderTests {
    /// Runs a reader over bytes that are already there, up to their end.
    private func read(_ input: String, signals: [UInt8] = []) -> (events: [InputEvent], notices: [InputReader.Notice]) {
        let keys = Pipe(), wake = Pipe()
        keys.fileHandleForWriting.write(Data(input.utf8))
        wake.fileHandleForWriting.write(Data(signals))
        keys.fileHandleForWriting.closeFile()
        var reader = InputReader(
            input: keys.fileHandleForReading.fileDescriptor, pipe: wake.fileHandleForReading.fileDescriptor, keys: .none
        )
        var events: [InputEvent] = [], notices: [InputReader.Notice] = []
        reader.run(event: { events.append($0) }, notice: { notices.append($0) })
        return (events, notices)
    }

    @Test func theEndOfTheTerminalEndsTheReader() {
        #expect(read("j\u{1B}[A").events == [.key(KeyPress(.char("j"))), .key(KeyPress(.up))])
    }

    @Test func controlZIsNoKeyButARequest() {
        let result = read("j\u{1A}k")
        #expect(result.events == [.key(KeyPress(.char("j"))), .key(KeyPress(.char("k")))])
        #expect(result.notices == [.suspendRequested])
    }

    @Test func signalsOfOneWakeUpCountOnce() {
        #expect(read("", signals: Array("WWCWTW".utf8)).notices == [.continued, .resized, .suspendRequested])
    }

    @Test func theStopByteEndsTheReader() {
        #expect(read("", signals: [InputReader.stop]).notices == [])
    }
}

@Suite struct ClipboardTests {
    @Test(
        arguments: [
            ([:], false, []), (["TMUX": "/tmp/x,1,0"], false, ["tmux"]), (["TMUX": ""], false, []),
            (["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"], false, ["wl-copy", "xclip"]),
            (["DISPLAY": ":0", "TMUX": "x"], false, ["tmux", "xclip"]), ([:], true, ["pbcopy"]),
        ] as [([String: String], Bool, [String])])
    func theEnvironmentDecidesWhatIsTried(environment: [String: String], isMacOS: Bool, programs: [String]) {
        let plan = ClipboardProgram.plan(environment: environment, isMacOS: isMacOS)
        #expect((plan.besides + plan.firstWorking).map(\.rawValue) == programs)
    }

    @Test func theReportNamesWhatWasUsed() async {
        let sent = Locked<[UInt8]>([])
        let clipboard = Clipboard(environment: ["TMUX": "x", "WAYLAND_DISPLAY": "w", "DISPLAY": ":0"]) {
            arguments, input, _ in
            input == Array("url".utf8) && arguments.first != "wl-copy"
        }
        let report = await clipboard.copy("url") { bytes in
            sent.withLock { $0 = bytes }
            return true
        }
        #expect(sent.withLock { $0 } == Array("\u{1B}]52;c;dXJs\u{7}".utf8))
        #expect(report == ClipboardReport(sentToTerminal: true, programs: [.tmux, .xclip]))
        #expect(report.description == "copied (OSC 52, tmux, xclip)")
    }

    @Test func aTextTooLongForOSC52GoesToTheProgramsOnly() async {
        let text = String(repeating: "a", count: TerminalSequence.clipboardLimit)
        let none = await Clipboard(environment: [:]).copy(text) { _ in true }
        #expect(!none.worked)
        let tmux = await Clipboard(environment: ["TMUX": "x"]) { _, input, _ in input.count == text.utf8.count }
            .copy(text) { _ in true }
        #expect(tmux == ClipboardReport(sentToTerminal: false, programs: [.tmux]))
    }
}

@Suite struct SubprocessTests {
    private func run(_ script: String, input: [UInt8] = [], limit: Duration = .seconds(30)) -> Bool {
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "WANTED": "yes"]
        return Subprocess.run(["sh", "-c", script], input: input, environment: environment, limit: limit)
    }

    @Test func theStatusDecides() {
        #expect(run("exit 0"))
        #expect(!run("exit 3"))
        #expect(!run("kill -9 $$"))
        #expect(run("test \"$WANTED\" = yes"))
        #expect(!Subprocess.run(["no-such-program-here"], input: [], environment: [:], limit: .seconds(30)))
    }

    @Test func allOfTheInputArrives() {
        let input = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(run("test \"$(wc -c)\" -eq 1000000", input: input))
    }

    @Test func aProgramThatDoesNotReadIsNoDanger() {
        #expect(!run("exec <&-; exit 0", input: [UInt8](repeating: 0, count: 4_000_000)))
    }

    @Test func aProgramThatHangsIsKilled() {
        #expect(!run("exec sleep 1000", limit: .milliseconds(50)))
    }
}
