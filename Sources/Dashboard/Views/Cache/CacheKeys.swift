package import CreativeCache
import Monitoring
import Ports
import Screen

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

extension DashboardState {
    /// The longest time between the two presses of `D`.
    static let purgeInterval: Duration = .seconds(3)

    /// The effects of a key of the cache view; nil for keys with their usual meaning.
    mutating func cacheKey(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect]? {
        guard focus == .cache, let command = CacheKey(key) else { return nil }
        // The creative that a key acted on stays selected when the list changes.
        if let line = cache.model.selectedLine { cache.selection = line.item }
        if case .zone(let zone, _)? = cache.model.selectedLine, let effects = zoneKey(command, zone, scene) {
            return effects
        }
        guard scene.shown.cache != nil else {
            toast("this session has no cache", isGood: false, now: scene.now)
            return []
        }
        switch command {
        case .snippet: return [.cache(.writeSnippet)]
        case .warm: return warm(scene)
        case .purge: return purge(scene)
        case .delete, .extend, .compare: break
        }
        guard let id = cache.model.selected?.id else {
            toast("no creative is selected", isGood: false, now: scene.now)
            return []
        }
        switch command {
        case .delete: return [.cache(.delete(id))]
        case .extend: return [.cache(.extend(id))]
        default: return [.cache(.compare(id))]
        }
    }

    /// The effects of a key on a zone; nil for keys that do not concern the selection.
    private mutating func zoneKey(_ command: CacheKey, _ zone: ZoneRow, _ scene: Scene) -> [DashboardEffect]? {
        switch command {
        case .delete: return [.discardZone(zone.zone)]
        case .extend, .compare:
            toast("zones expire after an hour and exist only here", isGood: false, now: scene.now)
            return []
        case .purge, .snippet, .warm: return nil
        }
    }

    private mutating func warm(_ scene: Scene) -> [DashboardEffect] {
        guard scene.shown.auction?.warm.isEmpty == false else {
            toast("no auction has a creative to cache", isGood: false, now: scene.now)
            return []
        }
        return [.auction(.warm)]
    }

    private mutating func purge(_ scene: Scene) -> [DashboardEffect] {
        if let asked = purgeAskedAt, scene.now.uptime - asked < Self.purgeInterval {
            purgeAskedAt = nil
            return [.cache(.purge)]
        }
        purgeAskedAt = scene.now.uptime
        toast("press D again to delete all creatives", isGood: true, now: scene.now)
        return []
    }

    /// The rows of the newest report.
    mutating func refreshCache(_ scene: Scene) {
        fitCache(scene.shown)
        cache.lastRow = cache.model.selectedRow
        // Nothing here moves with the playhead.
        cache.follows = false
    }

    /// Makes the rows where they are out of date.
    mutating func fitCache(_ snapshot: Snapshot) {
        if !cache.model.fits(snapshot, filter: cache.filter) { cache.model = CacheModel(snapshot, cache) }
    }
}
