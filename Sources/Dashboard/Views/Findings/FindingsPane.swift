import Ports
import Screen
import Session

/// What adtop found wrong with the stream, its metadata and its trackers: a rule each, errors first, with every place.
struct FindingsPane: ListView {
    /// Nothing here moves with the playhead.
    var list = ListState<FindingsModel>(follows: false)
    /// The rules whose places are shown.
    var expanded: Set<String> = []

    var pane: Pane { .findings }
    var rowCount: Int { list.model.count }
    /// A finding is read in its detail.
    var stackedRows: Int { rowCount == 0 ? 0 : max(rowCount, 2) }
    var filterWords: [FilterWord] { list.model.words }
    var hints: [FooterHint] {
        [
            openHint, FooterHint([.copyURL], "copy report", short: "report", place: 1),
            FooterHint([.help], "rule", place: 1),
        ]
    }
    /// What Enter does on the selected row.
    private var openHint: FooterHint {
        switch list.model.selected {
        case .place?: FooterHint([.open], "go there", short: "go", place: 1)
        case .path(let rule, let path)?:
            isOfPlaylist(rule, path)
                ? FooterHint([.open], "playlist", place: 1) : FooterHint([.open], "detail", place: 1)
        case .rule?, nil: FooterHint([.open], "places", place: 1)
        }
    }
    var helpKeys: [HelpKey] {
        [
            HelpKey(.open, "show or hide the places; on one go there", ofRows: true),
            HelpKey(.left, "hide the places", ofRows: true),
            HelpKey(.right, "show the places", ofRows: true), HelpKey(.copyURL, "copy a report in Markdown"),
            HelpKey(.help, "the rule: what it means, what to do"),
        ]
    }
    var finding: Finding? { list.model.selected.flatMap(list.model.group)?.newest?.finding }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        ListPane(
            pane: .findings, title: StyledLine("[f] Findings", .paneTitle), status: status(context),
            count: model.rows.count, selected: model.selectedRow, filter: filter, absence: absence(context)
        ).draw(context, shown: list.viewport(height:), in: rect, on: &grid) { index, _, place, grid in
            FindingRow.row(model.rows[index], model, context, columns: place.width).draw(in: place, on: &grid)
        }
    }

    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = list.model.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        FindingRow.row(selected, list.model, context, columns: rect.width).draw(in: rect, on: &grid)
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        guard list.model.total == 0 else { return ListPane.nothing(matches: filter) }
        let session = context.snapshot.session
        let isOpen = session.opening == nil && session.phase != .starting
        let first = StyledLine(isOpen ? "no findings so far" : "nothing found yet: the stream is not open", .text)
        // Those of an ad's documents are shown with the ad.
        let hasDocuments = context.snapshot.breaks.contains {
            $0.ads.contains { $0.creative?.findings.isEmpty == false }
        }
        let key = context.key(.paneCreative)
        guard hasDocuments, !key.isEmpty else { return [first] }
        return [first, .of("\(key) has those of the ads' VAST documents", .textMuted)]
    }

    /// The findings by severity, as in the first row, and their rules where these are not as many, because each row is one.
    private func status(_ context: ViewContext) -> [StyledLine] {
        let (findings, rules) = (list.model.groups.flatMap(\.entries), list.model.groups.count)
        let counts = Dictionary(grouping: findings, by: \.finding.severity).mapValues(\.count)
        var line = StyledLine()
        let words: [(Severity, String)] = [(.error, "error"), (.warning, "warning"), (.info, "note")]
        for (severity, word) in words {
            guard let count = counts[severity] else { continue }
            if line.columns > 0 { line.space(2) }
            line.add(count.counted(word), severity.role)
        }
        guard !filter.isEmpty || findings.count != rules else { return [line] }
        let plain = line
        if line.columns > 0 { line.space(2) }
        line.add((filter.isEmpty ? "" : "\(rules.grouped) of ") + list.model.total.counted("rule"), .paneCount)
        return plain.columns > 0 ? [line, plain] : [line]
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title("[2] Finding", pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        FindingDetail.add(list.model, context, to: &fields)
    }
    func detailHints(_ context: ViewContext) -> HintRow? {
        guard list.model.selected != nil else { return nil }
        return KeyHints.row([(.copyURL, "copy report"), (.wrap, "wrap")], context, gap: 2)
    }
}

