import Screen

/// A hint of the footer, most important first: hints that do not fit are dropped from the end.
struct FooterHint: Sendable {
    let actions: [Action]
    /// The key of a view that has letters of its own; nil for actions of the key map.
    let key: String?
    let label: SafeText
    /// The label where there is little room.
    let short: SafeText
    /// The smallest size class that shows it.
    let from: SizeClass
    /// Its place in the row, which is independent of its importance.
    let place: Int

    init(
        _ actions: [Action] = [], key: String? = nil, _ label: SafeText, short: SafeText? = nil,
        from: SizeClass = .small, place: Int
    ) {
        self.actions = actions
        self.key = key
        self.label = label
        self.short = short ?? label
        self.from = from
        self.place = place
    }
}

/// Keys with what they do, from the active key map.
enum KeyHints {
    /// Hints inside a pane; an action without a key has none.
    static func row(_ hints: [(Action, SafeText)], _ context: ViewContext, gap: Int) -> HintRow {
        var row = HintRow()
        for (action, label) in hints {
            let part = text([context.key(action)], label, context)
            guard part.columns > 0 else { continue }
            if row.columns > 0 { row.space(gap) }
            row.append(part, .action(action))
        }
        return row
    }

    /// `m mute`; punctuation keys join their word: `?help`.
    static func text(_ keys: [String], _ label: SafeText, _ context: ViewContext) -> StyledLine {
        guard keys.allSatisfy({ !$0.isEmpty }) else { return StyledLine() }
        let names = keys.joined(separator: " ")
        var line = StyledLine.of(names, .footerKey)
        let isSign =
            names.unicodeScalars.count == 1
            && names.unicodeScalars.first.map { "?:/".unicodeScalars.contains($0) } == true
        if !isSign || context.sizeClass == .huge { line.space() }
        line.append(label, .footerLabel)
        return line
    }
}
