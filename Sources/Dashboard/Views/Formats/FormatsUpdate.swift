import AdFormats
import Screen
import Session

extension FormatsPane {
    /// Rebuilds the rows where they are out of date.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        // The next ad is shown even if the panes were shown over this one.
        if looksBehindAd, turn.scene.shown.formats?.presented == nil { looksBehindAd = false }
        fit(turn.scene.shown, breaks: breaks)
        list.lastRow = list.model.selectedRow
    }

    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        if !list.model.fits(snapshot, filter: filter) { list.model = FormatsModel(snapshot, list) }
    }

    /// The effects of keys on ad spaces; nil for keys with their usual meaning.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        if let ad = presentedAd(turn.scene.shown) { return keyOfAd(action, key: key, ad.slot, turn.scene) }
        guard turn.isFocused else { return nil }
        guard let view = turn.scene.live.formats else {
            return lacksSlot(action, "this session has no ad spaces", &turn)
        }
        if action == .formatShow, let slot = list.model.selected?.slot, slot == view.presented?.slot.name {
            looksBehindAd = false
            return []
        }
        if action == .nextPane { return selectNextSlot(&turn) ? [] : nil }
        guard let name = list.model.selected?.slot, let slot = view.slot(name)?.slot else {
            return lacksSlot(action, "no ad space under the cursor", &turn)
        }
        return Self.formatAction(action, key: key, slot, isHidden: view.isHidden).map { [.format(slot: name, $0)] }
    }

    /// What a key of an ad space is answered where there is none; nil for other keys.
    private func lacksSlot(_ action: Action, _ reason: String, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard Self.slotActions.contains(action) else { return nil }
        turn.toast(reason, isGood: false)
        return []
    }

    private static let slotActions: Set<Action> = [.formatShow, .formatVisibility, .formatClose, .formatReload]

    /// While an ad is shown over the panes they have no keys of their own; keys that lead to other views still work.
    private mutating func keyOfAd(
        _ action: Action, key: KeyPress?, _ slot: AdSlot, _ scene: Scene
    ) -> [DashboardEffect]? {
        if let act = Self.formatAction(action, key: key, slot, isHidden: scene.live.formats?.isHidden ?? false) {
            return [.format(slot: slot.name, act)]
        }
        switch action {
        case .back: looksBehindAd = true
        case _ where Self.withoutEffectUnderAd.contains(action): break
        default: return nil
        }
        return []
    }

    /// What would act on the panes that an ad covers, or not be seen below it.
    static let withoutEffectUnderAd: Set<Action> = [
        .up, .down, .left, .right, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextPane,
        .previousPane, .filter, .nextMatch, .previousMatch, .zoom, .unzoom, .freeze,
    ]

    /// `d` of a shown ad is its action, as in FMT-16.
    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard key == KeyPress(.char("d")), let ad = presentedAd(turn.scene.shown) else { return nil }
        return [.format(slot: ad.slot.name, .click)]
    }

    /// Tab cycles through the ad spaces, then moves to the next pane.
    private mutating func selectNextSlot(_ turn: inout ViewTurn) -> Bool {
        guard let row = list.model.nextSlot(after: list.model.selectedRow) else { return false }
        select(row: row, &turn)
        return true
    }

    /// Letters with another meaning in other views; arrows and page keys still move.
    private static func formatAction(
        _ action: Action, key: KeyPress?, _ slot: AdSlot, isHidden: Bool
    ) -> FormatAction? {
        var isLetter = false
        if case .char = key?.key { isLetter = true }
        switch action {
        case .right where isLetter: return .load
        case .left where isLetter: return .hidden(!isHidden)
        case .pageDown where isLetter: return .pause
        case .open: return .click
        case .mute: return .mute
        case .pause: return .pause
        case .retry: return .replay
        case .formatShow: return .show
        case .formatVisibility: return .visibility(nextShare(slot.visibility.share))
        case .formatClose: return .dismiss
        case .formatReload: return .reload
        default: return nil
        }
    }

    /// The shares that `v` cycles through.
    static let shares: [Double] = [0, 0.38, 0.5, 1]

    private static func nextShare(_ share: Double) -> Double { shares.first { $0 > share } ?? shares[0] }
}
