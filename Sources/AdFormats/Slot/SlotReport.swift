package import VAST

/// Beacons that became due: who is to be told what. Whether they are sent is decided elsewhere.
package struct SlotReport: Sendable, Hashable {
    /// `impression`, `firstQuartile`, `clickTracking`, `viewable`, `error`, …
    package var event: String
    /// As written; macros stand in them.
    package var urls: [String]
    package var context: MacroExpander.Context
    /// Nil where there are no macros to fill.
    package var values: MacroValues?
    /// Milliseconds of the ad that were played; nil outside of playback.
    package var adTime: Int64?
    package var errorCode: Int?
    /// Each occasion counts: clicks, mute and the like. Others are told once for each load.
    package var isRepeatable: Bool
    /// Which load of the slot it belongs to, from 1.
    package var load: Int

    package init(
        _ event: String, _ urls: [String], context: MacroExpander.Context = .tracking, values: MacroValues? = nil,
        adTime: Int64? = nil, errorCode: Int? = nil, isRepeatable: Bool = false, load: Int
    ) {
        self.event = event
        self.urls = urls
        self.context = context
        self.values = values
        self.adTime = adTime
        self.errorCode = errorCode
        self.isRepeatable = isRepeatable
        self.load = load
    }
}

/// What a slot went through since its last load, by the letters of the pane (FMT-26).
package enum SlotMark: Character, Sendable, Hashable, CaseIterable {
    case received = "r"
    case presented = "p"
    case impression = "i"
    case viewable = "v"
    case click = "c"
    case reward = "w"
    case dismissed = "d"
}
