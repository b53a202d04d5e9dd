/// Lines and blocks as rectangles of a cell, so that a picture joins them as a terminal does: a font's glyphs are lower than a row.
struct CellShape: Equatable {
    /// Pixels of a cell.
    static let width = 9, height = 18

    let rects: [Rect]
    /// In quarters: a shade lets the ground through.
    let opacityQuarters: Int

    private init(_ rects: [Rect], opacityQuarters: Int = 4) {
        self.rects = rects
        self.opacityQuarters = opacityQuarters
    }

    /// nil for what a font has to draw.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x2580: self.init([Self.part(0, 0, Self.width, Self.height / 2)])
        case 0x2581...0x2588:
            let filled = Self.height * Int(scalar.value - 0x2580) / 8
            self.init([Self.part(0, Self.height - filled, Self.width, filled)])
        case 0x2589...0x258F:
            self.init([Self.part(0, 0, max(1, Self.width * Int(0x2590 - scalar.value) / 8), Self.height)])
        case 0x2590: self.init([Self.part(Self.width / 2, 0, Self.width - Self.width / 2, Self.height)])
        case 0x2591...0x2593:
            self.init([Self.part(0, 0, Self.width, Self.height)], opacityQuarters: Int(scalar.value - 0x2590))
        default:
            guard let arms = Self.arms[scalar] else { return nil }
            self.init(Self.lines(arms))
        }
    }

    /// The directions in which a line leaves the middle of its cell.
    private struct Arms {
        let left, right, up, down: Bool
        let thickness: Int
    }

    private static let arms: [Unicode.Scalar: Arms] = {
        var arms: [Unicode.Scalar: Arms] = [:]
        let ends = ["lr", "ud", "rd", "ld", "ru", "lu", "rud", "lud", "lrd", "lru", "lrud"]
        for (glyphs, thickness) in [("─│┌┐└┘├┤┬┴┼", 1), ("━┃┏┓┗┛┣┫┳┻╋", 3)] {
            for (scalar, end) in zip(glyphs.unicodeScalars, ends) {
                arms[scalar] = Arms(
                    left: end.contains("l"), right: end.contains("r"), up: end.contains("u"), down: end.contains("d"),
                    thickness: thickness)
            }
        }
        return arms
    }()

    private static func lines(_ arms: Arms) -> [Rect] {
        let (x, y) = ((width - arms.thickness) / 2, (height - arms.thickness) / 2)
        var rects: [Rect] = []
        if arms.left || arms.right {
            let start = arms.left ? 0 : x
            rects.append(part(start, y, (arms.right ? width : x + arms.thickness) - start, arms.thickness))
        }
        if arms.up || arms.down {
            let start = arms.up ? 0 : y
            rects.append(part(x, start, arms.thickness, (arms.down ? height : y + arms.thickness) - start))
        }
        return rects
    }

    private static func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rect {
        Rect(x: x, y: y, width: width, height: height)
    }
}
