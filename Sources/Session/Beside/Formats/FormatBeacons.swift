import AdFormats
import AdTracking
import Ports
import VAST

/// Beacons of ad spaces: the same ledger rules as for ads of the stream, in a ledger of their own. Each is claimed,
/// written and sent at most once; in observe mode they are only listed.
extension Beside {
    /// Registers and claims a due beacon. Until the journal is ready, it waits.
    mutating func tell(_ report: SlotReport, of index: Int, _ desk: inout Desk, at now: Moment) {
        guard desk.mode == .observe || desk.journal.isSettled else {
            formats.waiting.append((index, report, now))
            return
        }
        let slot = formats.slots[index]
        let event = EventID(formats.nextEvent)
        formats.nextEvent += 1
        // Loads differ by their time; an event that is reported once per load cannot occur twice within one.
        let key = EventKey(
            session: "formats", breakName: .given("\(slot.name)/\(report.load)"), adName: .given(slot.config.unit),
            adStart: now.wall, type: report.event, start: now.wall)
        formats.ledger.register(
            event, key: key, type: Self.eventType(report.event), urls: report.urls,
            macros: BeaconMacros(values: report.values ?? MacroValues(), context: report.context), at: nil)
        let occasion = BeaconMacros.Occasion(
            at: now, adPlayhead: report.adTime.map { .milliseconds($0) }, errorCode: report.errorCode)
        _ = formats.ledger.claim(event, late: .zero, adEndsIn: .zero, occasion: occasion, at: now)
        formats.told[index].append(
            FormatsPart.Told(event: event, name: report.event, urls: report.shownURLs, at: now.wall))
        forgetOldReports(of: index)
        sendFormatBeacons(&desk, at: now)
        if desk.mode == .observe {
            desk.note(.info, BeaconWords.observed("\(slot.name): beacon \(report.event)"), from: .formats, at: now)
        }
    }

    private mutating func forgetOldReports(of index: Int) {
        let surplus = formats.told[index].count - FormatsPart.toldKept
        guard surplus > 0 else { return }
        formats.ledger.remove(formats.told[index].prefix(surplus).map(\.event))
        formats.told[index].removeFirst(surplus)
    }

    /// The class under which the gate judges an event. For the stream's ads the gate blocks clicks and displayed items,
    /// because neither occurs; an ad space is clicked by a person, and its end card is displayed.
    private static func eventType(_ name: String) -> EventType {
        switch name {
        case "clickTracking", "companionClickTracking": .otherAdInteraction
        // Notices of an auction, which a slot that has an ad owes its bidder.
        case AdNotices.Name.win, AdNotices.Name.billing, AdNotices.Name.loss: .otherAdInteraction
        case "companionView": .creativeView
        case "viewable-mrc50", "viewable-mrc100": .viewable
        default:
            name.hasPrefix("progress") || name.hasPrefix("timeSpentViewing")
                ? .progress : EventType(rawValue: name) ?? .unknown
        }
    }

    /// The journal has reported its entries, or failed to open: claims the beacons that waited for it.
    mutating func tellWhatWaited(_ desk: inout Desk, at now: Moment) {
        let waiting = formats.waiting
        formats.waiting = []
        for entry in waiting { tell(entry.report, of: entry.slot, &desk, at: now) }
    }

    mutating func sendFormatBeacons(_ desk: inout Desk, at now: Moment) {
        for effect in formats.ledger.takeEffects(at: now) { take(effect, &desk, at: now) }
    }

    mutating func retryFormatBeacons(_ desk: inout Desk, at now: Moment) {
        noteGivenUp(formats.ledger.retriesDue(at: now).withdrawals, isSending: true, &desk, at: now)
        sendFormatBeacons(&desk, at: now)
    }

    mutating func changeFormats(to mode: ReportingMode, _ desk: inout Desk, at now: Moment) {
        noteGivenUp(formats.ledger.modeChanged(to: mode), isSending: false, &desk, at: now)
    }

