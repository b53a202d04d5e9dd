import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Screen

/// The browser, where it is installed.
private enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// A picture of a whole screen as Chromium draws it, compared with its grid pixel by pixel.
@Suite(
    .enabled(if: Browser.path != nil, "Chromium is not installed (scripts/setup peers)"),
    .timeLimit(.minutes(2)))
struct BrowserPictureTests {
    private static let margin = 10
    private static let paper = RGB(16, 20, 28)

    /// Each role has a colour of its own, and some a ground.
    private static let palette = Palette(depth: .truecolor) { role in
        let number = role.rawValue
        let ground: Color = number % 5 == 1 ? .rgb(RGB(40, number &* 3, 90)) : .terminal
        return Style(foreground: .rgb(RGB(255 - number, 160 &+ number, 120 &+ number)), background: ground)
    }

    /// Lines and blocks fill what a terminal fills, to the pixel; everything else of the screen is its ground.
    @Test func looksLikeTheGrid() async throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("!")
        let grid = sample.frame.grid
        let picture = try await Self.pixels(of: SVGWriter(palette: Self.palette).text(of: grid))
        #expect(picture.count == (Self.margin * 2 + 40 * CellShape.height))
        var (lines, wrong) = (0, [String]())
        for y in 0..<grid.size.rows {
            for x in 0..<grid.size.columns {
                let problem = Self.problem(grid, x, y, picture)
                if grid[Point(x: x, y: y)].glyph.scalar.flatMap(CellShape.init) != nil { lines += 1 }
                if let problem { wrong.append("\(x),\(y): \(problem)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) cells, first \(wrong.prefix(5))")
        #expect(lines > 300)
    }

    private static func problem(_ grid: Grid, _ x: Int, _ y: Int, _ picture: [[RGB]]) -> String? {
        let cell = grid[Point(x: x, y: y)]
        let (fill, ground) = colors(of: cell)
        let shape = cell.glyph.scalar.flatMap(CellShape.init)
        let isBlank = cell.glyph.scalar == " "
        let isText = cell.glyph.scalar.map { $0.isASCII && !isBlank } ?? false
        // Signs of other fonts may be wider than their cell.
        let neighbours = [x - 1, x + 1].filter { (0..<grid.size.columns).contains($0) }.map {
            grid[Point(x: $0, y: y)].glyph.scalar
        }
        guard neighbours.allSatisfy({ $0.map { $0.isASCII || CellShape($0) != nil } ?? false }) else { return nil }
        var ink = 0
        for row in 0..<CellShape.height {
            for column in 0..<CellShape.width {
                let seen = picture[margin + y * CellShape.height + row][margin + x * CellShape.width + column]
                let isInside = shape?.rects.contains { $0.contains(Point(x: column, y: row)) } ?? false
                let wanted = isInside ? mixed(fill, ground, quarters: shape?.opacityQuarters ?? 0) : ground
                if !isNear(seen, wanted) {
                    ink += 1
                    if shape != nil || isBlank { return "pixel \(column),\(row) is \(seen), not \(wanted)" }
                }
            }
        }
        return isText && ink == 0 ? "no ink" : nil
    }

    private static func colors(of cell: Cell) -> (fill: RGB, ground: RGB) {
        let style = palette.style(of: cell)
        return (TerminalColors.rgb(style.foreground) ?? paper, TerminalColors.rgb(style.background) ?? paper)
    }

    private static func mixed(_ fill: RGB, _ ground: RGB, quarters: Int) -> RGB {
        func part(_ path: KeyPath<RGB, UInt8>) -> UInt8 {
            UInt8((Int(fill[keyPath: path]) * quarters + Int(ground[keyPath: path]) * (4 - quarters)) / 4)
        }
        return RGB(part(\.red), part(\.green), part(\.blue))
    }

    private static func isNear(_ left: RGB, _ right: RGB) -> Bool {
        [\RGB.red, \.green, \.blue].allSatisfy { abs(Int(left[keyPath: $0]) - Int(right[keyPath: $0])) <= 2 }
    }

    /// The rows of the picture; a page draws it on a canvas and prints its pixels.
    private static func pixels(of svg: String) async throws -> [[RGB]] {
        let folder = try TemporaryFolder()
        try folder.write(page(Data(svg.utf8).base64EncodedString()), to: "page.html")
        let child = try ChildProcess(
            try #require(Browser.path),
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb",
                "--user-data-dir=\(folder.file("profile"))", "--dump-dom", "file://\(folder.file("page.html"))",
            ], environment: ProcessInfo.processInfo.environment)
        let ending = try await child.end(within: .seconds(90))
        let text = String(decoding: ending.output, as: UTF8.self)
        let match = try #require(text.firstMatch(of: /\[([0-9]+) ([0-9a-f]+)\]/), "no pixels from the browser")
        let width = try #require(Int(match.output.1))
        let digits = match.output.2.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return stride(from: 0, to: bytes.count, by: width * 3).map { start in
            stride(from: start, to: min(start + width * 3, bytes.count - 2), by: 3).map {
                RGB(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
            }
        }
    }

    private static func page(_ picture: String) -> String {
        """
        <!doctype html><body><img id="picture" src="data:image/svg+xml;base64,\(picture)"><script>
        onload = () => {
          const image = document.getElementById("picture"), canvas = document.createElement("canvas")
          canvas.width = image.naturalWidth; canvas.height = image.naturalHeight
          const context = canvas.getContext("2d")
          context.drawImage(image, 0, 0)
          const data = context.getImageData(0, 0, canvas.width, canvas.height).data
          let text = ""
          for (let i = 0; i < data.length; i += 4)
            text += ((1 << 24) + (data[i] << 16) + (data[i + 1] << 8) + data[i + 2]).toString(16).slice(1)
          document.body.textContent = `[${canvas.width} ${text}]`
        }
        </script>
        """
    }
}
