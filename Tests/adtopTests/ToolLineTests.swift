import Testing

@testable import adtop

@Suite struct ToolLineTests {
    private let line: ToolLine = "\("✗ error 303", .error): no ad behind \("a\u{7}b", .strong)"

    @Test func aPipeGetsTheTextAlone() {
        #expect(line.text(isColored: false) == "✗ error 303: no ad behind a^Gb")
    }

    @Test func eachPieceEndsItsColour() {
        #expect(
            line.text(isColored: true) == "\u{1B}[31m✗ error 303\u{1B}[0m: no ad behind \u{1B}[1ma^Gb\u{1B}[0m")
    }

    @Test func aLineInsideALineKeepsItsColours() {
        let outer: ToolLine = "└─ \(line)"
        #expect(outer.pieces.dropFirst() == line.pieces[...])
    }
}
