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
    /// - Parameter addressRule: rule for the addresses of notices.
    package func send(
        _ result: AuctionResult, addressRule: AddressRule
    ) async throws(JournalProblem) -> [NoticeView] {
        let opening = try await journal.open(SessionKey("auction/\(result.id)"))
        if let file = opening.damagedFile {
            await journal.close()
            throw JournalProblem(
                .damaged, "journal: what was sent before it was damaged is unknown; delete \(file) to accept the loss")
        }
        var book = NoticeBook(retry: retry)
        book.restored(opening.entries.compactMap(\.restored))
        book.begin(round: 1, result)
        let gate = SendGate(addressRule: addressRule)
        do throws(JournalProblem) {
            try await send(book.claim(through: gate, isAsked: true, at: time.now()), of: &book, through: gate)
            while let due = book.nextRetry {
                // Cancelled while waiting: the attempts so far are returned.
                guard (try? await time.sleep(untilUptime: due)) != nil else { break }
                try await send(book.claimRetries(through: gate, at: time.now()), of: &book, through: gate)
            }
        } catch {
            await journal.close()
            throw error
        }
        await journal.close()
        return book.views
    }

    private func send(
        _ claims: [ClaimRecord], of book: inout NoticeBook, through gate: SendGate
    ) async throws(JournalProblem) {
        guard !claims.isEmpty else { return }
        try await journal.writeClaims(claims.map(JournalClaim.init))
        let written = book.claimsWritten(
            claims.map(\.id), through: gate, isFiring: false, mayLeave: true, at: time.now())
        for order in written.orders {
            let request = HTTPRequest(notice: order.url, userAgent: userAgent, gate: gate)
            let exchange = await transport.send(request)
            guard let (_, outcome) = book.answered(order.claim, exchange, at: time.now()) else { continue }
            try await journal.writeOutcomes([JournalOutcome(outcome)])
        }
    }
}
