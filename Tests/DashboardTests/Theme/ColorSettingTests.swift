import Dashboard
import Screen
import Testing

@Suite struct ColorSettingTests {
    @Test func theFlagComesFirst() {
        let facts = ColorFacts(noColor: "1", forceColor: "1", colorTerm: "truecolor", colors: 256)
        #expect(ColorSetting.never.depth(ColorFacts(forceColor: "1", colors: 256)) == .none)
        #expect(ColorSetting.ansi16.depth(facts) == .ansi16)
        #expect(ColorSetting.indexed256.depth(facts) == .indexed256)
        #expect(ColorSetting.truecolor.depth(ColorFacts(noColor: "1", isTerminal: false)) == .truecolor)
    }

    @Test func flagValues() {
        #expect(["auto", "never", "16", "256", "truecolor"].map(ColorSetting.init(rawValue:)) == ColorSetting.allCases)
        #expect(ColorSetting(rawValue: "always") == nil)
    }

    @Test(
        arguments: [
            (ColorFacts(noColor: "1", forceColor: "1", colorTerm: "truecolor", colors: 256), ColorDepth.none),
            (ColorFacts(noColor: "", colors: 256), .indexed256),
            (ColorFacts(colorTerm: "truecolor", colors: 256), .truecolor),
            (ColorFacts(colorTerm: "24bit", colors: 8), .truecolor),
            (ColorFacts(colorTerm: "yes", colors: 256), .indexed256),
            (ColorFacts(colors: 16_777_216, hasRGB: true), .truecolor),
            (ColorFacts(colors: 16), .ansi16),
            (ColorFacts(colors: 8), .ansi8),
            (ColorFacts(colors: 0), .none),
            (ColorFacts(colors: -1), .none),
            (ColorFacts(), .none),
            (ColorFacts(colorTerm: "truecolor", colors: 256, isTerminal: false), .none),
            (ColorFacts(forceColor: "1", colors: 256, isTerminal: false), .indexed256),
            (ColorFacts(forceColor: "1", colorTerm: "truecolor", isTerminal: false), .truecolor),
            (ColorFacts(forceColor: "1", isTerminal: false), .ansi16),
            (ColorFacts(forceColor: "0", colors: 256, isTerminal: false), .none),
            (ColorFacts(forceColor: "", colors: 256, isTerminal: false), .none),
        ] as [(ColorFacts, ColorDepth)])
    func autoFollowsTheOrder(_ facts: ColorFacts, _ depth: ColorDepth) {
        #expect(ColorSetting.auto.depth(facts) == depth)
    }
}
