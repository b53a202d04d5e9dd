import HLS
import Ports
import VAST

/// Opens a session (PRV-30): the manifest names it, or is answered with the breaks of a recorded programme.
struct YospaceOpening: Hashable {
    private let mediaURL: WebURL
    private var isAsked = false
    /// The session; nil before it is open.
    private(set) var session: YospaceSession?
    /// The answer that opened the session of a recorded programme: it has all breaks.
    private(set) var programme: HTTPExchange?

    init(mediaURL: WebURL) {
        self.mediaURL = mediaURL
    }

    mutating func open() -> OpeningStep {
        (session, programme, isAsked) = (nil, nil, true)
        return .request(ProviderRequest(mediaURL))
    }

    /// The answer to the request; one that was not asked for opens nothing.
    mutating func answered(_ exchange: HTTPExchange) -> OpeningStep {
        guard isAsked else { return .failed(SessionInitFailure(steps: [])) }
        isAsked = false
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            return Self.failed("manifest", problem.text)
        }
        if DASHManifest.isOne(exchange) { return Self.failed(DASHManifest.name, DASHManifest.remedy) }
        let base = exchange.finalURL.flatMap { try? WebURL($0) } ?? mediaURL
        if let found = YospaceSession(programme: exchange.body, charset: exchange.charset, at: base) {
            programme = exchange
            return opened(found, path: .get)
        }
        let text = String(decoding: exchange.body, as: UTF8.self)
        guard text.contains("#EXTM3U") else {
            return Self.failed("manifest", "is neither a playlist nor VMAP that names one (yospace:Stream)")
        }
        guard let found = YospaceSession(manifest: text, at: base) else {
            return Self.failed("manifest", "names no session (EXT-X-YOSPACE-ANALYTICS-URL)")
        }
        return opened(found, path: .manifest)
    }

    private mutating func opened(_ session: YospaceSession, path: SessionAddresses.Path) -> OpeningStep {
        self.session = session
        return .opened(
            SessionAddresses(
                manifestURL: session.manifest, metadataURL: session.tracking, path: path, sessionID: session.id,
                isRecognised: true))
    }

    private static func failed(_ step: String, _ problem: String) -> OpeningStep {
        .failed(SessionInitFailure(steps: [SessionInitFailure.Step(name: step, problem: problem)]))
    }
}
