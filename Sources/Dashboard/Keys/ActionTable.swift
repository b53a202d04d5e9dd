package import Screen

/// The sections of the help screen, in its order.
package enum ActionGroup: String, Sendable, CaseIterable {
    case move, panes, find, view, beacons, auction, share, program
}

extension Action {
    /// The help of an action and its default keys.
    struct Entry {
        let action: Action
        let group: ActionGroup
        /// One clause, lower case.
        let summary: SafeText
        /// In the notation of `KeyPress(parsing:)`, blank-separated, preferred one first.
        let keys: String

        init(_ action: Action, _ group: ActionGroup, _ keys: String, _ summary: SafeText) {
            self.action = action
            self.group = group
            self.keys = keys
            self.summary = summary
        }
    }

    /// The table of keys (TERM-32), in the order help shows it.
    static let table: [Entry] = [
        Entry(.up, .move, "k Up", "move up"),
        Entry(.down, .move, "j Down", "move down"),
        Entry(.left, .move, "h Left", "fold, go to the parent or previous ad; scroll the log left"),
        Entry(.right, .move, "l Right", "unfold, go to the child or next ad; scroll the log right"),
        Entry(.first, .move, "g Home", "go to the top"),
        Entry(.last, .move, "G End", "go to the bottom; the log follows its tail again"),
        Entry(.halfPageUp, .move, "C-u", "half a page up"),
        Entry(.halfPageDown, .move, "C-d", "half a page down"),
        Entry(.pageUp, .move, "PgUp", "a page up"),
        Entry(.pageDown, .move, "PgDn Space", "a page down"),
        Entry(.open, .move, "Enter", "fold or unfold; show the detail of an event"),
        Entry(.back, .move, "q Esc", "back; q quits when nothing is open"),

        Entry(.nextPane, .panes, "Tab", "next pane"),
        Entry(.previousPane, .panes, "S-Tab", "previous pane"),
        Entry(.paneTree, .panes, "1", "breaks; again to zoom"),
        Entry(.paneDetail, .panes, "2", "detail of the selection; again to zoom"),
        Entry(.paneLog, .panes, "3", "log; again to zoom"),
        Entry(.paneSummary, .panes, "4", "summary; again to zoom"),
        Entry(.paneSession, .panes, "5", "session and playback; again to zoom"),
        Entry(.panePlaylist, .panes, "6", "playlist view; 1 returns to the breaks"),
        Entry(.paneCreative, .panes, "7", "creative of the ad under the cursor; 1 returns to the breaks"),
        Entry(.paneAuction, .panes, "8", "auction view; 1 returns to the breaks"),
        Entry(.paneFormats, .panes, "9", "ad spaces; 1 returns to the breaks"),
        Entry(.paneCache, .panes, "0", "creative cache; 1 returns to the breaks"),
        Entry(.paneFindings, .panes, "f", "findings by rule, with places and what to do"),
        Entry(.zoom, .panes, "+", "zoom the pane"),
        Entry(.unzoom, .panes, "_", "restore the panes"),

        Entry(.filter, .find, "/", "filter or search the pane as you type; a leading ! inverts"),
        Entry(.nextMatch, .find, "n", "next match"),
        Entry(.previousMatch, .find, "N", "previous match"),
        Entry(.nextFailure, .find, "!", "next failed event; next finding in the playlist view"),
        Entry(.previousBreak, .find, "{", "previous break; previous marker in the playlist view"),
        Entry(.nextBreak, .find, "}", "next break; next marker in the playlist view"),

        Entry(.follow, .view, "F", "follow the playhead; in the log its tail"),
        Entry(.freeze, .view, "Z", "freeze the display; collecting and sending continue"),
        Entry(.sort, .view, "o", "sort breaks by the next key"),
        Entry(.reverseSort, .view, "O", "reverse the order"),
        Entry(.timestamps, .view, "t", "show or hide times in the log"),
        Entry(.wrap, .view, "w", "wrap long lines; in the auction view store its creatives in the cache"),
        Entry(.logLevel, .view, "L", "lowest level shown in the log"),
        Entry(.logBreak, .view, "b", "show log lines of the selected break, or all"),
        Entry(.theme, .view, "T", "next theme"),
        Entry(.stepOn, .view, ".", "replay: next input (:step 20 for more)"),
        Entry(.stepBack, .view, ",", "replay: previous input"),

        Entry(.mute, .beacons, "m", "mute or unmute the virtual player and report it"),
        Entry(.pause, .beacons, "p", "pause or resume the virtual player and report it"),
        Entry(.retry, .beacons, "r", "retry failed beacons; open the stream now while it cannot be opened"),
        Entry(.formatShow, .beacons, "s", "show the ad space (l loads, Enter clicks, r replays, h hides)"),
        Entry(.formatVisibility, .beacons, "v", "visible share of the ad space: 0, 38, 50, 100 %"),
        Entry(.formatClose, .beacons, "x", "close the ad space"),
        Entry(.formatReload, .beacons, "R", "reload the ad space"),

        Entry(.auctionRun, .auction, "a", "run the auction again (also n in its view)"),
        Entry(.priceUp, .auction, "=", "what if: raise the selected price by 0.01 (also + in its view)"),
        Entry(.priceDown, .auction, "-", "what if: lower the selected price by 0.01"),
        Entry(.auctionKeys, .auction, "K", "show targeting keys or candidates"),
        Entry(.auctionNotices, .auction, "$", "send the notices of the auction (also f in its view)"),

        Entry(.copyURL, .share, "y", "copy the URL; of a stream that cannot be opened the request as curl"),
        Entry(.copyCurl, .share, "Y", "copy the request as a curl command"),
        Entry(.copyReport, .share, "B", "copy a bug report in Markdown: the beacon or the finding"),
        Entry(.export, .share, "e", "export (opens the command line)"),

        Entry(.help, .program, "? F1", "this help; on a finding its rule, then this help"),
        Entry(.command, .program, ":", "command line"),
        Entry(.openURL, .program, "u", "watch another stream (opens the command line)"),
        Entry(.previousSession, .program, "[", "previous session"),
        Entry(.nextSession, .program, "]", "next session"),
        Entry(.redraw, .program, "C-l", "redraw"),
        Entry(.suspend, .program, "C-z", "suspend"),
        Entry(.quit, .program, "Q C-c", "quit"),
    ]

    private static let entries = Dictionary(uniqueKeysWithValues: table.map { ($0.action, $0) })

    /// One clause for the help screen.
    package var summary: SafeText { Action.entries[self]?.summary ?? .empty }
    /// Its help section.
    package var group: ActionGroup { Action.entries[self]?.group ?? .program }
}
