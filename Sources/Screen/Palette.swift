/// Every role's style, and every role under every mark, resolved for one colour depth: a table without decisions.
package struct Palette: Sendable, Equatable {
    /// The depth all styles were resolved for.
    package let depth: ColorDepth
    private let styles: [Style]

    /// Asks `resolve` once for every role and combines the answers with the marks.
    package init(depth: ColorDepth, resolve: (Role) -> Style) {
        self.depth = depth
        let base = Role.allCases.map(resolve)
        styles = Mark.allCases.flatMap { mark in
            base.map { style in
                guard let top = mark.role else { return style }
                return style.marked(by: base[Int(top.rawValue)])
            }
        }
    }

    /// The style of a role under a mark.
    package func style(_ role: Role, _ mark: Mark = .none) -> Style {
        styles[Int(mark.rawValue) * Role.allCases.count + Int(role.rawValue)]
    }

    /// The style of a cell.
    package func style(of cell: Cell) -> Style { style(cell.role, cell.mark) }

    /// Every distinct style, in a stable order: what a terminal may want to allocate pairs for.
    package var distinctStyles: [Style] {
        var seen = Set<Style>()
        return styles.filter { seen.insert($0).inserted }
    }

    /// No theme at all: plain text, selection and escapes reversed.
    package static let plain = Palette(depth: .none) { role in
        switch role {
        case .selection, .textEscaped, .matchCurrent: Style(attributes: .reverse)
        case .selectionInactive, .match: Style(attributes: .underline)
        default: .plain
        }
    }
}
