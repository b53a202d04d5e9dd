import Dashboard
import Screen
import TestSupport
import Testing
import Themes

@Suite struct ThemeGoldenTests {
    /// Every role, plain, selected and found, in ANSI with all colours and with 256: what a change to a theme really
    /// changes.
    @Test(arguments: BuiltInTheme.allCases)
    func everyThemeOnceInANSI(_ name: BuiltInTheme) throws {
        let theme = try #require(try ThemeResolver.builtIn(name.rawValue))
        var grid = Grid(size: Size(columns: 60, rows: Role.allCases.count))
        for (y, role) in Role.allCases.enumerated() {
            grid.put(SafeText(outside: role.name), at: Point(x: 1, y: y), role: role)
            let end = grid.put(SafeText(outside: role.name), at: Point(x: 24, y: y), role: role)
            grid.mark(Rect(x: 24, y: y, width: end, height: 1), .selection)
            let last = grid.put("match", at: Point(x: 48, y: y), role: role)
            grid.mark(Rect(x: 48, y: y, width: last, height: 1), .match)
        }
        let text = [ColorDepth.truecolor, .indexed256].map { depth in
            "== \(depth)\n" + ANSIWriter.text(of: grid, palette: theme.palette(at: depth))
        }.joined()
        #expect(GoldenComparer().compare(text, with: "themes/\(name.rawValue).ansi").failure == nil)
    }
}
