import AdTracking
import HLS
import Ports

extension ProviderContract {
    /// Thousands of polls: what the provider and the merged breaks remember does not grow with their number, and no beacon is sent twice.
    func memory() -> [String] {
        var session = LongSession(self)
        var halves = [StateCounts(), StateCounts()]
        let polls = samples.rolling.polls
        for poll in 0..<polls {
            session.poll(poll / 2)
            // Often enough for what is forgotten many at once.
            if poll.isMultiple(of: max(1, polls / 64)) || poll % 64 == 63 { halves[poll * 2 / polls].note(session) }
        }
        var problems = session.problems
        if session.viewer.requests.isEmpty { problems.append("no beacon was sent") }
        if Set(session.viewer.requests).count != session.viewer.requests.count {
            problems.append("a beacon was sent twice")
        }
        return problems + halves[1].growth(since: halves[0])
    }
}

extension StateCounts {
    fileprivate mutating func note(_ session: LongSession) {
        note(session.provider, named: "provider")
        note(session.viewer.tracker.book.breaks, named: "breaks")
    }
}

/// A viewer who follows a window that moves by a minute with each document.
private struct LongSession {
    let contract: ProviderContract
    var provider: any AdMetadataProvider
    var viewer = AdViewer(keep: .seconds(60))
    var problems: [String] = []
    private var stream: StreamFacts
    // The documents are of the first hours of 1970: to a later clock their times look like offsets (TRK-4).
    private var now = Moment(wall: .ms(1_000_000), uptime: .seconds(100))
    /// Where the viewer is, in milliseconds.
    private var position: Int64?
    private var newest: Int?

    init(_ contract: ProviderContract) {
        self.contract = contract
        (provider, stream) = (contract.opened(seed: 12), contract.samples.stream)
        // Before all that the media carries: what has no meaning yet is waited for (PRV-45).
        stream.playhead = UnixTime(microseconds: 0)
        provider.start(at: now)
    }

    /// - Parameter number: that of the document, which may be the one before once more.
    mutating func poll(_ number: Int) {
        let text = contract.samples.rolling.document(number)
        if number != newest {
            let marks = contract.samples.rolling.marks(number)
            if !marks.isEmpty { provider.mediaRead(marks, on: stream) }
        }
        ping(text)
        request()
        guard case .success(let document) = contract.read(text, on: stream, by: &provider) else {
            if problems.isEmpty { problems.append("document \(number) is not read") }
            return
        }
        take(document)
        for _ in 0..<8 where provider.hasDocument {
            switch provider.takeDocument(on: stream) {
            case .answer(let document, _, _), .media(let document): take(document)
            case .findings, nil: break
            }
        }
        if number != newest, let start = document.breaks.first?.start.milliseconds { play(from: start - 1_000) }
        newest = number
    }

    private mutating func take(_ document: DecodedMetadata) {
        let outcome = viewer.metadata(document)
        _ = provider.lint(document, outcome, viewer.tracker.book, on: stream, at: now)
    }

    /// The requests for documents, in their time.
    private mutating func request() {
        guard let next = provider.nextRequest else { return }
        now = now.advanced(by: max(.zero, next - now.uptime))
        if provider.request(on: stream, at: now) != nil { provider.succeeded(at: now) }
    }

    /// A service that is told where the viewer is answers with what it lists.
    private mutating func ping(_ text: String) {
        guard let date = stream.playhead, let position = stream.timeline.position(of: date),
            let ping = provider.ping(after: .plays(at: position))
        else { return }
        let answer = HTTPExchange.answer(200, text, url: ping.url.text, type: contract.samples.contentType)
        do throws(MetadataProblem) {
            try provider.pingAnswered(ping.number, answer)
        } catch {
            problems.append("the answer to ping \(ping.number) \(error.explanation)")
        }
    }

    private mutating func play(from start: Int64) {
        let from = position ?? start
        viewer.play(from, start + 60_000)
        position = start + 60_000
        stream.playhead = UnixTime.ms(start + 60_000)
    }
}
