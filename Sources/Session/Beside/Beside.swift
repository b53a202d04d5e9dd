import AdFormats
import AdTracking
import CreativeCache
import Ports

/// What runs beside the stream: the auction, ad spaces with their plugins and zones, and the creative cache. One part
/// with its own inputs and effects: a session without these features has none of its state in motion.
///
/// It never reads the stream. What it sends is claimed in ledgers of its own and passes the desk, as the stream's
/// beacons do.
struct Beside {
    var auction: AuctionPart
    var formats: FormatsPart
    var plugins: SessionPlugins
    /// The last report of the creative cache; nil without a cache.
    var cache: CacheReport?

    /// - Parameter seed: determines all randomness of ad spaces.
    init(_ configuration: MonitorConfiguration, mode: ReportingMode, seed: UInt64) {
        let gate = configuration.gate(isArmed: false)
        auction = AuctionPart(configuration.auction, mode: mode, gate: gate, retry: configuration.retry ?? .standard)
        plugins = SessionPlugins(configuration)
        formats = FormatsPart(
            configuration.formats, mode: mode, gate: gate, retry: configuration.retryPolicy, seed: seed)
    }

    /// The first uptime after `uptime` at which something may happen without an input.
    func nextDue(after uptime: Duration) -> Duration? {
        [auction.nextAt, formats.nextDue(after: uptime), plugins.nextDue].compactMap(\.self).min()
    }

    // MARK: Inputs

    mutating func started(_ desk: inout Desk, at now: Moment) {
        startAuction(&desk, at: now)
        formatsStarted(&desk, at: now)
    }

    mutating func take(_ input: BesideInput, _ desk: inout Desk, at now: Moment) {
        switch input {
        case .auctionCommanded(let command): self.command(command, &desk, at: now)
        case .formatActed(let slot, let action): formatActed(slot, action, &desk, at: now)
        case .pluginReported(let run, let news): pluginReported(run, news, &desk, at: now)
        case .cacheReported(let report): take(report, &desk, at: now)
        case .zoneLookedUp(let unit, let lookup): zoneLookedUp(unit, lookup, &desk, at: now)
        case .zoneLoaded(let number, let delivery): zoneLoaded(number, delivery, &desk, at: now)
        case .zoneDiscarded(let unit): zoneDiscarded(unit, &desk, at: now)
        case .zoneRemoved(let unit, let removal): zoneRemoved(unit, removal, &desk, at: now)
        case .creativesKept(let round, let creatives): creativesKept(round: round, creatives, &desk, at: now)
        }
    }

    /// The answer to a request; those of other parts are ignored.
    mutating func answered(
        _ purpose: FetchPurpose, _ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) {
        switch purpose {
        case .bid: bidAnswered(id, exchange, &desk, at: now)
        case .creative: creativeAnswered(id, exchange, &desk, at: now)
        case .adCall: adCallAnswered(id, exchange, &desk, at: now)
        case .adMedia: adMediaAnswered(id, exchange, &desk, at: now)
        case .sessionInit, .multivariant, .mediaPlaylist, .steering, .metadata, .segment, .assetList, .asset,
            .adDecision, .adSchedule:
            break
        }
    }

    /// Does what is due of plugins and ad spaces; `auctionIfDue` does the rest.
    mutating func spacesIfDue(_ desk: inout Desk, at now: Moment) {
        pluginsIfDue(&desk, at: now)
        formatsIfDue(&desk, at: now)
    }

    /// The session ends: what is claimed and not sent is dropped, and plugins are asked to shut down.
    mutating func stop(_ desk: inout Desk, at now: Moment) {
        changeFormats(to: .observe, &desk, at: now)
        auction.notices.modeChanged(to: .observe)
        pluginsClosed(&desk, at: now)
    }

    // MARK: Sending

    /// Carries out an effect of a ledger.
    mutating func take(_ effect: LedgerEffect, _ desk: inout Desk, at now: Moment) {
        switch effect {
        case .writeClaims(let claims):
            let written = desk.writeClaims(claims)
            if !written.isEmpty { claimsWritten(written, &desk, at: now) }
        case .send(let orders):
            for order in orders { desk.send(order, isRetry: isRetry(order.claim), at: now) }
        case .writeOutcomes(let outcomes): desk.writeOutcomes(outcomes)
        }
    }

    /// Whether this process made an earlier try of the beacon of a claim; notices do not count as beacons.
    func isRetry(_ claim: ClaimID) -> Bool { claim.owner == .adSpace && formats.ledger.isRetry(claim) }

    /// The claims are on disk, or need not be; those of the stream are ignored.
    mutating func claimsWritten(_ claims: [ClaimID], _ desk: inout Desk, at now: Moment) {
        formatClaimsWritten(claims, &desk, at: now)
        noticeClaimsWritten(claims, &desk, at: now)
    }

    /// Claims that were not granted, or whose requests did not leave; those of the stream are ignored.
    mutating func claimsRefused(_ refused: [RefusedClaim], _ desk: inout Desk, at now: Moment) {
        formatClaimsRefused(refused, &desk, at: now)
        noticeClaimsRefused(refused, &desk, at: now)
    }

    /// The answer to a beacon of an ad space or to a notice.
    mutating func beaconAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        switch claim.owner {
        case .stream, .ping: break
        case .adSpace: formatBeaconAnswered(claim, exchange, &desk, at: now)
        case .notice: noticeAnswered(claim, exchange, &desk, at: now)
        }
    }

    mutating func modeChanged(_ desk: inout Desk, at now: Moment) {
        changeFormats(to: desk.mode, &desk, at: now)
        auction.notices.modeChanged(to: desk.mode)
        tellWhatWaited(&desk, at: now)
    }

    mutating func gateChanged(to gate: SendGate) {
        formats.ledger.gate = gate
        auction.notices.gate = gate
    }

    // MARK: The journal

    /// What earlier runs sent.
    mutating func restored(_ beacons: [RestoredBeacon]) {
        auction.notices.restored(beacons)
    }

    /// The journal has reported its entries: sends what waited for it.
    mutating func journalSettled(_ desk: inout Desk, at now: Moment) {
        tellWhatWaited(&desk, at: now)
        fireNoticesThatWaited(&desk, at: now)
    }

    /// Everything that was sent.
    var holdings: [JournalHolding] { (formats.ledger.held() + auction.notices.held).map(JournalHolding.init) }

    /// Claims that the journal has not confirmed.
    func unwritten(at now: Moment) -> [ClaimRecord] {
        formats.ledger.unwritten(at: now) + auction.notices.unwritten(at: now)
    }
}

extension Desk {
    mutating func request(_ effect: BesideEffect) {
        effects.append(.beside(effect))
    }

    /// Whether notices may be sent: without a journal nothing is, as with beacons.
    var mayNoticesLeave: Bool { !isStopped && !configuration.sending.isReadonly && journalAllowsSending }
}
