import CNcurses
import Foundation
import Screen
import TestSupport
import Testing

@testable import Terminal

/// The painter on files instead of a terminal (TERM-24). ncurses has one screen per process: never two at a time.
@Suite(.serialized) struct CursesTerminalTests {
    private final class Fixture {
        let terminal: CursesTerminal
        private let output: Int32
        private var offset: off_t = 0

        init(type: String = "xterm-256color", columns: Int = 40, rows: Int = 10, locale: String = "C.UTF-8") throws {
            setenv("LINES", "\(rows)", 1)
            setenv("COLUMNS", "\(columns)", 1)
            setenv("LC_ALL", locale, 1)
            let path = NSTemporaryDirectory() + "/painter-\(UUID().uuidString)"
            output = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            // Without a name it ends with its descriptor, also when the next line throws or the process dies.
            unlink(path)
            let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(input) }
            terminal = try CursesTerminal(
                TerminalOptions(
                    environment: ["TERM": type], device: .descriptors(input: input, output: output), mouse: true))
        }

        deinit {
            terminal.close()
            close(output)
        }

        /// The bytes that were written since the last call.
        func written() -> String {
            var text = Data()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = pread(output, &buffer, buffer.count, offset), count > 0 {
                text.append(contentsOf: buffer.prefix(count))
                offset += off_t(count)
            }
            return String(decoding: text, as: UTF8.self)
        }

        func paint(_ grid: Grid, _ painter: inout FramePainter, cursor: Point? = nil) {
            var backend = terminal
            painter.paint(grid, cursor: cursor, on: &backend)
        }

