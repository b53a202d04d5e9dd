import AdTracking
import Ports

/// What answers about the metadata mean. What the rest of the session makes of their documents is decided above.
extension MetadataPart {
    /// What an answer is.
    enum Answer {
        case document(DecodedMetadata)
        /// The newest document is still the one that is known.
        case unchanged
        case failed(Failure)
        /// Without a provider nothing reads it.
        case unread
    }

    /// Requests the next document.
    mutating func poll(on stream: StreamFacts, _ desk: inout Desk, at now: Moment) {
        guard let request = request(on: stream, at: now) else { return }
        desk.fetch(.metadata, request, limit: Limits.metadataBytes, at: now)
    }

    /// Reads an answer.
    mutating func answered(
        _ exchange: HTTPExchange, on stream: StreamFacts, _ desk: inout Desk, at now: Moment
    ) -> Answer {
        desk.counters.metadataPolls += 1
        if bringsNothing(exchange, isLenient: desk.configuration.following.isLenient) {
            succeeded(exchange, &desk, at: now)
            desk.keepPoll(.metadata, exchange, at: now)
            return .unchanged
        }
        guard exchange.isSuccess else {
            let kind: ErrorKind = exchange.failure == nil ? .metadata : .network
            return failed(exchange, Wording.problem(exchange), kind, &desk, at: now)
        }
        do throws(MetadataProblem) {
            guard let document = try provider?.read(exchange, on: stream) else { return .unread }
            return .document(document)
        } catch {
            let type = exchange.contentType.map { " (\($0))" } ?? ""
            return failed(
                exchange, "the body\(type) \(error.explanation)", .metadata, cause: error, &desk, at: now)
        }
    }

    /// Whether a cache in front of the server answers that the newest document is still the one it gave, or the server that there is nothing new.
    private func bringsNothing(_ exchange: HTTPExchange, isLenient: Bool) -> Bool {
        guard exchange.failure == nil, documents > 0 else { return false }
        return exchange.status == 304 || isLenient && exchange.status == 204 && exchange.body.isEmpty
    }

    private func failed(
        _ exchange: HTTPExchange, _ problem: String, _ kind: ErrorKind, cause: MetadataProblem? = nil,
        _ desk: inout Desk, at now: Moment
    ) -> Answer {
        desk.keepPoll(.metadata, exchange, problem: problem, at: now)
        return .failed(Failure(exchange: exchange, problem: problem, kind: kind, cause: cause))
    }

    private mutating func succeeded(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        succeeded(at: now)
        guard record.succeeded(exchange, at: now) else { return }
        desk.note(.info, "metadata recovered: \(Wording.answer(exchange))", from: .metadata, at: now)
    }

    /// A document arrived in this exchange, whatever asked for it.
    mutating func took(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        let appeared = isNone
        let subject = record.health.isPing ? "pings" : "metadata"
        succeeded(at: now)
        if record.succeeded(exchange, at: now) || appeared {
            desk.note(
                .info, "\(appeared ? "metadata appeared" : "\(subject) recovered"): \(Wording.answer(exchange))",
                from: .metadata, at: now)
        }
        lint(exchange, problem: nil, &desk, at: now)
    }

    /// Reports what is wrong with a document that was merged with `outcome`.
    mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        _ desk: inout Desk, at now: Moment
    ) {
        guard let findings = provider?.lint(document, outcome, book, on: stream, at: now) else { return }
        desk.noteFindings(findings, from: .metadata, at: now)
    }
}

/// What the media carries, for a provider that reads it.
extension MetadataPart {
    /// A playlist may place ads by itself.
    /// - Parameter number: that of the text.
    /// - Returns: whether the provider has not seen it before.
    mutating func playlistArrived(_ number: Int, on stream: StreamFacts) -> Bool {
        guard number != media.seenPlaylist else { return false }
        media.seenPlaylist = number
        provider?.mediaRead([], on: stream)
        return true
    }

    /// A segment was answered.
    /// - Returns: whether it carries anything.
    mutating func segmentAnswered(
        _ id: RequestID, _ exchange: HTTPExchange, on stream: StreamFacts, _ desk: inout Desk, at now: Moment
    ) -> Bool {
        let marks = media.answered(id, exchange, on: stream.timeline, &desk, at: now)
        guard !marks.isEmpty else { return false }
        provider?.mediaRead(marks, on: stream)
        return true
    }
}
