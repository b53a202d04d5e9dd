import Screen

/// A key of a pane in its help, with what it does there.
struct HelpKey: Sendable {
    /// The action of the key map that it belongs to; nil for a letter that only this view knows.
    let action: Action?
    /// The letter where there is no action.
    private let letter: String
    /// One clause, lower case.
    let summary: SafeText
    /// Whether it moves in the rows, or folds them: then it has no effect while the detail has the keys.
    let isOfRows: Bool

    /// The keys of an action. Without a summary it is the first clause of the action's summary in the help of all keys.
    init(_ action: Action, _ summary: SafeText? = nil, ofRows isOfRows: Bool = false) {
        let clause = action.summary.string.split(separator: ";").first.map(String.init) ?? ""
        self.action = action
        letter = ""
        self.summary = summary ?? SafeText(outside: clause)
        self.isOfRows = isOfRows
    }

    /// The key of the next session, with that of the previous one in the words.
    init(_ action: Action, ofPrevious key: String) {
        let words: SafeText = key.isEmpty ? "next session" : "next session (" + SafeText(outside: key) + ": previous)"
        self.init(action, words)
    }

    /// A letter that means something in this view only.
    init(letter: String, _ summary: SafeText) {
        action = nil
        self.letter = letter
        self.summary = summary
        isOfRows = false
    }

    /// The keys of a recording.
    static let ofReplay = [
        HelpKey(letter: "Space", "play or pause the recording"),
        HelpKey(letter: "Left", "5 s back (Right: forward)"),
        HelpKey(.previousSession, "to the break before"), HelpKey(.nextSession, "to the next break"),
        HelpKey(.stepBack, "previous input"), HelpKey(.stepOn, "next input (:step 20)"),
    ]

    static let copyCurl = HelpKey(.copyCurl, "copy the request as curl")

    /// The keys as help writes them; empty when the config took them away.
    func keys(_ context: ViewContext) -> String {
        guard let action else { return letter }
        return context.settings.keymap.keys(for: action).prefix(2).map(KeyName.short).joined(separator: " ")
    }

    /// The first of its keys; nil when the config took them away.
    func key(_ context: ViewContext) -> KeyPress? {
        action.map { context.settings.keymap.keys(for: $0).first } ?? KeyPress(parsing: letter)
    }

    /// Whether it gives the key of that action another meaning.
    func takes(_ action: Action, _ context: ViewContext) -> Bool {
        if let own = self.action { return own == action }
        return key(context).flatMap(context.settings.keymap.action(for:)) == action
    }
}
