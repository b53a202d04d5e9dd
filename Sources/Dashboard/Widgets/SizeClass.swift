package import Screen

/// The classes of screen sizes, in five steps (TERM-30).
package enum SizeClass: Int, Sendable, Comparable, CaseIterable {
    /// One or two text rows.
    case tiny
    /// The focused pane between header and footer.
    case small
    /// Panes stacked with rules between them.
    case medium
    /// Boxes: tree and detail side by side over the log.
    case large
    /// Tree, detail, summary and session side by side over the log.
    case huge

    /// The smallest size of each class (TERM-30).
    package static let minimums: [SizeClass: Size] = [
        .huge: Size(columns: 160, rows: 45), .large: Size(columns: 100, rows: 30),
        .medium: Size(columns: 60, rows: 20), .small: Size(columns: 40, rows: 8),
    ]

    /// The class of a terminal of that size.
    package init(_ size: Size) {
        self =
            SizeClass.allCases.reversed().first { step in
                guard let minimum = SizeClass.minimums[step] else { return true }
                return size.columns >= minimum.columns && size.rows >= minimum.rows
            } ?? .tiny
    }

    /// Whether panes are boxes; otherwise each has a rule above it.
    package var hasBoxes: Bool { self >= .large }

    /// Smaller classes come first.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
