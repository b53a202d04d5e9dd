import Screen
import Session

extension DashboardState {
    /// The most command lines kept for Up and Down.
    package static let historyLimit = 100

    /// A key while text is typed: letters are text and nothing else.
    mutating func edit(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect] {
        guard let purpose = entry?.purpose else { return [] }
        switch key.key {
        case .enter: return commit(scene)
        case .escape:
            if case .filter(let pane) = purpose { setFilter("", of: pane) }
            entry = nil
            return []
        case .tab: complete(by: 1, scene)
        case .backTab: complete(by: -1, scene)
        case .up: recall(1)
        case .down: recall(-1)
        default:
            if entry?.edit(key) == false { entry = nil }
            applyFilter()
        }
        return []
    }

    /// Pasted text.
    mutating func insert(_ text: String) {
        entry?.insert(pasted: text)
        applyFilter()
    }

    private mutating func applyFilter() {
        guard let entry, case .filter(let pane) = entry.purpose else { return }
        setFilter(entry.line.text, of: pane)
    }

    private mutating func commit(_ scene: Scene) -> [DashboardEffect] {
        guard let line = entry?.line.text, entry?.purpose == .command else {
            entry = nil
            return []
        }
        guard line.contains(where: { $0 != " " }) else {
            entry = nil
            return []
        }
        if history.last != line { history.append(line) }
        if history.count > DashboardState.historyLimit { history.removeFirst() }
        do throws(CommandProblem) {
            let command = try CommandLine.parse(line, date: scene.date)
            entry = nil
            return run(command, scene)
        } catch {
            entry?.problem = error.description
            return []
        }
    }

    /// Tab cycles through the continuations; a single one is inserted with a blank after it.
    private mutating func complete(by step: Int, _ scene: Scene) {
        guard var entry, entry.purpose == .command else { return }
        if entry.completions.isEmpty || entry.completionIndex == nil {
            let found = Completion.candidates(
                for: entry.line.textBeforeCursor, themes: settings.themes,
                variants: VariantWords.of(scene.live.playlist))
            guard !found.isEmpty else {
                entry.problem = "no completions"
                self.entry = entry
                return
            }
            entry.problem = nil
            entry.completions = found.count > 1 ? found : []
            entry.completionIndex = found.count > 1 ? (step > 0 ? 0 : found.count - 1) : nil
            let only = found.count == 1 && !found[0].contains(" ") ? found[0] + " " : found[0]
            entry.line.replaceBeforeCursor(with: found.count == 1 ? only : found[entry.completionIndex ?? 0])
        } else if let index = entry.completionIndex {
            let count = entry.completions.count
            let next = ((index + step) % count + count) % count
            entry.completionIndex = next
            entry.line.replaceBeforeCursor(with: entry.completions[next])
        }
        self.entry = entry
    }

    private mutating func recall(_ step: Int) {
        guard var entry, entry.purpose == .command else { return }
        let depth = min(max(entry.historyDepth + step, 0), history.count)
        guard depth != entry.historyDepth else { return }
        if entry.historyDepth == 0 { entry.draft = entry.line.text }
        entry.historyDepth = depth
        entry.line = TextLine(depth == 0 ? entry.draft : history[history.count - depth])
        entry.problem = nil
        entry.completions = []
        entry.completionIndex = nil
        self.entry = entry
    }

    /// The filter or search text of a pane.
    func filterText(of pane: Pane) -> String {
        if let view = views[pane] { return view.filter }
        return pane == .log ? log.filter : scrolls.searches[pane] ?? ""
    }

    /// Sets the filter or search text of a pane.
    mutating func setFilter(_ text: String, of pane: Pane) {
        if var view = views[pane] {
            view.filter = text
            views[pane] = view
        } else if pane == .log {
            log.filter = text
        } else {
            scrolls.searches[pane] = text
        }
    }
}
