import Screen

@testable import Dashboard

/// A dashboard that a test clicks on.
protocol ClickedSample {
    /// The effects of what was done last.
    var effects: [DashboardEffect] { get set }
    mutating func send(_ event: DashboardEvent)
}

extension ClickedSample {
    /// A click: the button is pressed and let go.
    mutating func click(_ point: Point) {
        var all: [DashboardEffect] = []
        for kind in [MouseEvent.Kind.press, .release] {
            send(.input(.mouse(MouseEvent(kind: kind, button: .left, point: point))))
            all += effects
        }
        effects = all
    }
}
