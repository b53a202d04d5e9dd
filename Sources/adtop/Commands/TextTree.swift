/// Lines with lines below them, drawn as a tree.
struct TextTree {
    var line: String
    /// Further lines of the same entry.
    var details: [String] = []
    var children: [TextTree] = []

    /// The lines from top to bottom, what is below indented behind branches.
    var lines: [String] {
        [line] + details.map { (children.isEmpty ? "   " : "│  ") + $0 }
            + children.enumerated().flatMap { index, child in
                child.branch(isLast: index == children.count - 1)
            }
    }

    private func branch(isLast: Bool) -> [String] {
        lines.enumerated().map { index, text in
            if index == 0 { return (isLast ? "└─ " : "├─ ") + text }
            return (isLast ? "   " : "│  ") + text
        }
    }
}
