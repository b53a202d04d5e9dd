import Dashboard
import Screen
import Testing

@Suite struct ColorReductionTests {
    @Test(
        arguments: [
            (RGB(0x7A, 0xA2, 0xF7), UInt8(111)), (RGB(255, 0, 0), 196), (RGB(0, 0, 0), 16), (RGB(255, 255, 255), 231),
            (RGB(8, 8, 8), 232), (RGB(128, 128, 128), 244),
        ] as [(RGB, UInt8)])
    func takesTheNearestOfTheTable(_ color: RGB, _ index: UInt8) {
        #expect(ColorReduction.indexed(.rgb(color)) == .indexed(index))
    }

    @Test func neverTakesTheSixteenThatUsersRedefine() {
        for red in stride(from: 0, through: 255, by: 17) {
            for green in stride(from: 0, through: 255, by: 17) {
                for blue in stride(from: 0, through: 255, by: 17) {
                    guard
                        case .indexed(let index) = ColorReduction.indexed(
                            .rgb(RGB(UInt8(red), UInt8(green), UInt8(blue))))
                    else {
                        Issue.record("no index for \(red) \(green) \(blue)")
                        return
                    }
                    #expect(index >= 16)
                }
            }
        }
    }

    @Test func everyEntryOfTheTableIsItsOwnNearestOrAnEqualColour() {
        for index in UInt8(16)...255 {
            let color = TerminalColors.rgb(index: index)
            guard case .indexed(let found) = ColorReduction.indexed(.rgb(color)) else { continue }
            #expect(TerminalColors.rgb(index: found) == color)
        }
    }

    @Test(
        arguments: [
            (RGB(200, 20, 20), ANSIColor.red), (RGB(0xF7, 0x76, 0x8E), .brightRed), (RGB(20, 120, 20), .green),
            (RGB(120, 255, 120), .brightGreen), (RGB(20, 20, 200), .blue), (RGB(0x7A, 0xA2, 0xF7), .brightBlue),
            (RGB(140, 130, 0), .yellow), (RGB(0, 120, 120), .cyan), (RGB(120, 0, 120), .magenta),
            (RGB(0, 0, 0), .black), (RGB(26, 27, 38), .blue), (RGB(100, 100, 100), .brightBlack),
            (RGB(180, 180, 180), .white),
            (RGB(255, 255, 255), .brightWhite),
        ] as [(RGB, ANSIColor)])
    func takesTheHueClass(_ color: RGB, _ expected: ANSIColor) {
        #expect(ColorReduction.ansi(.rgb(color)) == .ansi(expected))
    }

    @Test func whatNeedsNoReductionStays() {
        #expect(ColorReduction.indexed(.ansi(.red)) == .ansi(.red))
        #expect(ColorReduction.indexed(.terminal) == .terminal)
        #expect(ColorReduction.ansi(.terminal) == .terminal)
        #expect(ColorReduction.ansi(.indexed(196)) == .ansi(.red))
    }
}
