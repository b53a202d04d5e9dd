import Screen
import Testing

@Suite struct RoleTests {
    @Test func namesAreDistinctAndReadBack() {
        #expect(Set(Role.allCases.map(\.name)).count == Role.allCases.count)
        for role in Role.allCases { #expect(Role(name: role.name) == role) }
        #expect(Role.textURLHost.name == "text.url.host")
        #expect(Role.inputError.name == "input.error")
        #expect(Role(name: "nothing") == nil)
    }

    @Test func everyStateHasAGlyphWordAndRoleOfItsOwn() {
        for glyphs in [Glyphs.unicode, .ascii] {
            #expect(Set(StateSign.allCases.map { glyphs.sign($0) }).count == StateSign.allCases.count)
        }
        #expect(Set(StateSign.allCases.map(\.word.string)).count == StateSign.allCases.count)
        #expect(Set(StateSign.allCases.map(\.role)).count == StateSign.allCases.count)
        #expect(Glyphs.unicode.badge(.failed).string == "✗")
        #expect(Glyphs.ascii.badge(.failed).string == "[x]")
    }

    @Test func asciiGlyphsAreASCII() {
        let glyphs = Glyphs.ascii
        let all =
            StateSign.allCases.map { glyphs.sign($0) } + glyphs.sparks + [
                glyphs.ellipsis, glyphs.expanded, glyphs.collapsed, glyphs.track, glyphs.past, glyphs.future,
                glyphs.playhead, glyphs.gaugeFull, glyphs.gaugeEmpty,
                glyphs.light.horizontal, glyphs.heavy.vertical,
            ]
        #expect(all.allSatisfy { $0.scalar?.isASCII ?? false })
        var grid = Grid(size: Size(columns: 3, rows: 3))
        grid.frame(grid.bounds, glyphs.heavy)
        #expect(TextWriter.text(of: grid) == "+=+\n| |\n+=+\n")
    }

    @Test func aParentShowsItsWorstChild() {
        let order: [StateSign] = [.done, .idle, .retry, .busy, .failed]
        #expect(order.map(\.urgency) == order.map(\.urgency).sorted())
        #expect(Set(StateSign.allCases.map(\.urgency)).count == StateSign.allCases.count)
    }
}