    private func noteGivenUp(
        _ withdrawals: Ledger.Withdrawals, isSending: Bool, _ desk: inout Desk, at now: Moment
    ) {
        for change in withdrawals.givenUp {
            desk.noteLost(change, name(of: change.event), at: now)
            let reason = BeaconWords.givenUp(change, isSending: isSending)
            let line = BeaconWords.line(told(change.event), reason, change, at: now)
            desk.note(isSending ? .error : .warning, line, from: .formats, at: now)
        }
    }

    mutating func formatClaimsWritten(_ claims: [ClaimID], _ desk: inout Desk, at now: Moment) {
        var withdrawals = Ledger.Withdrawals()
        let effects = formats.ledger.claimsWritten(claims, &withdrawals, at: now)
        noteGivenUp(withdrawals, isSending: false, &desk, at: now)
        for effect in effects { take(effect, &desk, at: now) }
    }

    mutating func formatClaimsRefused(_ refused: [RefusedClaim], _ desk: inout Desk, at now: Moment) {
        let refusal = formats.ledger.claimsRefused(refused, at: now)
        noteGivenUp(refusal.withdrawals, isSending: true, &desk, at: now)
        for effect in refusal.effects { take(effect, &desk, at: now) }
        sendFormatBeacons(&desk, at: now)
    }

    mutating func formatBeaconAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        let answer = formats.ledger.answered(claim, exchange, at: now)
        for effect in answer.effects { take(effect, &desk, at: now) }
        if let change = answer.change { noteFormat(change, exchange, &desk, at: now) }
        sendFormatBeacons(&desk, at: now)
    }

    private mutating func noteFormat(
        _ change: DeliveryChange, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) {
        let subject = told(change.event)
        let host = (try? WebURL(written: change.url))?.host ?? ""
        if let status = exchange.status { desk.counters.statusClasses[status / 100, default: 0] += 1 }
        if let outcome = DeliveryTally.Outcome(BeaconAnswer(exchange), change.state) {
            desk.deliveries.note(outcome, host: host)
        }
        let line = BeaconWords.line(subject, Wording.answer(exchange), change, at: now)
        switch change.state {
        case .acknowledged:
            desk.counters.beaconsAcknowledged += 1
            desk.activity.noteAcknowledged(host: host, latency: exchange.timings.total, at: now)
            desk.note(.info, line, from: .formats, at: now)
        case .waiting:
            desk.activity.noteFailed(host: host, BeaconAnswer(exchange), change.state, at: now)
            desk.note(.warning, line, from: .formats, at: now)
        case .skipped:
            desk.note(.warning, line, from: .formats, at: now)
        default:
            desk.noteLost(change, name(of: change.event), at: now)
            desk.activity.noteFailed(host: host, BeaconAnswer(exchange), change.state, at: now)
            desk.note(.error, line, from: .formats, at: now)
        }
    }

    private func told(_ event: EventID) -> String {
        place(of: event).map { "\($0.slot): beacon \($0.beacon)" } ?? "beacon of an ad space"
    }

    /// `footer: impression`
    private func name(of event: EventID) -> String {
        place(of: event).map { "\($0.slot): \($0.beacon)" } ?? "ad space"
    }

    /// The names of an ad space and of its beacon.
    private func place(of event: EventID) -> (slot: String, beacon: String)? {
        for (slot, list) in zip(formats.slots, formats.told) {
            if let entry = list.last(where: { $0.event == event }) { return (slot.name, entry.name) }
        }
        return nil
    }

    // MARK: What is to be seen

    /// The ad spaces; nil without any.
    func formatsView(_ configuration: FormatsConfiguration?) -> FormatsView? {
        guard let configuration else { return nil }
        let slots = zip(formats.slots, formats.told).map { slot, told in
            FormatsView.Slot(
                slot: slot,
                reports: told.map { entry in
                    let delivery = formats.ledger[entry.event]
                    return FormatsView.Report(
                        event: entry.name, urls: delivery?.urls.map { $0.filled ?? $0.url } ?? entry.urls,
                        state: delivery?.state ?? .idle, at: entry.at)
                })
        }
        return FormatsView(
            slots: slots, plugins: pluginViews(configuration), server: configuration.adServer?.host, isUp: formats.isUp,
            isHidden: formats.isHidden)
    }
}
