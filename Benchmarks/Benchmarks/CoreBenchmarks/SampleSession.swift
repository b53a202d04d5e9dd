import AdTracking
import Ports
import Session

/// A session brought to the middle of a break by answering its effects, so that screens are measured on real snapshots.
struct SampleSession {
    private(set) var state: MonitorState
    private(set) var now = Moment(wall: SampleTexts.start + .seconds(130), uptime: .seconds(1_000))
    private let breaks: Int
    /// Nil for one that grows with the clock.
    private let playlist: [UInt8]?

    /// - Parameter playlist: the playlist of a stream without metadata, the same in every answer.
    init?(breaks: Int = 0, playlist: [UInt8]? = nil) {
        guard let url = try? WebURL("http://127.0.0.1:8080/live/index.m3u8") else { return nil }
        (self.breaks, self.playlist) = (breaks, playlist)
        var configuration = MonitorConfiguration(mediaURL: url)
        if playlist != nil { configuration.provider = .none }
        state = MonitorState(configuration)
        submit(.started)
    }

    /// Advances the clock and answers every request of the session at once.
    mutating func advance(by span: Duration) {
        now = now.advanced(by: span)
        submit(.woke)
    }

    mutating func snapshot() -> Snapshot { state.snapshot(at: now) }

    private mutating func submit(_ input: Input) {
        var inputs = [input]
        // Every answer has the same moment; a session has only a handful of requests at a time.
        while let input = inputs.popLast(), inputs.count < 1_000 {
            for effect in state.apply(input, at: now) { inputs += answer(effect) }
        }
    }

    private func answer(_ effect: Effect) -> [Input] {
        switch effect {
        case .fetch(let id, _, let request): [.fetched(id, exchange(request))]
        case .send(let claim, let request): [.beaconAnswered(claim, exchange(request))]
        case .openJournal: [.journalOpened(JournalOpening())]
        case .writeClaims(let claims): [.claimsWritten(claims.map { ClaimID($0.number) })]
        // A plain stream makes no other requests that need an answer.
        default: []
        }
    }

    private func exchange(_ request: HTTPRequest) -> HTTPExchange {
        let body: [UInt8]
        if request.url.query?.contains("initSession=true") == true {
            body = Array(#"{"manifestUrl":"/s/index.m3u8?sessid=S","trackingUrl":"/s/metadata?sessid=S"}"#.utf8)
        } else if request.url.path.hasSuffix("metadata") {
            body = SampleTexts.metadata(breaks: breaks)
        } else if request.url.path.hasSuffix("index.m3u8") {
            body = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nlow.m3u8\n".utf8)
        } else if request.url.path.hasSuffix("m3u8") {
            if let playlist { return exchange(request, playlist) }
            let made = Int((now.wall - SampleTexts.start).inMilliseconds / 4_000)
            body = SampleTexts.playlist(segments: 15, first: made - 15)
        } else {
            body = []
        }
        return exchange(request, body)
    }

    private func exchange(_ request: HTTPRequest, _ body: [UInt8]) -> HTTPExchange {
        HTTPExchange(
            hops: [.init(url: request.url.text, status: 200, fields: [])], body: body, timings: .init(total: 12_000))
    }
}
