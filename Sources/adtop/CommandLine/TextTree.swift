/// A line with child lines, drawn as a tree.
struct TextTree {
    var line: ToolLine
    /// Further lines of the same entry.
    var details: [ToolLine] = []
    var children: [TextTree] = []

    /// The lines from top to bottom, children indented behind branches.
    var lines: [ToolLine] {
        [line] + details.map { "\(children.isEmpty ? "   " : "│  ", .muted)\($0)" }
            + children.enumerated().flatMap { index, child in
                child.branch(isLast: index == children.count - 1)
            }
    }

    private func branch(isLast: Bool) -> [ToolLine] {
        lines.enumerated().map { index, text in
            let stem = index == 0 ? (isLast ? "└─ " : "├─ ") : isLast ? "   " : "│  "
            return "\(stem, .muted)\(text)"
        }
    }
}
