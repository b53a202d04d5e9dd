import Foundation
import Screen
import Terminal

/// A program for the tests of the terminal: opens the dashboard's terminal and then follows its argument.
///
/// It shows `ready`, then every event it gets; the key `x` makes it end in the way of the argument, `q` ends it cleanly.
@main
enum Probe {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "shell" {
            arguments.removeFirst()
            exit(JobShell.run(arguments))
        }
        if arguments.first == "job" {
            arguments.removeFirst()
            JobShell.becomeForegroundJob()
            if arguments.first == "wrapped" { JobShell.becomeScript() }
        }
        do throws(TerminalError) {
            var screen = ProbeScreen(way: arguments.first ?? "")
            try await screen.run()
        } catch {
            FileHandle.standardError.write(Data("probe: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// The screen of the probe and its way to end.
struct ProbeScreen {
    private let way: String
    private var size = Size.zero
    private var lines: [SafeText] = ["ready"]

    /// What comes from the terminal.
    private enum News: CustomStringConvertible {
        case event(InputEvent)
        case stderr(String)

        var description: String {
            switch self {
            case .event(let event): ProbeScreen.name(event)
            case .stderr(let line): "stderr \(line)"
            }
        }
    }

    init(way: String) {
        self.way = way
    }

    mutating func run() async throws(TerminalError) {
        let session = try await TerminalSession.open(TerminalOptions(environment: ProcessInfo.processInfo.environment))
        size = session.capabilities.size
        show(on: session)
        let (news, sink) = AsyncStream.makeStream(of: News.self)
        // Both end with the terminal.
        Task {
            for await event in session.events { sink.yield(.event(event)) }
            sink.finish()
        }
        Task { for await line in session.stderrLines { sink.yield(.stderr(line)) } }
        for await item in news {
            guard case .event(let event) = item else {
                lines.append(SafeText(outside: "<\(item)>"))
                show(on: session)
                continue
            }
            if event == .key(KeyPress(.char("q"))) { break }
            if event == .key(KeyPress(.char("x"))) {
                if way == "hang" {
                    lines.append(SafeText(outside: "hanging"))
                    show(on: session)
                }
                go()
            }
            if case .resize(let size) = event { self.size = size }
            lines.append(SafeText(outside: "<\(item)>"))
            show(on: session)
            if way == "fullQuit", event == .key(KeyPress(.char("x"))) { break }
        }
        await session.close()
        print("probe ended")
    }

    private func show(on session: TerminalSession) {
        var grid = Grid(size: size, widths: session.capabilities.widths)
        for (y, line) in lines.suffix(max(size.rows, 1)).enumerated() { grid.put(line, at: Point(x: 0, y: y)) }
        session.show(TerminalFrame(grid: grid, palette: .plain))
    }

    /// Fills the terminal until it accepts no output, so that the next frame hangs in a write.
    private func fillTerminal() {
        let fd = open("/dev/tty", O_WRONLY | O_NONBLOCK)
        let bytes = [UInt8](repeating: UInt8(ascii: "."), count: 1024)
        // A failed write alone may mean that the painter holds the terminal at the moment.
        var ready = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        while write(fd, bytes, bytes.count) > 0 || poll(&ready, 1, 50) > 0 {}
        close(fd)
    }

    private static func name(_ event: InputEvent) -> String {
        switch event {
        case .key(let press): "key \(press)"
        case .mouse(let mouse): "mouse \(mouse.kind) \(mouse.button) \(mouse.point.x),\(mouse.point.y)"
        case .paste(let text): "paste \(text)"
        case .focus(let isFocused): "focus \(isFocused)"
        case .background(let isLight): "background \(isLight ? "light" : "dark")"
        case .stopping: "stopping"
        case .continued: "continued"
        case .resize(let size): "size \(size.columns)x\(size.rows)"
        }
    }

    /// The ways to die (TERM-10).
    private func go() {
        switch way {
        case "fatalError": fatalError("probe fails on purpose")
        case "index": print([Int]()[lines.count])
        case "segfault": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
        case "abort": abort()
        case "exit": exit(0)
        case "thread": Thread.detachNewThread { fatalError("probe fails on purpose") }
        case "stderr": FileHandle.standardError.write(Data("a library \u{1B}]0;writes\n".utf8))
        case "fullQuit": fillTerminal()
        case "fullTerminate":
            fillTerminal()
            kill(getpid(), SIGTERM)
        case "hang": while true { sleep(1) }
        default: break
        }
    }
}
