import AdFormats
import Ports
import Screen
import Session

/// The views of the main place as tabs: each with its key, its name, and how much is wrong in it. A view that has
/// nothing in this session has no tab, unless it is open.
struct TabsRow {
    /// Each tab opens its view.
    private(set) var row = HintRow()
    private let current: Pane
    private let isASCII: Bool

    /// The tabs for a row of that many columns.
    init(_ frame: FrameContext, columns: Int) {
        current = frame.state.main
        isASCII = frame.context.settings.isASCII
        guard columns > 0 else { return }
        let views = DashboardView.allCases.filter { $0.pane == current || $0.hasContent(frame.context.snapshot) }
        let verdict = Verdict(frame.context.snapshot)
        for form in [Form.whole, .close, .short, .keys] {
            build(views, form, verdict, frame)
            if row.columns <= columns { return }
        }
    }

    /// How much of a tab is written.
    private enum Form {
        case whole
        /// Whole words without blanks beside the lines between them.
        case close
        case short, keys
    }

    private mutating func build(
        _ views: [DashboardView], _ form: Form, _ verdict: Verdict, _ frame: FrameContext
    ) {
        let context = frame.context
        let taken = frame.main.hasKeys(context) ? frame.main.helpKeys : []
        row = HintRow()
        for view in views {
            guard let action = Action.opening(view.pane) else { continue }
            if row.columns > 0 { row.append(StyledLine(isASCII ? "|" : "│", .paneBorder)) }
            var tab = StyledLine()
            // The open view may give the key another meaning.
            let key = taken.contains { $0.takes(action, context) } ? "" : context.key(action)
            if form != .close || row.columns == 0 { tab.space() }
            if !key.isEmpty { tab.add(key, .footerKey) }
            switch form {
            case .whole, .close: tab.append(" " + view.title, view.pane == current ? .paneTitle : .footerLabel)
            case .short: tab.append(" " + view.shortTitle, view.pane == current ? .paneTitle : .footerLabel)
            case .keys: break
            }
            for count in view.counts(verdict, context.snapshot, context.glyphs) {
                tab.space()
                tab.append(count)
            }
            if form != .close { tab.space() }
            row.append(tab, .action(action))
        }
    }

    /// Draws the row; the open view's tab is marked as a selected row is.
    func draw(in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        grid.put(row.line, at: rect.origin, maxColumns: rect.width)
        let open = Action.opening(current).map(HintPress.action)
        guard let tab = row.parts.first(where: { $0.press == open }) else { return }
        let place = Rect(x: rect.x + tab.columns.lowerBound, y: rect.y, width: tab.columns.count, height: 1)
        grid.mark(place.intersection(rect), .selection)
    }

    /// The pane of the tab under a point, nil beside them.
    static func pane(at point: Point, _ frame: FrameContext) -> Pane? {
        let rect = frame.layout.tabs
        guard rect.contains(point),
            case .action(let action)? = TabsRow(frame, columns: rect.width).row.press(at: point, in: rect)
        else { return nil }
        return action.pane
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
            let counts = [(StateSign.failed, verdict.beacons.failed), (.unknown, verdict.beacons.unknown)]
            return counts.filter { $0.1 > 0 }.map { Self.count(SafeText(glyphs.sign($0.0)), $0.1, $0.0.role) }
        case .playlist:
            return Self.count(snapshot.findings.filter { $0.source == .playlist }, glyphs)
        case .findings: return Self.count(snapshot.findings, glyphs)
        case .formats:
            let failed = snapshot.formats?.slots.count { $0.slot.state == .failed } ?? 0
            return failed > 0 ? [Self.count(SafeText(glyphs.sign(.failed)), failed, StateSign.failed.role)] : []
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
