import Screen
import Testing
import Themes

@testable import Dashboard

@Suite struct ThemeCheckTests {
    private func builtIn(_ theme: BuiltInTheme) throws -> Theme {
        try #require(try ThemeResolver.builtIn(theme.rawValue))
    }

    private func messages(_ text: String) throws -> [String] {
        ThemeCheck.problems(of: try ThemeResolver.theme(from: .init(file: "my.yaml", text: text))).map(\.description)
    }

    @Test(arguments: BuiltInTheme.allCases)
    func builtInThemesHaveNoProblems(_ name: BuiltInTheme) throws {
        let theme = try builtIn(name)
        #expect(theme.name == name.rawValue)
        #expect(ThemeCheck.problems(of: theme).map(\.description) == [])
    }

    @Test(arguments: BuiltInTheme.allCases)
    func eightColourTerminalsHaveRoomForThePairs(_ name: BuiltInTheme) throws {
        #expect(ThemeCheck.pairCount(try builtIn(name)) <= ThemeCheck.pairLimit)
    }

    @Test(arguments: BuiltInTheme.allCases)
    func theStatesDifferPairwiseWithoutColour(_ name: BuiltInTheme) throws {
        let palette = try builtIn(name).palette(at: .none)
        for glyphs in [Glyphs.unicode, .ascii] {
            let looks = StateSign.allCases.map { "\(glyphs.sign($0)) \(palette.style($0.role).attributes.rawValue)" }
            #expect(Set(looks).count == StateSign.allCases.count)
        }
        for role in ThemeCheck.meaningful { #expect(palette.style(role) != palette.style(.text), "\(role.name)") }
    }

    @Test(arguments: [ColorDepth.ansi8, .ansi16, .indexed256, .truecolor])
    func defaultUsesOnlyTheTerminalsOwnColoursAndGround(_ depth: ColorDepth) throws {
        let theme = try builtIn(.default)
        for role in Role.allCases {
            let style = theme.style(of: role, at: depth)
            for color in [style.foreground, style.background] {
                switch color {
                case .terminal, .ansi: break
                case .indexed, .rgb: Issue.record("\(role.name) uses \(color)")
                }
            }
        }
        #expect(theme.style(of: .text, at: depth) == .plain)
    }

    @Test(
        "a theme with colours of its own knows the ground of each, and text can be read on it",
        arguments: BuiltInTheme.allCases)
    func ownColoursHaveAGround(_ name: BuiltInTheme) throws {
        let palette = try builtIn(name).palette(at: .truecolor)
        for role in Role.allCases {
            for mark in Mark.allCases {
                let style = palette.style(role, mark)
                guard case .rgb(let front) = style.foreground else { continue }
                guard case .rgb(let back) = style.background else {
                    Issue.record("\(role.name) under \(mark) is drawn on a ground that the theme does not know")
                    continue
                }
                #expect(Contrast.ratio(front, back) >= ThemeCheck.textContrast, "\(role.name) under \(mark)")
            }
        }
    }

    @Test func monoHasNoColourAtAnyDepth() throws {
        let theme = try builtIn(.mono)
        for depth in ColorDepth.allCases {
            for style in theme.palette(at: depth).distinctStyles {
                #expect(style.foreground == .terminal)
                #expect(style.background == .terminal)
            }
        }
    }

    @Test func colorblindHasNeitherRedNorGreen() throws {
        let palette = try builtIn(.colorblind).palette(at: .ansi16)
        let banned: [Color] = [.ansi(.red), .ansi(.brightRed), .ansi(.green), .ansi(.brightGreen)]
        for role in Role.allCases {
            #expect(!banned.contains(palette.style(role).foreground), "\(role.name)")
            #expect(!banned.contains(palette.style(role).background), "\(role.name)")
        }
    }

    @Test func paperIsLightAndMidnightDark() throws {
        #expect(try builtIn(.paper).variant == .light)
        #expect(try builtIn(.midnight).variant == .dark)
        #expect(try builtIn(.paper).style(of: .header, at: .ansi16).background == .ansi(.brightWhite))
    }

    @Test func lowContrastIsReported() throws {
        let found = try messages("name: x\nroles:\n  log.info: \"#777777/243/white on=#888888/245/black\"\n")
        #expect(found.contains("my.yaml: warning: log.info has contrast 1.2, less than 4.5"))
        let border = try messages("name: x\nroles:\n  pane.border: \"#777777/243/white on=#000000/16/black\"\n")
        #expect(!border.contains { $0.contains("pane.border has contrast") })
    }

    @Test func invisibleTextIsReportedAtTheDepthWhereItVanishes() throws {
        let found = try messages("name: x\nroles:\n  log.info: \"#000000/16/blue on=#ffffff/231/blue\"\n")
        #expect(found.contains("my.yaml: warning: log.info is invisible at depth ansi16"))
        #expect(!found.contains("my.yaml: warning: log.info is invisible at depth truecolor"))
    }

    @Test func derivedSixteenColourValuesAreReported() throws {
        #expect(
            try messages("name: x\nroles:\n  log.info: \"#7aa2f7\"\n")
                == ["my.yaml: warning: log.info has no 16-colour value; derived by hue"])
        #expect(try messages("name: x\nroles:\n  log.info: \"#7aa2f7/111/blue\"\n") == [])
    }

    @Test func meaningLostWithoutColourIsReported() throws {
        #expect(
            try messages("name: x\nroles:\n  log.error: red; mono=normal\n")
                == ["my.yaml: warning: log.error looks like plain text without colour; add mono="])
    }
}
