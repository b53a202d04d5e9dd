import Ports
import Screen
import Session

/// The views of the main place as tabs: each with its key, its name, and how much is wrong in it. A view that has
/// nothing in this session has no tab, unless it is open.
struct TabsRow {
    /// One tab and its cells in the row.
    struct Tab: Equatable {
        let view: DashboardView
        let action: Action
        let columns: Range<Int>
    }

    private(set) var line = StyledLine()
    private(set) var tabs: [Tab] = []
    private let current: Pane
    private let isASCII: Bool

    /// The tabs for a row of that many columns.
    init(_ frame: FrameContext, columns: Int) {
        current = frame.state.main
        isASCII = frame.context.settings.isASCII
        guard columns > 0 else { return }
        let views = DashboardView.allCases.filter { $0.pane == current || $0.hasContent(frame.context.snapshot) }
        let verdict = Verdict(frame.context.snapshot)
        for form in [Form.whole, .short, .keys] {
            build(views, form, verdict, frame.context)
            if line.columns <= columns { return }
        }
    }

    /// How much of a tab is written.
    private enum Form {
        case whole, short, keys
    }

    private mutating func build(
        _ views: [DashboardView], _ form: Form, _ verdict: Verdict, _ context: ViewContext
    ) {
        (line, tabs) = (StyledLine(), [])
        for view in views {
            guard let action = Action.opening(view.pane) else { continue }
            if line.columns > 0 { line.append(isASCII ? "|" : "│", .paneBorder) }
            let start = line.columns
            let key = context.key(action)
            line.space()
            if !key.isEmpty { line.add(key, .footerKey) }
            switch form {
            case .whole: line.append(" " + view.title, view.pane == current ? .paneTitle : .footerLabel)
            case .short: line.append(" " + view.shortTitle, view.pane == current ? .paneTitle : .footerLabel)
            case .keys: break
            }
            for count in view.counts(verdict, context.snapshot, context.glyphs) {
                line.space()
                line.append(count)
            }
            line.space()
            tabs.append(Tab(view: view, action: action, columns: start..<line.columns))
        }
    }

    /// Draws the row; the open view's tab is marked as a selected row is.
    func draw(in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        grid.put(line, at: rect.origin, maxColumns: rect.width)
        guard let tab = tabs.first(where: { $0.view.pane == current }) else { return }
        let place = Rect(x: rect.x + tab.columns.lowerBound, y: rect.y, width: tab.columns.count, height: 1)
        grid.mark(place.intersection(rect), .selection)
    }

    /// The action of the tab under a point, nil beside them.
    static func action(at point: Point, _ frame: FrameContext) -> Action? {
        let rect = frame.layout.tabs
        guard rect.contains(point) else { return nil }
        let tabs = TabsRow(frame, columns: rect.width).tabs
        return tabs.first { $0.columns.contains(point.x - rect.x) }?.action
    }
}

extension DashboardView {
    /// Its name on a tab.
    fileprivate var title: SafeText { SafeText(outside: rawValue.prefix(1).uppercased() + rawValue.dropFirst()) }

    /// The name where there is little room.
    fileprivate var shortTitle: SafeText {
        switch self {
        case .breaks: "Brk"
        case .creative: "Crt"
        case .formats: "Fmt"
        case .cache: "Cch"
        default: title.prefix(columns: 3)
        }
    }

    /// Whether this session has something to show in it.
    fileprivate func hasContent(_ snapshot: Snapshot) -> Bool {
        switch self {
        case .creative: snapshot.breaks.contains { !$0.ads.isEmpty }
        case .auction: snapshot.auction != nil
        case .formats: snapshot.formats != nil
        case .cache: snapshot.cache != nil || !snapshot.zones.isEmpty
        case .findings: !snapshot.findings.isEmpty
        default: true
        }
    }

    /// The counts of what is wrong in it.
    fileprivate func counts(_ verdict: Verdict, _ snapshot: Snapshot, _ glyphs: Glyphs) -> [StyledLine] {
        switch self {
        case .breaks:
            guard verdict.beacons.failed > 0 else { return [] }
            return [Self.count(SafeText(glyphs.sign(.failed)), verdict.beacons.failed, .stateFailed)]
        case .playlist:
            return Self.count(snapshot.findings.filter { $0.source == .playlist }, glyphs)
        case .findings: return Self.count(snapshot.findings, glyphs)
        default: return []
        }
    }

    /// The count of what is more than a note.
    private static func count(_ findings: [FindingView], _ glyphs: Glyphs) -> [StyledLine] {
        let severities = findings.lazy.map(\.finding.severity).filter { $0 > .info }
        guard !severities.isEmpty else { return [] }
        let role: Role = severities.contains(.error) ? .stateFailed : .stateRetry
        return [count(SafeText(glyphs.warning), severities.count, role)]
    }

    private static func count(_ sign: SafeText, _ count: Int, _ role: Role) -> StyledLine {
        StyledLine(sign + SafeText(outside: TimeText.grouped(count)), role)
    }
}
