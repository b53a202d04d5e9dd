import AdTracking
import HLS
import Ports
import Screen
import Session

extension DashboardState {
    /// Runs a parsed command line.
    mutating func run(_ command: Command, _ scene: Scene) -> [DashboardEffect] {
        switch command {
        case .arm: return arm(scene)
        case .observe:
            if scene.live.session.mode == .observe {
                toast("already observing: nothing is sent", isGood: true, now: scene.now)
            }
            // A session that observes only because of its journal would send again when that is open.
            return [.setMode(.observe)]
        case .player(let player): return [.player(player)]
        case .step(let count): return [.step(count)]
        case .report(let action): return beaconKey(.report(action), scene)
        case .retry: return retry(scene)
        case .filter(let text): setFilter(text, of: focus)
        case .copy(let kind): return copy(kind, scene)
        case .export(let format, let file): return [.export(format, file: file)]
        case .set(let setting): set(setting, scene)
        case .bind(let action, let key): bind(action, to: key, scene)
        case .open(let url): return openStream(url, scene)
        case .theme(let name): return [.setTheme(name)]
        case .log(let sources):
            log.sources = sources
            if sources.count == LogSource.allCases.count { log.adBreak = nil }
        case .logBreak: logSelectedBreak(scene)
        case .view(let view): focusPane(view.pane)
        case .variant(let wish): return chooseVariant(wish, scene)
        case .session: focusPane(.session)
        case .freeze: changeView(.freeze, scene)
        case .help: openHelp(.keys)
        case .explain(let entry):
            guard let entry = entry ?? selectedRule else {
                toast("no finding is selected: name a rule, such as :explain TRK-15", isGood: false, now: scene.now)
                return []
            }
            openHelp(.rule(entry))
        case .quit: return showsTable ? perform(.quit, key: nil, scene) : [.quit]
        }
        return []
    }

    /// The session judges the wish as well; what is wrong with it is shown where it was typed.
    private mutating func chooseVariant(_ wish: VariantWish?, _ scene: Scene) -> [DashboardEffect] {
        let playlist = scene.live.playlist
        guard let wish else {
            toast(VariantWords.summary(of: playlist), isGood: true, now: scene.now)
            return []
        }
        do throws(VariantProblem) {
            if !playlist.variants.isEmpty { _ = try wish.pick(from: playlist.variants) }
        } catch {
            toast(error.explanation, isGood: false, now: scene.now)
            return []
        }
        return [.variant(wish)]
    }

    /// What was bound is shown with the line of the config file that keeps it.
    private mutating func bind(_ action: Action, to key: KeyPress, _ scene: Scene) {
        // The user's own commands come before the key map.
        guard !settings.commands.contains(where: { $0.key == key }) else {
            toast("\(key.description) runs a command of your own: choose another key", isGood: false, now: scene.now)
            return
        }
        let former = settings.keymap.action(for: key)
        let (map, problems) = settings.keymap.remapped([action.rawValue: [key.description]])
        guard problems.isEmpty else {
            toast(problems[0].description, isGood: false, now: scene.now)
            return
        }
        settings.keymap = map
        let loss = former.flatMap {
            $0 != action && map.keys(for: $0).isEmpty ? "\($0.rawValue) has no key now; " : nil
        }
        let line = "\(action.rawValue): [\(key.description)]"
        toast("\(loss ?? "")to keep it: \(line) in keys: of the config file", isGood: true, now: scene.now)
    }

    private mutating func set(_ setting: DisplaySetting, _ scene: Scene) {
        switch setting {
        case .ascii(let flag): settings.isASCII = flag
        case .wrap(let flag):
            wrapsDetail = flag
            log.wraps = flag
        case .times(let flag): log.showsTime = flag
        case .follow(let flag):
            // A table has no playhead.
            if !showsTable { withMainView(scene) { $0.follow(flag, &$1) } }
            log.follow(flag, shownLog(scene.shown))
        case .level(let level): log.level = level
        case .sort(let key): views.breaks.tree.sort = key
        case .column(let column): withMainView(scene) { view, _ in view.sort(by: column) }
        }
    }

