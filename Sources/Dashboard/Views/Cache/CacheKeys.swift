package import CreativeCache
import Ports
import Screen
import Session

/// A user's command for the creative cache.
package enum CacheAction: Sendable, Hashable {
    case delete(CreativeID)
    case purge
    /// Restart its time to live.
    case extend(CreativeID)
    /// Write the markup of a line item to a file.
    case writeSnippet
    /// Compare it with the remote cache.
    case compare(CreativeID)
}

/// Keys with a meaning of their own while the cache view is focused (CACHE-14).
enum CacheKey: String, CaseIterable {
    case delete = "d"
    case purge = "D"
    case extend = "e"
    case snippet = "c"
    case compare = "t"
    case warm = "w"

    /// One word for the footer; nil for keys that the footer does not show.
    var label: SafeText? {
        switch self {
        case .delete: "delete"
        case .extend: "extend"
        case .compare: "compare"
        case .warm: "warm"
        case .snippet: "snippet"
        case .purge: nil
        }
    }

    /// One clause for the help screen.
    var summary: SafeText {
        switch self {
        case .delete: "delete the creative, or the zone with both its parts"
        case .purge: "delete all creatives (press twice within three seconds)"
        case .extend: "restart the creative's time to live"
        case .snippet: "write the line item's markup to a file"
        case .compare: "compare the creative with the remote cache"
        case .warm: "store the auction's creatives again"
        }
    }

    /// The command of a key press, nil for other keys.
    init?(_ key: KeyPress) {
        guard case .char(let character) = key.key, key.modifiers.isEmpty, let found = CacheKey(rawValue: "\(character)")
        else { return nil }
        self = found
    }
}

extension CachePane {
    /// The longest time between the two presses of `D`.
    static let purgeInterval: Duration = .seconds(3)

    /// The effects of a key of the cache view; nil for keys with their usual meaning.
    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard turn.isFocused, let command = CacheKey(key) else { return nil }
        // The creative that a key acted on stays selected when the list changes.
        if let line = list.model.selectedLine { list.selection = line.item }
        if case .zone(let zone, _)? = list.model.selectedLine, let effects = zoneKey(command, zone, &turn) {
            return effects
        }
        guard turn.scene.shown.cache != nil else {
            turn.toast("this session has no cache", isGood: false)
            return []
        }
        switch command {
        case .snippet: return [.cache(.writeSnippet)]
        case .warm: return warm(&turn)
        case .purge: return purge(&turn)
        case .delete, .extend, .compare: break
        }
        guard let id = list.model.selected?.id else {
            turn.toast("no creative is selected", isGood: false)
            return []
        }
        switch command {
        case .delete: return [.cache(.delete(id))]
        case .extend: return [.cache(.extend(id))]
        default: return [.cache(.compare(id))]
        }
    }

    /// The effects of a key on a zone; nil for keys that do not concern the selection.
    private mutating func zoneKey(_ command: CacheKey, _ zone: ZoneRow, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        switch command {
        case .delete:
            turn.toast("deleting the files of \(zone.zone)", isGood: true)
            return [.discardZone(zone.zone)]
        case .extend, .compare:
            turn.toast("zones expire after an hour and exist only here", isGood: false)
            return []
        case .purge, .snippet, .warm: return nil
        }
    }

    private mutating func warm(_ turn: inout ViewTurn) -> [DashboardEffect] {
        guard turn.scene.shown.auction?.warm.isEmpty == false else {
            turn.toast("no auction has a creative to cache", isGood: false)
            return []
        }
        return [.auction(.warm)]
    }

    private mutating func purge(_ turn: inout ViewTurn) -> [DashboardEffect] {
        if let asked = purgeAskedAt, turn.scene.now.uptime - asked < Self.purgeInterval {
            purgeAskedAt = nil
            return [.cache(.purge)]
        }
        purgeAskedAt = turn.scene.now.uptime
        turn.toast("press D again to delete all creatives", isGood: true)
        return []
    }

    /// The rows of the newest report.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {
        fit(turn.scene.shown, breaks: breaks)
        list.lastRow = list.model.selectedRow
        // Nothing here moves with the playhead.
        list.follows = false
    }

    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        if !list.model.fits(snapshot, filter: filter) { list.model = CacheModel(snapshot, list) }
    }
}
