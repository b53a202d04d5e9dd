package import AdTracking
package import Ports

/// Sending beacons: nothing leaves without a claim in the journal, unless a person accepted that.
extension Desk {
    /// Whether beacons may be sent as far as the journal is concerned.
    var journalAllowsSending: Bool {
        !journal.hasFailed || (configuration.sending.sendsWithoutJournal && !journal.isSentUnknown)
    }

    /// What beacons may reach.
    var beaconGate: SendGate { configuration.gate(isArmed: isArmedByPerson) }

    /// Whether the default mode of a loopback session is what sends.
    var sendsToLoopbackOnly: Bool { mode == .fire && beaconGate.addressRule == .loopbackOnly }

    /// Passes claims to the journal. Returns those that need not wait for it, because it has failed: their owner then
    /// treats them as written, and judges again whether they may be sent.
    mutating func writeClaims(_ claims: [ClaimRecord]) -> [ClaimID] {
        beacons.unwritten.formUnion(claims.map(\.id))
        switch journal.state {
        case .open: passClaims(claims)
        // Waiting claims are passed to the journal when it opens.
        case .closed, .opening: break
        case .failed:
            let ids = claims.map(\.id)
            beacons.unwritten.subtract(ids)
            return ids
        }
        return []
    }

    /// Passes claims to the open journal.
    mutating func passClaims(_ claims: [ClaimRecord]) {
        beacons.journaled.formUnion(claims.map(\.id))
        effects.append(.writeClaims(claims.map(JournalClaim.init)))
    }

    /// Passes outcomes to the journal. While it is not open, those of claims that it has wait there until it is; of what was sent
    /// without it, it gets the holdings.
    mutating func writeOutcomes(_ outcomes: [OutcomeRecord]) {
        let passesAll = journal.state == .open || journal.isReopening
        let passed = passesAll ? outcomes : outcomes.filter { beacons.journaled.contains($0.id) }
        beacons.journaled.subtract(outcomes.map(\.id))
        if !passed.isEmpty { effects.append(.writeOutcomes(passed.map(JournalOutcome.init))) }
    }

    /// A beacon that was counted as sent did not leave after all. The counts of its host only increase: there it was one attempt.
    /// - Parameter isRetry: as it was sent.
    mutating func noteKept(_ claim: ClaimID, isRetry: Bool = false) {
        guard beacons.inFlight.removeValue(forKey: claim) != nil else {
            // It was not granted; one that was gets an outcome.
            beacons.journaled.remove(claim)
            return
        }
        if claim.owner != .notice { counters.noteKept(claim.owner, isRetry: isRetry) }
    }

    /// Sends a claimed beacon.
    /// - Parameters:
    ///   - isRetry: whether this process made an earlier try of it.
    ///   - lane: requests of one lane keep their order on the wire; nil for a request that follows no other.
    mutating func send(_ order: BeaconOrder, isRetry: Bool = false, lane: String? = nil, at now: Moment) {
        beacons.inFlight[order.claim] = BeaconPart.InFlight(event: order.event, host: order.url.host)
        // A notice reports an auction, not what a viewer saw.
        if order.claim.owner != .notice {
            counters.noteSent(order.claim.owner, isRetry: isRetry)
            deliveries.note(.sent, host: order.url.host)
            if isRetry { deliveries.noteRetry() }
            activity.noteBeacon(host: order.url.host, at: now)
        }
        var request = HTTPRequest(order, userAgent: configuration.userAgent)
        if order.claim.owner == .ping {
            // Its answer is a document of the stream's own service.
            (request.maximumBodyBytes, request.audience) = (Limits.metadataBytes, .stream)
        }
        request.lane = lane
        request.trustedHost = configuration.mediaURL.host
        effects.append(.send(order.claim, request))
    }
}

extension HTTPRequest {
    /// The request of a beacon or notice.
    package init(_ order: BeaconOrder, userAgent: String) {
        self.init(
            url: order.url, fields: HTTPRequest.beaconFields(userAgent: userAgent),
            totalTimeout: Limits.beaconTimeout, maximumBodyBytes: Limits.beaconAnswerBytes, cutsLongBody: true,
            addressRule: order.addressRule)
        redirectRule = order.redirectRule
        audience = .tracker
        isSentOnce = true
    }

    /// The header fields of a beacon's request, before those that the user gave for its host.
    static func beaconFields(userAgent: String) -> [HTTPField] {
        [HTTPField("User-Agent", userAgent), HTTPField("Accept", "*/*")]
    }
}
