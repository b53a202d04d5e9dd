import CNcurses
import Screen
import TestSupport
import Testing

@testable import Terminal

@Suite struct ColorNumbersTests {
    @Test(arguments: [
        (Color.terminal, -1), (.ansi(.red), 1), (.ansi(.brightRed), 9), (.indexed(204), 204), (.rgb(RGB(1, 2, 3)), -1),
    ])
    func a256ColorTerminalTakesIndexes(color: Color, number: Int) {
        #expect(ColorNumbers(colors: 256, isDirect: false).number(of: color) == number)
    }

    @Test(arguments: [(Color.ansi(.brightRed), 1), (.ansi(.blue), 4), (.indexed(204), -1), (.rgb(RGB(1, 2, 3)), -1)])
    func anEightColorTerminalTakesEight(color: Color, number: Int) {
        #expect(ColorNumbers(colors: 8, isDirect: false).number(of: color) == number)
    }

    /// TERM-23: below 8 the number is a palette entry, from 8 on a value.
    @Test(arguments: [
        (Color.ansi(.red), 1), (.ansi(.brightRed), 0xFF0000), (.indexed(196), 0xFF0000),
        (.rgb(RGB(0x7A, 0xA2, 0xF7)), 0x7AA2F7),
        (.rgb(RGB(0, 0, 3)), 8), (.terminal, -1),
    ])
    func aDirectColorTerminalTakesValues(color: Color, number: Int) {
        #expect(ColorNumbers(colors: 1 << 24, isDirect: true).number(of: color) == number)
    }

    @Test func aTerminalWithoutColorsTakesNone() {
        #expect(ColorNumbers(colors: 0, isDirect: false).number(of: .ansi(.red)) == -1)
    }
}

@Suite struct ColorPairsTests {
    @Test func eachCombinationIsSetUpOnce() {
        var pairs = ColorPairs(capacity: 64), calls = 0
        let count: (Int, Int, Int) -> Bool = { _, _, _ in
            calls += 1
            return true
        }
        #expect(pairs.pair(foreground: 1, background: -1, initialize: count) == 1)
        #expect(pairs.pair(foreground: 2, background: -1, initialize: count) == 2)
        #expect(pairs.pair(foreground: 1, background: -1, initialize: count) == 1)
        #expect(calls == 2)
    }

    @Test func theTerminalsOwnColorsArePairZero() {
        var pairs = ColorPairs(capacity: 64)
        #expect(pairs.pair(foreground: -1, background: -1) { _, _, _ in true } == 0)
    }

    @Test func whatCannotBeSetUpIsPairZeroAndNeverBlackOnBlack() {
        var pairs = ColorPairs(capacity: 64)
        #expect(pairs.pair(foreground: 1, background: 2) { _, _, _ in false } == 0)
        #expect(pairs.pair(foreground: 1, background: 2) { _, _, _ in true } == 0)
        #expect(pairs.pair(foreground: 3, background: 2) { _, _, _ in true } == 1)
    }

    @Test func sixtyFourPairsHoldSixtyThreeCombinations() {
        var pairs = ColorPairs(capacity: 64)
        let numbers = (0..<70).map { index in
            pairs.pair(foreground: index % 8, background: index / 8) { _, _, _ in true }
        }
        #expect(numbers.prefix(63).elementsEqual(1...63))
        #expect(numbers.dropFirst(63).allSatisfy { $0 == 0 })
    }
}

@Suite struct TerminfoEntryTests {
    @Test func delaysAreLeftOut() {
        #expect(
            TerminfoEntry.unpadded(Array("\u{1B}[m$<2>\u{1B}(B$<10/>x$<".utf8)) == Array("\u{1B}[m\u{1B}(Bx$<".utf8))
    }
}

@Suite struct TerminalModesTests {
    @Test func everyModeThatIsSwitchedOnIsSwitchedOff() {
        let tracker = ModeTracker(TerminalModes.entering(mouse: true) + TerminalModes.leaving)
        #expect(tracker.left.isEmpty)
        #expect(ModeTracker(TerminalModes.entering(mouse: true)).left == [1000, 1004, 1006, 2004])
        #expect(ModeTracker(TerminalModes.entering(mouse: false)).left == [1004, 2004])
    }
}

@Suite struct WidthProbeTests {
    private static func expected(_ scalar: Unicode.Scalar) -> Int {
        switch CharacterWidth.of(scalar) {
        case .narrow: 1
        case .wide: 2
        case .mark: 0
        case .hidden, .control, .unprintable: -1
        }
    }

    @Test func aLibcLikeOurTablesDisagreesNowhere() {
        #expect(WidthProbe.disagreements(width: Self.expected) == [])
    }

    @Test func aLibcThatDoesNotKnowABlockIsFoundOut() {
        let ranges = WidthProbe.disagreements { scalar in
            (0x1FA70...0x1FAFF).contains(scalar.value) ? -1 : Self.expected(scalar)
        }
        let widths = CharacterWidth(disagreements: ranges)
        #expect(widths.disagrees(on: "\u{1FA70}"))
        #expect(!widths.disagrees(on: "\u{1F600}"))
        #expect(ranges.allSatisfy { $0.lowerBound >= 0x1FA70 && $0.upperBound <= 0x1FAFF })
    }

    @Test func oneOddScalarBetweenTheSentinelsOfASuspectBlockIsFound() {
        // The first of the block is a sentinel; the other is found because the block is then scanned whole.
        let odd: Set<UInt32> = [0x2500, 0x2713]
        let ranges = WidthProbe.disagreements { odd.contains($0.value) ? 2 : Self.expected($0) }
        #expect(ranges == [0x2500...0x2500, 0x2713...0x2713])
    }
}

@Suite struct TerminalErrorTests {
    @Test(arguments: [
        TerminalError.noTerminal(6), .typeUnset, .typeUnknown("a\u{1B}[2Jb"), .typeTooPlain("dumb", missing: "cup"),
        .refused("x"), .system("dup", 24),
    ])
    func everyMessageIsOneSafeLineWithTheOptionsOfTheVerb(error: TerminalError) {
        let message = error.message(or: ["--plain", "--dump"])
        #expect(message == "\(error), or use --plain or --dump")
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        // No option where the verb has none.
        #expect(!error.description.contains("--"))
        #expect(error.description.split(separator: "; ").count == 2)
    }
}

@Suite struct TerminalOptionsTests {
    @Test(arguments: [
        ("xterm-256color", true), ("tmux-256color", true), ("alacritty", true), ("xterm-kitty", true), ("linux", false),
        ("vt100", false), ("dumb", false), ("", false),
    ])
    func onlyTerminalsThatUnderstandAreAsked(type: String, isAsked: Bool) {
        #expect(TerminalOptions(environment: ["TERM": type]).asksForBackground == isAsked)
    }

    @Test(
        arguments: [
            ("0;15", true), ("0;7", true), ("0;default;15", true), ("15;0", false), ("7;8", false), ("15;default", nil),
            ("", nil), ("0;99", nil),
        ] as [(String, Bool?)])
    func theEnvironmentMayNameTheBackground(value: String, isLight: Bool?) {
        #expect(TerminalOptions(environment: ["COLORFGBG": value]).isLightByEnvironment == isLight)
        #expect(TerminalOptions(environment: [:]).isLightByEnvironment == nil)
    }
}
