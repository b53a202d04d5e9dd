package import AdTracking
package import HLS
package import Ports
package import Session

/// What the caller must do after an update; everything else has already happened inside the state.
package enum DashboardEffect: Sendable, Equatable {
    /// Toggle the virtual player's mute and report `mute` or `unmute` for the ad on air.
    case toggleMute
    /// Toggle the virtual player's pause and report `pause` or `resume` for the ad on air.
    case togglePause
    /// Report another user action for the ad on air.
    case report(UserAction)
    /// Move the virtual player.
    case player(PlayerCommand)
    /// Step forward by that many inputs of a recording (back if negative) and answer with `noticed`.
    case step(Int)
    /// Do something to an ad space.
    case format(slot: String, FormatAction)
    /// Send beacons from now on, confirmed by the user (`fire`), or stop sending (`observe`).
    case setMode(ReportingMode)
    /// Follow another variant of the playlist.
    case variant(VariantWish)
    /// Run the auction again, change a price, send its notices.
    case auction(AuctionCommand)
    /// Retry the failed URLs of this event.
    case retry(NodePath)
    /// Try at once to open the stream that cannot be opened.
    case openNow
    /// End the session and watch another stream in its place.
    case openStream(WebURL)
    /// Put text on the clipboard and answer with `noticed`.
    case copy(String, CopyKind)
    /// Write the current view or model and answer with `noticed`; nil as file lets the caller name it.
    case export(ExportFormat, file: String?)
    /// Read the names in a folder, the empty one being that in which the program was started; answer with `folderRead`.
    case listFolder(String)
    /// Load and use a theme; answer with `themeChanged` or a bad `noticed`.
    case setTheme(String)
    /// Show the session of that index; answer with `sessionsChanged`.
    case selectSession(Int)
    /// Go back to the table of sessions; answer with `tableShown`.
    case leaveSession
    /// Do something with the creative cache and answer with `noticed`.
    case cache(CacheAction)
    /// Discard a saved zone.
    case discardZone(String)
    /// Run the user's own command, log its output and answer with `noticed`.
    case run(CommandRun)
    /// Repaint everything.
    case redraw
    /// Give the terminal back and stop the process until it is continued.
    case suspend
    case quit
}

extension DashboardEffect {
    /// Whether the terminal is another program's afterwards.
    var givesTerminalAway: Bool {
        switch self {
        case .quit, .suspend, .openStream: true
        default: false
        }
    }
}

/// The form in which something is copied.
package enum CopyKind: String, Sendable, CaseIterable {
    case url, curl, json
    /// Markdown for a ticket.
    case report
}

/// The form in which something is exported.
package enum ExportFormat: String, Sendable, CaseIterable {
    case json, csv, text, svg
}

extension DashboardEffect {
    /// The session's input for effects that concern the session; nil for others.
    package var input: Input? {
        switch self {
        case .toggleMute: .toggled(.mute)
        case .togglePause: .toggled(.pause)
        case .report(let action): .userActed(action)
        case .player(let command): .playerCommanded(command)
        case .format(let slot, let action): .beside(.formatActed(slot: slot, action))
        case .setMode(let mode): .modeChosen(mode)
        case .variant(let wish): .variantChosen(wish)
        case .auction(let command): .beside(.auctionCommanded(command))
        case .retry(let path): path.eventID.map { .retryAsked(.event($0)) }
        case .openNow: .retryAsked(.opening)
        case .discardZone(let unit): .beside(.zoneDiscarded(unit))
        case .step, .copy, .export, .listFolder, .setTheme, .openStream, .selectSession, .leaveSession, .cache, .run,
            .redraw, .suspend, .quit:
            nil
        }
    }
}
