package import VAST

/// Beacons that are due, with their URLs. Whether they are sent is decided elsewhere.
package struct SlotReport: Sendable, Hashable {
    /// `impression`, `firstQuartile`, `clickTracking`, `viewable`, `error`, …
    package var event: String
    /// URLs as written, with macros not yet expanded.
    package var urls: [String]
    package var context: MacroExpander.Context
    /// Nil when there are no macros to expand.
    package var values: MacroValues?
    /// Milliseconds of the ad that were played; nil outside playback.
    package var adTime: Int64?
    package var errorCode: Int?
    /// Whether every occurrence counts, as for clicks and mute. Other events are reported once per load.
    package var isRepeatable: Bool
    /// Number of the load in the slot, from 1.
    package var load: Int

    /// The URLs for display: with the error code, and the other macros as written, because they are filled when a URL is
    /// requested.
    package var shownURLs: [String] {
        guard let errorCode else { return urls }
        return urls.map { url in
            ["[ERRORCODE]", "%5BERRORCODE%5D", "%5bERRORCODE%5d", "%%ERRORCODE%%"].reduce(url) { url, macro in
                url.replacing(macro, with: "\(errorCode)")
            }
        }
    }

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

/// Events of a slot since its last load, by the letters of the pane (FMT-26).
package enum SlotMark: Character, Sendable, Hashable, CaseIterable {
    case received = "r"
    case presented = "p"
    case impression = "i"
    case viewable = "v"
    case click = "c"
    case reward = "w"
    case dismissed = "d"
}
