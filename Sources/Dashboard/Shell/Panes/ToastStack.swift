import Ports
import Screen

/// Notices above the footer, newest lowest.
enum ToastStack {
    /// Draws the notices that have not expired.
    static func draw(_ toasts: [Toast], _ context: ViewContext, on grid: inout Grid) {
        draw(toasts, now: context.realNow, context.glyphs, on: &grid)
    }

    /// Draws those of them that have not expired.
    static func draw(_ toasts: [Toast], now: Moment, _ glyphs: Glyphs, on grid: inout Grid) {
        let toasts = toasts.filter { $0.expires > now.uptime }.suffix(Toast.limit)
        let screen = Rect(grid.size)
        guard screen.width > 4, screen.height > 1 else { return }
        let lowest = SizeClass(grid.size) == .tiny ? screen.maxY - 1 : screen.maxY - 2
        for (offset, toast) in toasts.reversed().enumerated() where lowest - offset > 0 {
            let sign = glyphs.badge(toast.isGood ? .done : .failed)
            let text = " " + sign + " " + SafeText(outside: toast.text, columns: 120) + " "
            let shown = text.truncatedTail(to: screen.width - 2, glyphs)
            grid.put(
                shown, at: Point(x: screen.maxX - 1 - shown.columns, y: lowest - offset),
                role: toast.isGood ? .toastOK : .toastBad)
        }
    }
}
