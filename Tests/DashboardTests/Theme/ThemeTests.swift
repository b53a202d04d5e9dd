import Dashboard
import Screen
import Testing
import Themes

@Suite struct ThemeTests {
    private func theme(_ text: String, others: [String: String] = [:]) throws -> Theme {
        try ThemeResolver.theme(from: .init(file: "my.yaml", text: text)) { name in
            others[name].map { .init(file: name + ".yaml", text: $0) }
        }
    }

    @Test func aRoleIsLookedUpExactlyThenByPrefix() throws {
        let theme = try theme(
            """
            name: x
            roles:
              text: white
              text.url: blue
              text.url.host: cyan bold
              state: magenta
              state.failed: red
            """
        )
        #expect(theme.style(of: .textURLHost, at: .ansi16) == Style(foreground: .ansi(.cyan), attributes: .bold))
        #expect(theme.style(of: .textURLPath, at: .ansi16) == Style(foreground: .ansi(.blue)))
        #expect(theme.style(of: .textMuted, at: .ansi16) == Style(foreground: .ansi(.white)))
        #expect(theme.style(of: .stateFailed, at: .ansi16) == Style(foreground: .ansi(.red)))
        #expect(theme.style(of: .stateBusy, at: .ansi16) == Style(foreground: .ansi(.magenta)))
    }

    @Test func whatAThemeLeavesOutItInherits() throws {
        let parent = "name: parent\ninherits: default\nroles:\n  toast.ok: blue\n  spark: yellow\n"
        let theme = try theme("name: x\ninherits: parent\nroles:\n  spark: cyan\n", others: ["parent": parent])
        #expect(theme.style(of: .spark, at: .ansi16).foreground == .ansi(.cyan))
        #expect(theme.style(of: .toastOK, at: .ansi16).foreground == .ansi(.blue))
        #expect(theme.style(of: .logError, at: .ansi16).foreground == .ansi(.red))
        let bare = try self.theme("name: bare\n")
        #expect(bare.palette(at: .indexed256) == (try ThemeResolver.builtIn("default"))?.palette(at: .indexed256))
    }

    @Test func aPaletteRecoloursWhatIsInherited() throws {
        let parent = "name: parent\npalette:\n  accent: blue\nroles:\n  spark: accent\n"
        let theme = try theme("name: x\ninherits: parent\npalette:\n  accent: cyan\n", others: ["parent": parent])
        #expect(theme.style(of: .spark, at: .ansi16).foreground == .ansi(.cyan))
    }

    @Test func coloursAreGivenForEveryDepth() throws {
        let theme = try theme(
            "name: x\npalette:\n  accent: \"#7aa2f7/111/bright-blue\"\nroles:\n  spark: accent on=234\n")
        func style(_ depth: ColorDepth) -> Style { theme.style(of: .spark, at: depth) }
        #expect(style(.truecolor) == Style(foreground: .rgb(RGB(0x7A, 0xA2, 0xF7)), background: .indexed(234)))
        #expect(style(.indexed256) == Style(foreground: .indexed(111), background: .indexed(234)))
        #expect(style(.ansi16) == Style(foreground: .ansi(.brightBlue), background: .ansi(.black)))
        #expect(style(.ansi8) == Style(foreground: .ansi(.blue), background: .ansi(.black), attributes: .bold))
        #expect(style(.none) == .plain)
    }

    @Test func mutedTextStaysVisibleOnEightColours() throws {
        let theme = try theme("name: x\nroles:\n  text.muted: bright-black\n")
        #expect(theme.style(of: .textMuted, at: .ansi8) == Style(attributes: .dim))
        for (ground, color) in [("white", ANSIColor.black), ("black", .white), ("cyan", .black)] {
            let style = try self.theme("name: x\nroles:\n  text.muted: bright-black on=\(ground)\n")
                .style(of: .textMuted, at: .ansi8)
            #expect(style.foreground == .ansi(color) && style.background != .terminal, "\(ground)")
        }
    }

    @Test("no text has the terminal's own colour on a ground of the theme", arguments: BuiltInTheme.allCases)
    func ownGrounds(_ name: BuiltInTheme) throws {
        let theme = try #require(try ThemeResolver.builtIn(name.rawValue))
        for role in Role.allCases {
            let style = theme.style(of: role, at: .ansi8)
            #expect(style.background == .terminal || style.foreground != .terminal, "\(role.name)")
        }
    }

    @Test func withoutColourOnlyMonoAttributesCount() throws {
        let theme = try theme(
            """
            name: x
            roles:
              spark: red bold; mono=underline
              state.failed: blue
              log.warn: red; mono=normal
            """
        )
        #expect(theme.style(of: .spark, at: .none) == Style(attributes: .underline))
        #expect(theme.style(of: .logWarn, at: .none) == .plain)
        // Without mono= the inherited one stays, so that recolouring a state does not make it look like text.
        #expect(theme.style(of: .stateFailed, at: .none) == Style(attributes: .reverse))
    }

    @Test func textGivesTheGroundOfRolesThatNameNone() throws {
        let theme = try theme(
            "name: x\nroles:\n  text: \"#ffffff on=#000000\"\n  header: bold\n  spark: red on=default\n")
        #expect(
            theme.style(of: .header, at: .truecolor)
                == Style(foreground: .rgb(RGB(255, 255, 255)), background: .rgb(RGB(0, 0, 0)), attributes: .bold))
        #expect(theme.style(of: .spark, at: .truecolor) == Style(foreground: .ansi(.red)))
    }

    @Test func inheritanceHasALimitAndNoCircles() {
        #expect(throws: ThemeProblem.self) {
            try theme("name: a\ninherits: b\n", others: ["b": "name: b\ninherits: a\n", "a": "name: a\ninherits: b\n"])
        }
        let chain = Dictionary(
            uniqueKeysWithValues: (0..<20).map { ("t\($0)", "name: t\($0)\ninherits: t\($0 + 1)\n") })
        do {
            _ = try theme("name: x\ninherits: t0\n", others: chain)
            Issue.record("a chain of twenty themes was accepted")
        } catch {
            #expect("\(error)" == "t6.yaml:2:11: more than 8 themes inherit from one another")
        }
    }

    @Test func aProblemInAnInheritedThemeNamesThatFile() {
        do {
            _ = try theme("name: x\ninherits: p\n", others: ["p": "name: p\nroles:\n  text: nonsense\n"])
            Issue.record("an unknown colour was accepted")
        } catch {
            #expect("\(error)" == "p.yaml:3:9: \"nonsense\": no such colour in the palette")
        }
    }
}
