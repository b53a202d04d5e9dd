import AdTracking
import Ports
import Screen
import Session

extension DashboardState {
    /// A key: first for the question on the screen, then for the text being typed, then for the keymap.
    mutating func take(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect] {
        let action = settings.keymap.action(for: key)
        // These work everywhere unless they are a plain letter that could be text.
        if let action, key.isCommandEverywhere, let effect = everywhere(action) { return [effect] }
        if confirmation != nil { return answer(key, scene) }
        if entry != nil { return edit(key, scene) }
        if !isHelpOpen, let effects = takeUserCommand(key, scene) { return effects }
        if !isHelpOpen, let effects = withMainView(scene, for: action, { $0.take(key, &$1) }) { return effects }
        guard let action else { return [] }
        if isHelpOpen { return performInHelp(action, scene) }
        return perform(action, key: key, scene)
    }

    /// The effects of an action while the panes have the keyboard. `key` is nil when it came from a command, or from a
    /// click on something else than a key.
    mutating func perform(_ action: Action, key: KeyPress?, _ scene: Scene) -> [DashboardEffect] {
        if let effects = take(inReplay: key, action, scene) { return effects }
        if let effects = withMainView(scene, for: action, { $0.perform(action, key: key, &$1) }) { return effects }
        if let effect = everywhere(action) { return [effect] }
        switch action {
        case .up, .down, .left, .right, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch,
            .previousMatch:
            move(action, scene)
        case .nextFailure:
            if !withMainView(scene, { $0.selectFailure(&$1) }) { return selectFailure(scene) }
        case .nextBreak: withMainView(scene) { $0.selectBreak(1, &$1) }
        case .previousBreak: withMainView(scene) { $0.selectBreak(-1, &$1) }
        case .open: open(scene)
        case .back: return goBack(key, scene)
        case .nextPane: cyclePane(by: 1)
        case .previousPane: cyclePane(by: -1)
        case .paneTree, .paneDetail, .paneLog, .paneSummary, .paneSession, .panePlaylist, .paneCreative, .paneAuction,
            .paneFormats, .paneCache, .paneFindings:
            if let pane = action.pane { focusOrZoom(pane) }
        case .auctionRun, .auctionKeys, .auctionNotices, .priceUp, .priceDown:
            toast("auction key: press 8 for the auction view", isGood: false, now: scene.now)
        case .formatShow, .formatVisibility, .formatClose, .formatReload:
            toast("ad space key: press 9 for the ad spaces", isGood: false, now: scene.now)
        case .zoom: isZoomed = true
        case .unzoom: isZoomed = false
        case .mute: return beaconKey(.toggleMute, scene)
        case .pause: return beaconKey(.togglePause, scene)
        case .retry: return retry(scene)
        case .stepOn: return [.step(1)]
        case .stepBack: return [.step(-1)]
        case .copyURL: return copy(.url, scene)
        case .copyCurl: return copy(.curl, scene)
        case .copyReport: return copy(.report, scene)
        case .theme: return nextTheme(scene)
        case .previousSession: return switchSession(by: -1, scene)
        case .nextSession: return switchSession(by: 1, scene)
        case .filter, .command, .export, .openURL, .help: openEntry(action)
        case .follow, .freeze, .sort, .reverseSort, .timestamps, .wrap, .logLevel: changeView(action, scene)
        case .logBreak: logSelectedBreak(scene)
        case .redraw, .suspend, .quit: break
        }
        return []
    }

    private func everywhere(_ action: Action) -> DashboardEffect? {
        switch action {
        case .quit: .quit
        case .suspend: .suspend
        case .redraw: .redraw
        default: nil
        }
    }

    private mutating func openEntry(_ action: Action) {
        switch action {
        case .filter: entry = TextEntry(.filter(focus), text: filterText(of: focus))
        case .command: entry = TextEntry(.command)
        case .export: entry = TextEntry(.command, text: "export ")
        case .openURL: entry = TextEntry(.command, text: "open ")
        default: openHelp(selectedRule.map(HelpTopic.rule) ?? .keys)
        }
    }

    /// Actions that change how things are shown.
    mutating func changeView(_ action: Action, _ scene: Scene) {
        // Beside the table of sessions only the log has a tail and long lines.
        let actsOnLog = focus == .log || showsTable
        switch action {
        case .follow where actsOnLog: log.follow(!log.follows, shownLog(scene.shown))
        case .follow where scene.shown.playhead.state == .idle:
            toast("nothing plays yet: there is no playhead to follow", isGood: false, now: scene.now)
        case .follow: withMainView(scene) { $0.follow(nil, &$1) }
        case .freeze where scene.live.replay != nil:
            toast("a recording collects nothing: \(Self.playKey) pauses it", isGood: false, now: scene.now)
        case .freeze:
            held = held == nil ? HeldView(snapshot: scene.live, at: scene.now) : nil
        case .sort:
            views.breaks.tree.sort = views.breaks.tree.sort.next
            sayOrder(scene)
        case .reverseSort:
            views.breaks.tree.isReversed.toggle()
            sayOrder(scene)
        case .timestamps: log.showsTime.toggle()
        case .wrap where actsOnLog: log.wraps.toggle()
        case .wrap:
            wrapsDetail.toggle()
            toast("long lines are \(wrapsDetail ? "wrapped" : "cut")", isGood: true, now: scene.now)
        case .logLevel: log.level = log.level.next
        default: break
        }
    }

