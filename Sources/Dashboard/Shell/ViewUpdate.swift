import HLS
import Monitoring
import Ports
import Screen

extension DashboardState {
    /// Turns following the playhead on, off, or over (nil).
    mutating func followBreaks(_ flag: Bool?) {
        keepOffset()
        tree.follows = flag ?? !tree.follows
    }

    /// Copies the address of the selected row of a list.
    mutating func copySelected(_ kind: CopyKind, _ scene: Scene) -> [DashboardEffect] {
        guard kind != .json else {
            toast("only breaks, ads and events can be copied as JSON", isGood: false, now: scene.now)
            return []
        }
        guard let url = mainView.address(self) else {
            toast("the selected row has no URL", isGood: false, now: scene.now)
            return []
        }
        return [.copy(kind == .curl ? CopyText.curl(url) : CopyText.url(url), kind)]
    }
}
