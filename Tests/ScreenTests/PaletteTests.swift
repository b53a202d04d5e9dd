import Screen
import Testing

@Suite struct PaletteTests {
    @Test func marksWinWhereTheyHaveAColourAndAttributesAddUp() {
        let palette = Palette(depth: .ansi16) { role in
            switch role {
            case .stateFailed: Style(foreground: .ansi(.red), attributes: .bold)
            case .selection: Style(foreground: .ansi(.black), background: .ansi(.cyan))
            case .match: Style(attributes: .underline)
            default: .plain
            }
        }
        #expect(palette.style(.stateFailed) == Style(foreground: .ansi(.red), attributes: .bold))
        #expect(
            palette.style(.stateFailed, .selection)
                == Style(foreground: .ansi(.black), background: .ansi(.cyan), attributes: .bold))
        #expect(
            palette.style(.stateFailed, .match) == Style(foreground: .ansi(.red), attributes: [.bold, .underline]))
        #expect(palette.distinctStyles.count == 7)
        #expect(palette.distinctStyles.first == .plain)
    }

    @Test func aMarkThatOnlyColoursTextLeavesAGroundReadable() {
        let banner = Style(foreground: .ansi(.black), background: .ansi(.yellow))
        let match = Style(foreground: .ansi(.yellow), attributes: .underline)
        #expect(
            banner.marked(by: match)
                == Style(foreground: .ansi(.black), background: .ansi(.yellow), attributes: .underline))
        #expect(Style.plain.marked(by: match) == match)
    }

    @Test func colourNamesReadBack() {
        for color in ANSIColor.allCases { #expect(ANSIColor(name: color.name) == color) }
        #expect(ANSIColor(name: "bright-black") == .brightBlack)
        #expect(ANSIColor.brightCyan.plain == .cyan)
    }

    @Test(
        arguments: [
            (16, RGB(0, 0, 0)), (196, RGB(255, 0, 0)), (111, RGB(135, 175, 255)), (231, RGB(255, 255, 255)),
            (232, RGB(8, 8, 8)), (255, RGB(238, 238, 238)),
        ] as [(UInt8, RGB)])
    func theTableHasItsKnownValues(_ index: UInt8, _ color: RGB) {
        #expect(TerminalColors.rgb(index: index) == color)
    }
}
