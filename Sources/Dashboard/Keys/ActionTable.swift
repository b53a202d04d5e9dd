package import Screen

/// The sections of the help screen, in its order.
package enum ActionGroup: String, Sendable, CaseIterable {
    case move, panes, find, view, beacons, auction, share, program
}

extension Action {
    /// What help says about an action and the keys it has unless the config gives others.
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
        Entry(.left, .move, "h Left", "fold, go to the parent, to the ad before; scroll the log left"),
        Entry(.right, .move, "l Right", "unfold, go to the child, to the next ad; scroll the log right"),
        Entry(.first, .move, "g Home", "to the top"),
        Entry(.last, .move, "G End", "to the bottom; the log follows its tail again"),
        Entry(.halfPageUp, .move, "C-u", "half a page up"),
        Entry(.halfPageDown, .move, "C-d", "half a page down"),
        Entry(.pageUp, .move, "PgUp", "a page up"),
        Entry(.pageDown, .move, "PgDn Space", "a page down"),
        Entry(.open, .move, "Enter", "fold or unfold; on an event show its detail"),
        Entry(.back, .move, "q Esc", "back; q where nothing is open quits"),

        Entry(.nextPane, .panes, "Tab", "next pane"),
        Entry(.previousPane, .panes, "S-Tab", "previous pane"),
        Entry(.paneTree, .panes, "1", "breaks; again to zoom"),
        Entry(.paneDetail, .panes, "2", "detail of what is selected; again to zoom"),
        Entry(.paneLog, .panes, "3", "log; again to zoom"),
        Entry(.paneSummary, .panes, "4", "summary; again to zoom"),
        Entry(.paneSession, .panes, "5", "session and playback; again to zoom"),
        Entry(.panePlaylist, .panes, "6", "the playlist in place of the breaks; 1 goes back"),
        Entry(.paneCreative, .panes, "7", "the creative of the ad under the cursor; 1 goes back"),
        Entry(.paneAuction, .panes, "8", "the auction in place of the breaks; 1 goes back"),
        Entry(.paneFormats, .panes, "9", "the ad spaces in place of the breaks; 1 goes back"),
        Entry(.paneCache, .panes, "0", "the creative cache; 1 goes back"),
        Entry(.zoom, .panes, "+", "zoom the pane"),
        Entry(.unzoom, .panes, "_", "restore the panes"),

        Entry(.filter, .find, "/", "filter or search the pane as you type; ! in front inverts"),
        Entry(.nextMatch, .find, "n", "next match"),
        Entry(.previousMatch, .find, "N", "previous match"),
        Entry(.nextFailure, .find, "!", "next failed event; in the playlist the next finding"),
        Entry(.previousBreak, .find, "{", "previous break; in the playlist the previous marker"),
        Entry(.nextBreak, .find, "}", "next break; in the playlist the next marker"),

        Entry(.follow, .view, "F", "follow the playhead, in the log its tail"),
        Entry(.freeze, .view, "Z", "freeze the display; data is still collected"),
        Entry(.sort, .view, "o", "sort breaks by the next key"),
        Entry(.reverseSort, .view, "O", "reverse the order"),
        Entry(.timestamps, .view, "t", "times in the log"),
        Entry(.wrap, .view, "w", "wrap long lines; in the auction view warm the cache with its creatives"),
        Entry(.logLevel, .view, "L", "lowest level shown in the log"),
        Entry(.theme, .view, "T", "next theme"),
        Entry(.stepOn, .view, ".", "in a recording: the next input; :step 20 goes further"),
        Entry(.stepBack, .view, ",", "in a recording: the input before"),

        Entry(.mute, .beacons, "m", "mute or unmute the virtual player and report it"),
        Entry(.pause, .beacons, "p", "pause or resume the virtual player and report it"),
        Entry(.retry, .beacons, "r", "try failed beacons again"),
        Entry(.formatShow, .beacons, "s", "show the ad space; there l loads, Enter clicks, r replays, h hides"),
        Entry(.formatVisibility, .beacons, "v", "how much of the ad space is seen: 0, 38, 50, 100 %"),
        Entry(.formatClose, .beacons, "x", "close the ad space"),
        Entry(.formatReload, .beacons, "R", "load the ad space again"),

        Entry(.auctionRun, .auction, "a", "hold the auction again; so does n in its view"),
        Entry(.priceUp, .auction, "=", "what if the selected offer were 0.01 more; so does + in its view"),
        Entry(.priceDown, .auction, "-", "what if it were 0.01 less"),
        Entry(.auctionKeys, .auction, "K", "targeting keys instead of candidates"),
        Entry(.auctionNotices, .auction, "f", "send the notices of the auction"),

        Entry(.copyURL, .share, "y", "copy the URL"),
        Entry(.copyCurl, .share, "Y", "copy the request as a curl command"),
        Entry(.export, .share, "e", "export: complete the command line that opens"),

        Entry(.help, .program, "? F1", "this help; on a finding its rule, then this help"),
        Entry(.command, .program, ":", "command line"),
        Entry(.previousSession, .program, "[", "previous session"),
        Entry(.nextSession, .program, "]", "next session"),
        Entry(.redraw, .program, "C-l", "redraw"),
        Entry(.suspend, .program, "C-z", "suspend"),
        Entry(.quit, .program, "Q C-c", "quit"),
    ]

    private static let entries = Dictionary(uniqueKeysWithValues: table.map { ($0.action, $0) })

    /// One clause for the help screen.
    package var summary: SafeText { Action.entries[self]?.summary ?? .empty }
    /// The help section it stands in.
    package var group: ActionGroup { Action.entries[self]?.group ?? .program }
}
