package import AdTracking
package import Bidding
package import Ports
package import Session

/// Sends the notices of auctions outside a session: one after the other, each claimed in the journal before it is sent,
/// as in a session.
package struct NoticeSender: Sendable {
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let journal: any Journal
    private let userAgent: String
    private let retry: RetrySetting

    package init(
        transport: any HTTPTransport, time: any TimeSource, journal: any Journal, userAgent: String,
        retry: RetrySetting = .safe
    ) {
        self.transport = transport
        self.time = time
        self.journal = journal
        self.userAgent = userAgent
        self.retry = retry
    }

    /// Sends the notices of a result in order, with retries, and returns their deliveries; two equal ones count as one.
    /// If the calling task is cancelled, it returns early with the known states.
    /// - Parameters:
    ///   - result: receives the markup that the answer to the win notice has, or why there is none.
    ///   - addressRule: rule for the addresses of notices.
    package func send(
        _ result: inout AuctionResult, addressRule: AddressRule
    ) async throws(JournalProblem) -> [NoticeView] {
        let opening = try await journal.open(SessionKey("auction/\(result.id)"))
        if let file = opening.damagedFile {
            await journal.close()
            throw JournalProblem(
                .damaged, "journal: what was sent before it was damaged is unknown; delete \(file) to accept the loss")
        }
        var book = NoticeBook(mode: .observe, gate: SendGate(addressRule: addressRule), retry: retry)
        book.restored(opening.entries.compactMap(\.restored))
        book.begin(round: 1, result)
        do throws(JournalProblem) {
            book.claim(isAsked: true, at: time.now())
            try await carryOut(&book)
            while let due = book.nextRetry {
                // Cancelled while waiting: the attempts so far are returned.
                guard (try? await time.sleep(untilUptime: due)) != nil else { break }
                book.claimRetries(at: time.now())
                try await carryOut(&book)
            }
        } catch {
            await journal.close()
            throw error
        }
        await journal.close()
        if let markup = book.markup(of: result) { result.take(markup) }
        return book.views
    }

    /// Carries out what the ledger of the notices requests, until it requests no more.
    private func carryOut(_ book: inout NoticeBook) async throws(JournalProblem) {
        var effects = book.takeEffects(at: time.now())
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .writeClaims(let claims):
                let refused = try await journal.writeClaims(claims.map(JournalClaim.init))
                effects += book.claimsRefused(refused, at: time.now())
                let gone = Set(refused.map(\.id))
                effects += book.claimsWritten(claims.map(\.id).filter { !gone.contains($0) }, at: time.now())
            case .send(let orders):
                guard let order = orders.first else { break }
                let exchange = await transport.send(HTTPRequest(order, userAgent: userAgent))
                // The outcome is in the journal before the next notice is sent.
                let rest = orders.count > 1 ? [LedgerEffect.send(Array(orders.dropFirst()))] : []
                effects = book.answered(order.claim, exchange, at: time.now()).effects + rest + effects
            case .writeOutcomes(let outcomes): try await journal.writeOutcomes(outcomes.map(JournalOutcome.init))
            }
            if effects.isEmpty { effects = book.takeEffects(at: time.now()) }
        }
    }
}
