import AdTracking
package import Ports
package import Session

/// A session whose requests are answered at once with given bodies: everything that the session's actor does with an
/// answer is then the cost of that answer.
package struct FedSession {
    /// 2027-01-01T00:00:00Z
    package static let start = UnixTime(milliseconds: 1_798_761_600_000)
    private static let segment: Duration = .seconds(4)

    private var state: MonitorState
    private var now = Moment(wall: start + .seconds(130), uptime: .seconds(1_000))
    /// Tags before the first segment of the playlist.
    package var tags = ""
    /// Tags and segments behind its last segment.
    package var tail = ""
    package var metadata: [UInt8] = []
    package var schedule: [UInt8] = []
    /// Header fields of every answer.
    package var fields: [HTTPField] = []
    package private(set) var beacons = 0

    /// A path of a request for a session of Google DAI.
    package static let daiPath = "/linear/v1/hls/event/K/stream"

    package init(path: String = "/live/index.m3u8", _ configure: (inout MonitorConfiguration) -> Void = { _ in }) {
        guard let url = try? WebURL("http://127.0.0.1:8080" + path) else { preconditionFailure("a URL") }
        var configuration = MonitorConfiguration(mediaURL: url)
        configuration.mode = .fire
        configuration.sending.firesByDefault = false
        configuration.writesHistory = true
        configure(&configuration)
        state = MonitorState(configuration)
    }

    /// Starts, or lets time pass, and answers every request.
    package mutating func advance(by span: Duration) {
        now = now.advanced(by: span)
        submit(span == .zero ? .started : .woke)
        _ = state.snapshot(at: now)
    }

    private mutating func submit(_ input: Input) {
        var inputs = [input]
        var next = 0
        while next < inputs.count {
            let input = inputs[next]
            next += 1
            for effect in state.apply(input, at: now) { if let answer = answer(effect) { inputs.append(answer) } }
        }
    }

    private mutating func answer(_ effect: Effect) -> Input? {
        switch effect {
        case .fetch(let id, let purpose, let request):
            return .fetched(id, exchange(request, body(of: purpose, request)))
        case .send(let claim, let request):
            beacons += 1
            return .beaconAnswered(claim, exchange(request, []))
        case .openJournal: return .journalOpened(JournalOpening())
        case .writeClaims(let claims): return .claimsWritten(claims.map { .init($0.number) })
        default: return nil
        }
    }

    private func body(of purpose: FetchPurpose, _ request: HTTPRequest) -> [UInt8] {
        switch purpose {
        case .sessionInit where request.url.path == Self.daiPath:
            Array(
                #"{"stream_id":"S:ATL","stream_manifest":"/s/media.m3u8?sessid=S","media_verification_url":"/v/","metadata_url":"/ids","polling_frequency":4}"#
                    .utf8)
        case .sessionInit:
            Array(#"{"manifestUrl":"/s/media.m3u8?sessid=S","trackingUrl":"/s/metadata?sessid=S"}"#.utf8)
        case .multivariant, .mediaPlaylist: playlist
        case .metadata: metadata
        case .adSchedule, .adDecision: schedule
        case .assetList: Array(#"{"ASSETS":[{"URI":"a.m3u8","DURATION":10}]}"#.utf8)
        default: []
        }
    }

    private var playlist: [UInt8] {
        let made = Int((now.wall - Self.start).inMilliseconds / 4_000)
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(made - 15)\n" + tags
        for index in made - 15..<made {
            text +=
                "#EXT-X-PROGRAM-DATE-TIME:\((Self.start + Self.segment * index).iso8601)\n#EXTINF:4,\ns\(index).ts\n"
        }
        return Array((text + tail).utf8)
    }

    private func exchange(_ request: HTTPRequest, _ body: [UInt8]) -> HTTPExchange {
        HTTPExchange(
            hops: [.init(url: request.url.text, status: 200, fields: fields)], body: body, timings: .init(total: 12_000)
        )
    }
}
