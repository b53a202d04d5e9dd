/// The actions of keys. Raw values are the names of the config's `keys:` section.
package enum Action: String, Sendable, CaseIterable {
    case up, down, left, right, first, last
    case pageUp = "page-up"
    case pageDown = "page-down"
    case halfPageUp = "half-page-up"
    case halfPageDown = "half-page-down"
    case open, back
    case nextPane = "next-pane"
    case previousPane = "previous-pane"
    case paneTree = "pane-tree"
    case paneDetail = "pane-detail"
    case paneLog = "pane-log"
    case paneSummary = "pane-summary"
    case paneSession = "pane-session"
    case panePlaylist = "pane-playlist"
    case paneCreative = "pane-creative"
    case paneAuction = "pane-auction"
    case paneFormats = "pane-formats"
    case paneCache = "pane-cache"
    case paneFindings = "pane-findings"
    case zoom, unzoom
    case filter
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case nextFailure = "next-failure"
    case nextBreak = "next-break"
    case previousBreak = "previous-break"
    case follow, freeze, sort
    case reverseSort = "reverse-sort"
    case mute, pause, retry
    case stepOn = "step-on"
    case stepBack = "step-back"
    case auctionRun = "auction-run"
    case auctionKeys = "auction-keys"
    case auctionNotices = "auction-notices"
    case priceUp = "price-up"
    case priceDown = "price-down"
    case formatShow = "format-show"
    case formatVisibility = "format-visibility"
    case formatClose = "format-close"
    case formatReload = "format-reload"
    case copyURL = "copy-url"
    case copyCurl = "copy-curl"
    case copyReport = "copy-report"
    case export
    case timestamps, wrap
    case logLevel = "log-level"
    case logBreak = "log-break"
    case openURL = "open-url"
    case help, command, theme
    case previousSession = "previous-session"
    case nextSession = "next-session"
    case redraw, suspend, quit
}

extension Action {
    /// The action that opens a pane.
    static func opening(_ pane: Pane) -> Action? { Action(rawValue: "pane-" + pane.rawValue) }

    /// The pane that it opens: its name is `pane-` and that of the pane.
    var pane: Pane? { rawValue.hasPrefix("pane-") ? Pane(rawValue: String(rawValue.dropFirst(5))) : nil }
}