    private mutating func sayOrder(_ scene: Scene) {
        let tree = views.breaks.tree
        toast("breaks by \(tree.sort.rawValue)\(tree.isReversed ? ", reversed" : "")", isGood: true, now: scene.now)
    }

    /// An action while the help covers the panes.
    mutating func performInHelp(_ action: Action, _ scene: Scene) -> [DashboardEffect] {
        if let effect = everywhere(action) { return [effect] }
        switch action {
        case .help:
            // From a rule to the keys of the pane, from these to all, and back to the panes.
            switch help {
            case .rule?: openHelp(.keys)
            case .keys? where !showsTable: openHelp(.all)
            case .keys?, .all?, nil: help = nil
            }
        case .back where filterText(of: .help).isEmpty: help = nil
        case .back: scrolls.searches[.help] = ""
        case .filter:
            if help == .keys, !showsTable { openHelp(.all) }
            entry = TextEntry(.filter(.help), text: filterText(of: .help))
        case .up, .down, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch, .previousMatch:
            scroll(.help, action, scene)
        default: break
        }
        return []
    }

    /// Whether a key that closes what is open leaves the session.
    var isAtRoot: Bool { !isZoomed && focus == main && (showsTable ? main == settings.table : main == .tree) }

    /// Esc clears the filter, and shows the log of all breaks again; then both keys close what is open; at the root they return to
    /// the table of sessions, and without a table any key but Esc quits.
    private mutating func goBack(_ key: KeyPress?, _ scene: Scene) -> [DashboardEffect] {
        if key?.key == .escape, !filterText(of: focus).isEmpty {
            setFilter("", of: focus)
        } else if key?.key == .escape, log.adBreak != nil, isLogVisible {
            logAllBreaks(scene)
        } else if isZoomed {
            isZoomed = false
        } else if key?.key == .escape, focus == main, settings.showsTip {
            settings.showsTip = false
        } else if focus != main {
            focus = main
        } else if showsTable, let root = settings.table, main != root {
            focusPane(root)
        } else if !showsTable, main != .tree {
            focusPane(.tree)
        } else if !showsTable, settings.hasTable {
            return [.leaveSession]
        } else if key?.key != .escape {
            guard showsTable, views.sessions.model.firing > 0 else { return [.quit] }
            confirmation = .quit(firing: views.sessions.model.firing)
        }
        return []
    }

    private mutating func answer(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect] {
        switch key.key {
        case .char("y"), .char("Y"):
            defer { confirmation = nil }
            switch confirmation {
            case .fireNotices(let auction, _, _)?: return sendNotices(ofAuction: auction, scene)
            case .run(let command)?: return [.run(command)]
            case .quit?: return [.quit]
            case .arm?, nil: return [.setMode(.fire)]
            }
        case .char("n"), .char("N"), .char("q"), .escape, .enter:
            switch confirmation {
            case .quit?: break
            case .run?: toast("the command was not run", isGood: true, now: scene.now)
            case .arm?, .fireNotices?, nil: toast("still observing: nothing is sent", isGood: true, now: scene.now)
            }
            confirmation = nil
        default: break
        }
        return []
    }

    /// The user has confirmed the notices of that auction; those of a newer one have other receivers.
    private mutating func sendNotices(ofAuction number: Int, _ scene: Scene) -> [DashboardEffect] {
        guard scene.live.auction?.number == number else {
            let again =
                settings.keymap.keys(for: .auctionNotices).first.map { "; press \(KeyName.short($0)) again" } ?? ""
            toast("a newer auction has been decided: nothing was sent\(again)", isGood: false, now: scene.now)
            return []
        }
        return [.auction(.fireNotices)]
    }

    private mutating func nextTheme(_ scene: Scene) -> [DashboardEffect] {
        guard !settings.themes.isEmpty else { return [] }
        let index = settings.themes.firstIndex(of: settings.shownTheme ?? settings.theme) ?? -1
        return [.setTheme(settings.themes[(index + 1) % settings.themes.count])]
    }

    private mutating func switchSession(by step: Int, _ scene: Scene) -> [DashboardEffect] {
        let count = settings.sessions.count
        guard count > 1 else {
            toast("there is no other session", isGood: false, now: scene.now)
            return []
        }
        return [.selectSession(((session + step) % count + count) % count)]
    }
}

extension KeyPress {
    /// Control and function keys are not text: they act even while text is typed.
    fileprivate var isCommandEverywhere: Bool {
        switch key {
        case .char: modifiers.contains(.control) || modifiers.contains(.meta)
        case .f: true
        default: false
        }
    }
}