    /// Copies the URL of the selected event (of several that which decides its state); without an event the address of the stream.
    /// While the stream cannot be opened, that is its request.
    mutating func copy(_ kind: CopyKind, _ scene: Scene) -> [DashboardEffect] {
        if main == .tree, kind == .url || kind == .curl, let opening = shownOpening(scene),
            let request = opening.failed ?? opening.requests.last
        {
            let typed = scene.live.session.mediaURL
            return [.copy(CopyText.curl(request, typed: typed, adding: opening.additions), .curl)]
        }
        if main != .tree, focus == main || focus == .detail { return copySelected(kind, scene) }
        let model = views.breaks.model
        let row = model.selected
        let event = row.flatMap(model.event)
        if kind == .json {
            guard let row else { return [] }
            return [.copy(NodeJSON.text(row, model), .json)]
        }
        if kind == .report {
            guard let row, let event else {
                toast("select a beacon to copy its report", isGood: false, now: scene.now)
                return []
            }
            let text = BeaconReport.markdown(event, ad: model.ad(row), of: model.breakView(row), scene.shown)
            return [.copy(text, .report)]
        }
        let isTree = focus == .tree || focus == .detail
        // As it was requested, which the detail shows: a URL with macros is none that a server knows.
        let url =
            isTree
            ? event.flatMap(EventDetail.shownURL).map { $0.requested ?? $0.url }
            : scene.shown.session.manifestURL ?? scene.shown.session.mediaURL
        guard let url else {
            toast("select an event to copy its URL", isGood: false, now: scene.now)
            return []
        }
        return [.copy(kind == .curl ? CopyText.curl(url) : CopyText.url(url), kind)]
    }

    /// Copies the address of the selected row of a list.
    private mutating func copySelected(_ kind: CopyKind, _ scene: Scene) -> [DashboardEffect] {
        guard kind != .json, kind != .report else {
            let form = kind == .json ? "as JSON" : "as a report"
            toast("only breaks, ads and events can be copied \(form)", isGood: false, now: scene.now)
            return []
        }
        guard let url = mainView.address else {
            toast("the selected row has no URL", isGood: false, now: scene.now)
            return []
        }
        return [.copy(kind == .curl ? CopyText.curl(url) : CopyText.url(url), kind)]
    }
}

extension DashboardState {
    /// The user's own command of a key; nil when the key has none.
    mutating func takeUserCommand(_ key: KeyPress, _ scene: Scene) -> [DashboardEffect]? {
        guard let command = settings.commands.first(where: { $0.key == key }) else { return nil }
        let session = scene.live.session
        guard session.canArm || session.lacksJournal || scene.live.replay != nil else {
            toast("read-only: commands are not run", isGood: false, now: scene.now)
            return []
        }
        do throws(UserCommand.Problem) {
            let run = try command.filled(placeholders(scene))
            guard command.asks else { return [.run(run)] }
            confirmation = .run(run)
        } catch {
            toast(error.sentence, isGood: false, now: scene.now)
        }
        return []
    }

    /// What the selected row has.
    private func placeholders(_ scene: Scene) -> [UserCommand.Placeholder: String] {
        var values: [UserCommand.Placeholder: String] = [:]
        values[.stream] = scene.shown.session.manifestURL ?? scene.shown.session.mediaURL
        guard !showsTable, main == .tree, let row = views.breaks.model.selected else { return values }
        let model = views.breaks.model
        values[.break] = model.breakView(row).name
        values[.ad] = model.ad(row)?.name
        guard let event = model.event(row) else { return values }
        values[.event] = event.event
        // Any text may stand where metadata has a URL; only a web address is an argument.
        guard let shown = EventDetail.shownURL(of: event),
            let url = try? WebURL(written: shown.requested ?? shown.url)
        else { return values }
        values[.url] = url.text
        values[.host] = url.host
        return values
    }
}