extension FindingsPane {
    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        guard !list.model.fits(snapshot, filter: filter, expanded: expanded) else { return }
        list.model = FindingsModel(snapshot, list, expanded: expanded)
    }

    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        let before = list.model.selectedRow
        fit(turn.scene.shown, breaks: breaks)
        // An error that is found comes first, and must not move the rows that are being read.
        if list.selection != nil, list.selection == list.model.selected {
            list.offset = max(0, list.offset + list.model.selectedRow - before)
        }
        list.lastRow = list.model.selectedRow
    }

    mutating func move(_ action: Action, _ turn: inout ViewTurn) {
        guard let item = list.model.selected else { return }
        switch action {
        case .right: setExpanded(item.rule, true, turn)
        case .left:
            setExpanded(item.rule, false, turn)
            if let row = list.model.rows.firstIndex(of: .rule(item.rule)) { moveCursor(to: row, &turn) }
        default: moveRows(action, &turn)
        }
    }

    private mutating func setExpanded(_ rule: String, _ isExpanded: Bool, _ turn: ViewTurn) {
        if isExpanded { expanded.insert(rule) } else { expanded.remove(rule) }
        list.selection = list.model.selected
        list.model = FindingsModel(turn.scene.shown, list, expanded: expanded)
    }

    /// Puts the cursor on the first finding about a break, errors first.
    mutating func show(findingsOf adBreak: Int, in snapshot: Snapshot) {
        let finder = PlaceFinder(snapshot.breaks)
        let found = FindingGroup.all(of: snapshot.findings).lazy.compactMap { group -> FindingItem? in
            let places = group.entries.flatMap(\.places).map(\.place)
            return places.first { finder.index(of: $0) == adBreak }.map { .place(group.rule, $0) }
        }
        if let item = found.first { show(item, in: snapshot) }
    }

    /// Puts the cursor on a row, whatever was filtered and folded.
    mutating func show(_ item: FindingItem, in snapshot: Snapshot) {
        filter = ""
        expanded.insert(item.rule)
        list.selection = item
        list.model = FindingsModel(snapshot, list, expanded: expanded)
        list.lastRow = list.model.selectedRow
    }

    /// A rule shows its places, or hides them; a place is shown among the breaks or in the playlist.
    mutating func open(_ turn: inout ViewTurn) {
        switch list.model.selected {
        case .rule(let rule)?: setExpanded(rule, !expanded.contains(rule), turn)
        case .place(_, let place)?:
            if let path = list.model.finder.path(of: place) { return turn.ask(.showNode(path)) }
            turn.toast("\(list.model.finder.label(of: place)) is no longer in the list", isGood: false)
        case .path(let rule, let path)?: turn.ask(isOfPlaylist(rule, path) ? .focus(.playlist) : .showDetail)
        case nil: turn.toast("no finding is selected", isGood: false)
        }
    }

    /// A double click does what Enter does.
    mutating func doubleClick(_ turn: inout ViewTurn) { open(&turn) }

    /// Whether what was found at a path, or at none, is in the playlist.
    private func isOfPlaylist(_ rule: String, _ path: String?) -> Bool {
        list.model.group(of: .rule(rule))?.entries.first { $0.finding.path == path }?.source == .playlist
    }

    /// `y` copies a report for those who have to mend it.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard action == .copyReport || (action == .copyURL && turn.isFocused), let item = list.model.selected,
            let group = list.model.group(of: item)
        else { return nil }
        return [.copy(FindingReport.markdown(group, list.model.finder, turn.scene.shown), .report)]
    }
}
