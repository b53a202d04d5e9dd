import AdTracking
import HLS
import Ports

/// Commands from the keyboard, or from programs in its place.
extension MonitorState {
    mutating func toggle(_ toggle: PlayerToggle, at now: Moment) {
        switch toggle {
        case .mute: act(playhead.isMuted ? .unmute : .mute, at: now)
        case .pause: act(playhead.isPaused ? .resume : .pause, at: now)
        }
    }

    /// Applies mute and pause to the virtual player and reports every action to the ad on air.
    mutating func act(_ action: UserAction, at now: Moment) {
        desk.keep(.action(action.rawValue), at: now)
        let timeline = playlist.follower.timeline
        switch action {
        case .mute: absorb(playhead.setMuted(true, at: now, on: timeline), at: now)
        case .unmute: absorb(playhead.setMuted(false, at: now, on: timeline), at: now)
        case .pause: absorb(playhead.pause(at: now, on: timeline), at: now)
        case .resume: absorb(playhead.play(at: now, on: timeline), at: now)
        case .rewind, .skip, .playerExpand, .playerCollapse: break
        }
        if let finding = userLint.acted(action) { desk.noteFindings([finding], from: .delivery, at: now) }
        report(action, at: now)
    }

    private mutating func report(_ action: UserAction, at now: Moment) {
        let number = reports.begin(action, message: "\(action.rawValue) …", at: now)
        let place = viewerPlace
        let user = tracker?.userActed(action, playhead: place?.time, on: place?.track ?? .primary, at: now)
        guard let user else {
            return finishReport(number, "\(action.rawValue): no ad on air", isFailure: false, at: now)
        }
        let ad = user.adID.map { air.label(of: $0) } ?? ""
        switch user.result {
        case .claimed(let round): reports.expect(round, for: number, target: "\(action.rawValue) sent for \(ad)")
        case .observed: finishReport(number, "\(action.rawValue) observed for \(ad), not sent", at: now)
        case .noPlayhead, .noAdOnAir:
            finishReport(number, "\(action.rawValue): no ad on air", isFailure: false, at: now)
        case .noEvent:
            finishReport(number, "\(action.rawValue): \(ad) has no such event", isFailure: false, at: now)
        case .refused(let reason):
            finishReport(number, "\(action.rawValue) for \(ad) not sent: \(reason.words.short)", at: now)
        }
        take(user.outcome, at: now)
        switch user.result {
        case .claimed, .observed: if action == .skip, let id = user.adID { cutSkippedAd(id, at: now) }
        default: break
        }
    }

    mutating func settleReport(_ settlement: UserSettlement, at now: Moment) {
        guard let message = reports.settle(settlement.round, wasReported: settlement.wasReported) else { return }
        desk.note(settlement.wasReported ? .info : .error, message, at: now)
    }

    private mutating func finishReport(_ number: Int, _ message: String, isFailure: Bool = true, at now: Moment) {
        reports.finish(number, wasReported: false, message: message, isFailure: isFailure)
        desk.note(.info, message, at: now)
    }

    private mutating func noteSeekReserve(on timeline: Timeline, at now: Moment) {
        guard let reserve = playhead.seekReserve(on: timeline) else { return }
        let message = "the seek ends \(Wording.seconds(reserve)) after the start of the window, which moves on"
        desk.note(.info, message, at: now)
    }

    mutating func perform(_ command: PlayerCommand, at now: Moment) {
        let timeline = playlist.follower.timeline
        desk.keep(.action(command.words), at: now)
        guard playhead.state != .idle else {
            return desk.note(.warning, "the playhead has not joined the stream yet", at: now)
        }
        switch command {
        case .play: absorb(playhead.play(at: now, on: timeline), at: now)
        case .pause: absorb(playhead.pause(at: now, on: timeline), at: now)
        case .seek(.live): absorb(playhead.seekLive(at: now, on: timeline), at: now)
        case .seek(.by(let span)):
            absorb(playhead.seek(by: span, at: now, on: timeline), at: now)
            noteSeekReserve(on: timeline, at: now)
        case .seek(.date(let date)):
            guard timeline.position(of: date) != nil else {
                return desk.note(.warning, "cannot seek to a date: the playlist has no PROGRAM-DATE-TIME", at: now)
            }
            absorb(playhead.seek(toDate: date, at: now, on: timeline), at: now)
            noteSeekReserve(on: timeline, at: now)
        case .setRate(let rate):
            guard Playhead.rates.contains(rate) else {
                let range = "\(Playhead.rates.lowerBound) to \(Playhead.rates.upperBound)"
                return desk.note(.warning, "rate \(rate): must be \(range)", at: now)
            }
            absorb(playhead.setRate(rate, at: now, on: timeline), at: now)
        }
    }

