import Ports
import Screen

/// Notices above the footer, newest lowest.
enum ToastStack {
    /// Draws the notices that have not expired.
    /// - Parameter top: the row that they stay above; nil for the footer.
    static func draw(_ toasts: [Toast], _ context: ViewContext, above top: Int? = nil, on grid: inout Grid) {
        let toasts = toasts.filter { $0.expires > context.realNow.uptime }.suffix(Toast.limit)
        let screen = Rect(grid.size)
        guard screen.width > 4, screen.height > 1 else { return }
        let footer = SizeClass(grid.size) == .tiny ? screen.maxY : screen.maxY - 1
        let lowest = (top ?? footer) - 1
        for (offset, toast) in toasts.reversed().enumerated() where lowest - offset > 0 {
            let sign = context.glyphs.badge(toast.isGood ? .done : .failed)
            let text = " " + sign + " " + SafeText(outside: toast.text, columns: 120) + " "
            let shown = text.truncatedTail(to: screen.width - 2, context.glyphs)
            grid.put(
                shown, at: Point(x: screen.maxX - 1 - shown.columns, y: lowest - offset),
                role: toast.isGood ? .toastOK : .toastBad)
        }
    }
}