        /// The row as ncurses holds it; the right half of a wide character is left out.
        func row(_ y: Int, columns: Int) -> String {
            var text = "", x = 0
            while x < columns {
                var attributes: attr_t = 0
                var pair: Int16 = 0
                let value = curses_character(Int32(y), Int32(x), &attributes, &pair)
                let scalar = Unicode.Scalar(UInt32(bitPattern: value)) ?? "?"
                text.unicodeScalars.append(scalar)
                x += max(Int(curses_width(value)), 1)
            }
            return text
        }
    }

    private func grid(_ lines: [SafeText], columns: Int = 40, rows: Int = 10) -> Grid {
        var grid = Grid(size: Size(columns: columns, rows: rows))
        for (y, line) in lines.enumerated() { grid.put(line, at: Point(x: 0, y: y)) }
        return grid
    }

    @Test func openingTakesTheAlternateScreenAndTheModes() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["hello"]), &painter)
        let tracker = ModeTracker(Array(fixture.written().utf8))
        #expect(tracker.left == [1000, 1004, 1006, 1049, 2004])
        #expect(!tracker.isCursorShown)
        #expect(fixture.row(0, columns: 7) == "hello  ")
        #expect(fixture.terminal.size == Size(columns: 40, rows: 10))
        #expect(fixture.terminal.capabilities.depth == .indexed256)
        #expect(fixture.terminal.capabilities.isUTF8)
    }

    @Test func closingGivesEverythingBack() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["hello"]), &painter)
        fixture.terminal.close()
        fixture.terminal.close()
        let written = fixture.written()
        let tracker = ModeTracker(Array(written.utf8))
        #expect(tracker.left.isEmpty)
        #expect(tracker.isCursorShown)
        // Otherwise a multiplexer whose window has grown shows the last picture on the main screen.
        let picture = try #require(written.firstRange(of: "hello")).upperBound
        let end = try #require(written.firstRange(of: "\u{1B}[?1049l")).lowerBound
        #expect(picture < end && written[picture..<end].contains("\u{1B}[2J"))
    }

    @Test func onlyWhatChangedIsSent() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["one", "two"]), &painter)
        _ = fixture.written()
        fixture.paint(grid(["one", "two"]), &painter)
        #expect(fixture.written() == "")
        fixture.paint(grid(["one", "twX"]), &painter)
        let bytes = fixture.written()
        #expect(bytes.contains("X"))
        #expect(!bytes.contains("one"))
        #expect(bytes.hasPrefix("\u{1B}[?2026h"))
        #expect(bytes.hasSuffix("\u{1B}[?2026l"))
    }

    @Test func aRedrawSendsEverythingAgain() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["one"]), &painter)
        _ = fixture.written()
        var backend = fixture.terminal
        painter.invalidate(&backend)
        fixture.paint(grid(["one"]), &painter)
        #expect(fixture.written().contains("one"))
    }

    @Test func theCursorIsShownWhereAsked() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["one"]), &painter, cursor: Point(x: 17, y: 4))
        let bytes = fixture.written()
        #expect(bytes.contains("\u{1B}[5;18H"))
        #expect(ModeTracker(Array(bytes.utf8)).isCursorShown)
        fixture.paint(grid(["one"]), &painter)
        #expect(!ModeTracker(Array(bytes.utf8) + Array(fixture.written().utf8)).isCursorShown)
    }

    @Test func wideCharactersTakeTwoColumnsAndCanBeOverwritten() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid([SafeText(outside: "a日本b"), SafeText(outside: "e\u{301}x")]), &painter)
        #expect(fixture.row(0, columns: 8) == "a日本b  ")
        #expect(fixture.written().contains("e\u{301}x"))
        var next = grid([SafeText(outside: "a日本b")])
        next.put("Z", at: Point(x: 2, y: 0))
        fixture.paint(next, &painter)
        #expect(fixture.row(0, columns: 8) == "a Z本b  ")
    }

    @Test func aWideCharacterNeverWrapsAtTheEdge() throws {
        let fixture = try Fixture(columns: 10, rows: 3)
        var painter = FramePainter()
        fixture.paint(grid([SafeText(outside: "123456789日"), "next"], columns: 12, rows: 5), &painter)
        #expect(fixture.row(0, columns: 10) == "123456789 ")
        #expect(fixture.row(1, columns: 10) == "next      ")
    }

    @Test func outsideTextReachesTheTerminalOnlyEscaped() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid([SafeText(outside: "a\u{1B}]0;evil\u{7}b\u{202E}")]), &painter)
        let bytes = fixture.written()
        #expect(fixture.row(0, columns: 21) == "a^[]0;evil^Gb<U+202E>")
        #expect(!bytes.contains("\u{1B}]0;"))
        #expect(!bytes.unicodeScalars.contains("\u{202E}"))
    }

    @Test func withoutUTF8OtherCharactersAreQuestionMarks() throws {
        let fixture = try Fixture(locale: "C")
        defer { setenv("LC_ALL", "C.UTF-8", 1) }
        var painter = FramePainter()
        #expect(!fixture.terminal.capabilities.isUTF8)
        fixture.paint(grid([SafeText(outside: "a日é│b")]), &painter)
        #expect(fixture.row(0, columns: 7) == "a? ??b ")
        #expect(fixture.written().utf8.allSatisfy { $0 < 0x80 })
    }

    private func palette(_ style: Style, depth: ColorDepth = .indexed256) -> Palette {
        Palette(depth: depth) { $0 == .text ? style : .plain }
    }

    @Test func colorsAndAttributesArePainted() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.terminal.use(
            palette(Style(foreground: .indexed(204), background: .ansi(.blue), attributes: [.bold, .italic])))
        fixture.paint(grid(["hello"]), &painter)
        let bytes = fixture.written()
        #expect(bytes.contains("38;5;204"))
        #expect(bytes.contains("\u{1B}[44m") || bytes.contains("48;5;4"))
        #expect(bytes.contains("\u{1B}[0;1m"))
        #expect(bytes.contains("\u{1B}[3m"))
    }

    @Test func thePlainStyleLeavesTheTerminalsOwnColors() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["hello"]), &painter)
        let bytes = fixture.written()
        #expect(!bytes.contains("[30m") && !bytes.contains("[40m") && !bytes.contains("38;5") && !bytes.contains("]4;"))
    }

    @Test func eightColorTerminalsGetTheirEight() throws {
        let fixture = try Fixture(type: "xterm")
        var painter = FramePainter()
        #expect(fixture.terminal.capabilities.depth == .ansi8)
        fixture.terminal.use(palette(Style(foreground: .ansi(.brightRed)), depth: .ansi8))
        fixture.paint(grid(["hello"]), &painter)
        #expect(fixture.written().contains("\u{1B}[31m"))
    }

    @Test func terminalsWithoutColorGetAttributesOnly() throws {
        let fixture = try Fixture(type: "vt100")
        var painter = FramePainter()
        #expect(fixture.terminal.capabilities.depth == .none)
        fixture.terminal.use(palette(Style(foreground: .ansi(.red), attributes: .reverse), depth: .none))
        fixture.paint(grid(["hello"]), &painter)
        let bytes = fixture.written()
        #expect(bytes.contains("hello"))
        #expect(!bytes.contains("\u{1B}[31m"))
        #expect(bytes.contains("\u{1B}[0;7m"))
    }

    @Test(arguments: [
        ("", TerminalError.typeUnset), ("dumb", .typeTooPlain("dumb", missing: "cup")),
        ("a\u{1B}b", .typeUnknown("a\u{1B}b")),
    ])
    func anUnusableTypeIsRefused(type: String, error: TerminalError) {
        #expect(throws: error) { _ = try Fixture(type: type) }
    }

    /// What has no entry here is most likely a newer terminal that understands xterm.
    @Test(arguments: ["nowhere", "../../etc/passwd"]) func anUnknownTypeIsDrawnAsXterm(type: String) throws {
        let fixture = try Fixture(type: type)
        #expect(fixture.terminal.capabilities.unknownType == type)
        #expect(fixture.terminal.capabilities.type == "xterm-256color")
    }

    @Test func theFramesOfASuspendedScreenComeBackWhole() throws {
        let fixture = try Fixture()
        var painter = FramePainter()
        fixture.paint(grid(["one"]), &painter)
        fixture.terminal.leave()
        let left = ModeTracker(Array(fixture.written().utf8))
        #expect(left.left.isEmpty && left.isCursorShown)
        fixture.terminal.enter()
        var backend = fixture.terminal
        painter.invalidate(&backend)
        fixture.paint(grid(["one"]), &painter)
        let bytes = fixture.written()
        #expect(bytes.contains("one"))
        #expect(ModeTracker(Array(bytes.utf8)).left == [1000, 1004, 1006, 1049, 2004])
    }
}
