import Ports
import Screen
import Session

/// One event at a view: what the view may know of the shell, and what it asks of it.
struct ViewTurn {
    /// A wish that concerns more than the view.
    enum Request: Equatable {
        /// Show a notice.
        case toast(String, isGood: Bool)
        /// Give a pane the keys.
        case focus(Pane)
        /// Give a pane the keys; one that has them gets the whole screen, or gives it back.
        case focusOrZoom(Pane)
        /// Show a table with the rows that have a text.
        case filter(Pane, String)
        /// Show the detail of the selection.
        case showDetail
        /// Show the detail from its first line: it is that of another row.
        case restartDetail
        /// Ask the user before anything else.
        case confirm(Confirmation)
        /// Turn following of the breaks on, off, or over (nil).
        case followBreaks(Bool?)
        /// Select the next break in that direction.
        case selectBreak(Int)
        /// Select the next ad in that direction, of any break.
        case selectAd(Int)
        /// Show a node of the breaks.
        case showNode(NodePath)
    }

    /// The session, and the time.
    let scene: Scene
    /// The cells of the view's rows; empty while they are not visible.
    let rows: Rect
    /// Whether the event concerns the view: its rows have the keys, or its detail has them and leaves this one to it.
    let isFocused: Bool
    /// Whether the display is frozen.
    let isHeld: Bool
    /// What the shell has to do when the view returns, in this order.
    private(set) var requests: [Request] = []

    /// A turn of a view whose rows have those cells.
    init(_ scene: Scene, rows: Rect, isFocused: Bool, isHeld: Bool) {
        self.scene = scene
        self.rows = rows
        self.isFocused = isFocused
        self.isHeld = isHeld
    }

    /// Adds a request.
    mutating func ask(_ request: Request) {
        requests.append(request)
    }

    /// Shows a notice.
    mutating func toast(_ text: String, isGood: Bool) {
        ask(.toast(text, isGood: isGood))
    }
}
