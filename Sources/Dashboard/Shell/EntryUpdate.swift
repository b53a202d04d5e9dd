import Ports
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
        case .tab: return complete(by: 1, scene)
        case .backTab: return complete(by: -1, scene)
        default: break
        }
        let effects = themeOfBefore()
        switch key.key {
        case .escape:
            if case .filter(let pane) = purpose { setFilter("", of: pane) }
            entry = nil
        case .up: recall(1)
        case .down: recall(-1)
        default:
            if entry?.edit(key) == false { entry = nil }
            applyFilter()
        }
        return effects
    }

    /// The list shows a theme while it is chosen there; with another line the theme from before is shown again.
    private mutating func themeOfBefore() -> [DashboardEffect] {
        guard let before = entry?.themeBefore else { return [] }
        entry?.themeBefore = nil
        return [.setTheme(before)]
    }

    /// Pasted text.
    mutating func insert(_ text: String) {
        entry?.insert(pasted: text)
        applyFilter()
    }

    /// Uses what is typed as the filter of its pane.
    mutating func applyFilter() {
        guard let entry, case .filter(let pane) = entry.purpose else { return }
        setFilter(entry.line.text, of: pane)
    }

    private mutating func commit(_ scene: Scene) -> [DashboardEffect] {
        if case .filter(let pane)? = entry?.purpose {
            let words = candidates(scene.shown)
            if let row = entry?.selected, words.indices.contains(row) { setFilter(words[row].line, of: pane) }
            entry = nil
            return []
        }
        takeOnlyTheme(scene)
        guard takeSelected(scene), let line = entry?.line.text else { return [] }
        guard line.contains(where: { $0 != " " }) else {
            entry = nil
            return []
        }
        do throws(CommandProblem) {
            return try run(line, scene)
        } catch {
            return runMeant(line, instead: error, scene)
        }
    }

    private mutating func run(_ line: String, _ scene: Scene) throws(CommandProblem) -> [DashboardEffect] {
        let recording = scene.live.replay.map { (position: $0.offset(at: scene.now), length: $0.length) }
        // The dates of a recording are those of its clock.
        let date = recording == nil ? scene.date : scene.now.wall
        let command = try CommandLine.parse(line, date: date, recording: recording, columns: sortNames)
        if case .player(.seek) = command, recording == nil, scene.live.playhead.state == .idle { throw .notOpened }
        if history.last != line { history.append(line) }
        if history.count > DashboardState.historyLimit { history.removeFirst() }
        entry = nil
        return run(command, scene)
    }

    /// What was typed is no command, but the list above it has what is meant: the only row, or one that begins so. A number means itself: an
    /// amount that is not allowed is not replaced by one that contains its digits.
    private mutating func runMeant(
        _ line: String, instead problem: CommandProblem, _ scene: Scene
    ) -> [DashboardEffect] {
        let rows = candidates(scene.shown)
        let typed = line.drop { $0 == " " }
        let isNumber = typed.firstIndex(of: " ").map { Double(typed[$0...].drop { $0 == " " }) != nil } ?? false
        if !isNumber, let row = rows.first, row.line != typed, rows.count == 1 || row.line.hasPrefix(typed) {
            entry?.line.replaceBeforeCursor(with: row.taken)
            if row.needsArgument { return [] }
            do throws(CommandProblem) { return try run(row.line, scene) } catch {}
        }
        entry?.problem = problem.description
        return []
    }

    /// The columns of the table that is shown; nil in a session.
    private var sortNames: [String]? { showsTable ? mainView.sortNames : nil }

    /// The rows of the list above the line. Beside a filter these are words of its pane, until something is typed.
    func candidates(_ snapshot: Snapshot) -> [Completion.Candidate] {
        guard let entry else { return [] }
        guard case .filter(let pane) = entry.purpose else {
            let typed = entry.line.textBeforeCursor
            if PathCompletion.path(in: typed, isInTable: showsTable) != nil {
                return PathCompletion.candidates(for: typed, in: entry.folder)
            }
            return Completion.candidates(
                for: typed, themes: settings.themes, variants: VariantWords.of(snapshot.playlist),
                columns: sortNames, isRecording: snapshot.replay != nil, keymap: settings.keymap)
        }
        guard !entry.isTyped else { return [] }
        let sign = entry.line.text.hasPrefix("!") ? "!" : ""
        return filterWords(of: pane, snapshot).map { word in
            Completion.Candidate(line: sign + word.text, title: word.text, summary: word.summary)
        }
    }

    /// What the rows of a pane can be filtered by.
    private func filterWords(of pane: Pane, _ snapshot: Snapshot) -> [FilterWord] {
        views[pane]?.filterWords ?? (pane == .log ? LogWindow.words(of: shownLog(snapshot), shownBy: log) : [])
    }

    /// The beginning of a theme's name is that theme where the list has no other: a command line would take it for the name of a file.
    private mutating func takeOnlyTheme(_ scene: Scene) {
        let rows = candidates(scene.shown)
        guard let entry, rows.count == 1, rows[0].theme != nil, rows[0].line.hasPrefix(entry.line.text) else { return }
        self.entry?.selected = 0
    }

    /// Puts the chosen row into the line. False where an argument has to follow.
    private mutating func takeSelected(_ scene: Scene) -> Bool {
        let rows = candidates(scene.shown)
        guard let index = entry?.selected, rows.indices.contains(index) else { return true }
        let row = rows[index]
        entry?.line.replaceBeforeCursor(with: row.taken)
        entry?.selected = nil
        return !row.needsArgument
    }

    /// A click on a row of the list: as if it were chosen and Enter pressed.
    mutating func choose(_ row: Int, _ scene: Scene) -> [DashboardEffect] {
        entry?.selected = row
        return commit(scene)
    }

    /// Tab inserts what all rows have in common; where that is nothing, and for the words of a filter, it moves through them.
    private mutating func complete(by step: Int, _ scene: Scene) -> [DashboardEffect] {
        guard let entry else { return [] }
        let rows = candidates(scene.shown)
        guard entry.purpose == .command else { return rows.isEmpty ? [] : select(by: step, rows) }
        let typed = entry.line.textBeforeCursor
        guard !rows.isEmpty else {
            self.entry?.problem = "no completions"
            return []
        }
        let line = Self.completed(typed, rows)
        guard entry.selected == nil, line != typed else { return select(by: step, rows) }
        self.entry?.line.replaceBeforeCursor(with: line)
        self.entry?.problem = nil
        return []
    }

    /// The line with what the rows that continue it have in common; behind a whole command a blank for its argument.
    private static func completed(_ typed: String, _ rows: [Completion.Candidate]) -> String {
        let continuing = rows.filter { $0.line.hasPrefix(typed) }
        let one = continuing.count == 1 ? continuing[0] : rows.count == 1 ? rows[0] : nil
        guard let one else { return Completion.common(of: rows, from: typed) }
        let isWhole = one.line.contains(" ") || one.title == one.line
        return isWhole ? one.taken : one.line + " "
    }

    private mutating func select(by step: Int, _ rows: [Completion.Candidate]) -> [DashboardEffect] {
        guard let entry else { return [] }
        let next = entry.selected.map { $0 + step } ?? (step > 0 ? 0 : rows.count - 1)
        return select((next % rows.count + rows.count) % rows.count, rows)
    }

    /// The wheel moves through the list, and stops at its ends.
    mutating func scrollCandidates(_ step: Int, _ scene: Scene) -> [DashboardEffect] {
        let rows = candidates(scene.shown)
        guard let entry, !rows.isEmpty else { return [] }
        let next = (entry.selected ?? -1) + step
        return select(min(max(next, 0), rows.count - 1), rows)
    }

    private mutating func select(_ index: Int, _ rows: [Completion.Candidate]) -> [DashboardEffect] {
        self.entry?.selected = index
        self.entry?.problem = nil
        // A word filters while it is chosen, as a theme shows itself.
        if case .filter(let pane)? = entry?.purpose { setFilter(rows[index].line, of: pane) }
        guard let theme = rows[index].theme else { return [] }
        if entry?.themeBefore == nil { self.entry?.themeBefore = settings.theme }
        return [.setTheme(theme)]
    }

    private mutating func recall(_ step: Int) {
        guard var entry, entry.purpose == .command else { return }
        let depth = min(max(entry.historyDepth + step, 0), history.count)
        guard depth != entry.historyDepth else { return }
        if entry.historyDepth == 0 { entry.draft = entry.line.text }
        entry.historyDepth = depth
        entry.line = TextLine(depth == 0 ? entry.draft : history[history.count - depth])
        entry.problem = nil
        entry.selected = nil
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

    /// Asks once for the names in the folder whose path is typed.
    mutating func askForFolder() -> [DashboardEffect] {
        guard let entry, entry.purpose == .command,
            let path = PathCompletion.path(in: entry.line.textBeforeCursor, isInTable: showsTable)
        else { return [] }
        let folder = PathCompletion.folder(of: path)
        guard folder != entry.askedFolder else { return [] }
        self.entry?.askedFolder = folder
        return [.listFolder(folder)]
    }

    /// Names of a folder that is not typed any more are of no use.
    mutating func take(_ listing: FolderListing) {
        guard entry?.askedFolder == listing.folder else { return }
        entry?.folder = listing
        entry?.selected = nil
    }
}