    mutating func choose(_ new: ReportingMode, at now: Moment) {
        // Who observes while the journal fails, and sends again when it is open, can ask for observing, too.
        let givesUpSending = new == .observe && desk.journal.firesAgain
        guard new != desk.mode || givesUpSending || new == .fire && desk.sendsToLoopbackOnly else { return }
        desk.keep(.action("mode \(new.rawValue)"), at: now)
        desk.journal.firesAgain = false
        if new == .fire {
            if configuration.sending.isReadonly {
                return desk.note(.warning, "read-only: beacons are not sent", at: now)
            }
            guard desk.journalAllowsSending else { return desk.note(.error, "cannot arm: no journal is open", at: now) }
        }
        desk.mode = new
        if new == .fire {
            desk.isArmedByPerson = true
            let gate = desk.beaconGate
            tracker?.gateChanged(to: gate)
            pings.book.gate = gate
            beside.gateChanged(to: gate)
        }
        if let outcome = tracker?.modeChanged(to: new) { take(outcome, at: now) }
        pings.modeChanged(to: new, &metadata)
        beside.modeChanged(&desk, at: now)
        if new == .observe {
            abandonReports()
        }
        desk.note(.warning, new == .fire ? "armed: beacons are sent" : "observing: nothing is sent", at: now)
    }

    mutating func choose(_ wish: VariantWish, at now: Moment) {
        // The query of an address may hold tokens, and a journal is kept.
        desk.keep(.action("variant \(wish.shown.prefix { $0 != "?" })"), at: now)
        playlist.choose(wish, &desk, at: now)
    }

    /// Ends the reports that wait for beacons which will not be sent.
    mutating func abandonReports() {
        reports.abandon()
    }

    /// Sends failed beacons again at a person's request. Unknown ones are sent only when they are named, because they
    /// may have arrived.
    mutating func retry(_ target: RetryTarget, at now: Moment) {
        desk.keep(.action("retry"), at: now)
        guard target != .opening else { return openNow(at: now) }
        guard desk.mode == .fire else { return desk.note(.warning, "retry: nothing is sent in observe mode", at: now) }
        let choices = retryChoices(target)
        var isAny = false
        for (event, url) in choices {
            guard let outcome = tracker?.retryAsked(event, url: url, at: now) else { continue }
            isAny = isAny || !outcome.effects.isEmpty || !outcome.touched.isEmpty
            take(outcome, at: now)
        }
        desk.note(
            .info,
            isAny ? "retry: sending \(choices.count.counted("delivery")) again" : "retry: no failed delivery",
            at: now)
    }

    private func retryChoices(_ target: RetryTarget) -> [(EventID, Int?)] {
        switch target {
        case .opening: return []
        case .event(let id): return ViewID.event(id).map { [($0, nil)] } ?? []
        case .url(let id): return ViewID.url(id).map { [($0.event, $0.index)] } ?? []
        case .allFailed:
            guard let tracker else { return [] }
            let events = tracker.book.breaks.lazy.flatMap(\.ads).flatMap(\.eventIDs)
            return events.flatMap { event in
                (tracker.ledger[event]?.urls ?? []).enumerated()
                    .filter { [.failed, .rejected].contains($0.element.state) }.map { (event, $0.offset) }
            }
        }
    }
}

extension PlayerCommand {
    /// The command as the journal records it.
    fileprivate var words: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .seek(.live): "seek live"
        case .seek(.by(let span)): "seek \(Wording.signedSeconds(span))"
        case .seek(.date(let date)): "seek \(date.iso8601)"
        case .setRate(let rate): "rate \(rate)"
        }
    }
}

/// The identifiers of views, as used in commands.
enum ViewID {
    static func text(_ id: BreakID) -> String { "b\(id.number)" }
    static func text(_ id: AdID) -> String { "a\(id.number)" }
    static func text(_ id: EventID) -> String { "e\(id.number)" }
    static func text(_ id: EventID, url index: Int) -> String { "e\(id.number).\(index)" }

    static func event(_ text: String) -> EventID? {
        guard text.first == "e", let number = Int(text.dropFirst()) else { return nil }
        return EventID(number)
    }

    static func url(_ text: String) -> (event: EventID, index: Int)? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let event = event(String(parts[0])), let index = Int(parts[1]) else { return nil }
        return (event, index)
    }
}
