import HLS
import Ports

/// Opens a session (PRV-42): by a preplay request, whose answer has the session, or by the manifest, whose request starts one
/// without naming it.
struct UplynkOpening: Hashable {
    private let mediaURL: WebURL
    private var isAsked = false
    /// The session; nil before it is open.
    private(set) var session: UplynkSession?
    /// The answer that opened the session, until it is taken.
    private var answer: JSONValue?

    init(mediaURL: WebURL) {
        self.mediaURL = mediaURL
    }

    mutating func open() -> OpeningStep {
        (session, answer, isAsked) = (nil, nil, false)
        switch Uplynk.role(of: mediaURL) {
        case .ping:
            return Self.failed(
                "address", "is that of a ping, whose request is a report; give that of the preplay request")
        case .opening: break
        default:
            if mediaURL.path.hasSuffix(".m3u8") { return opened(UplynkSession(manifest: mediaURL), path: .manifest) }
        }
        isAsked = true
        return .request(ProviderRequest(mediaURL))
    }

    /// The answer to the request; one that was not asked for opens nothing.
    mutating func answered(_ exchange: HTTPExchange) -> OpeningStep {
        guard isAsked else { return .failed(SessionInitFailure(steps: [])) }
        isAsked = false
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            return Self.failed(Self.request, problem.text + Self.reason(in: exchange))
        }
        if DASHManifest.isOne(exchange) { return Self.failed(DASHManifest.name, DASHManifest.remedy) }
        if String(decoding: exchange.body.prefix(16), as: UTF8.self).contains("#EXTM3U") {
            return opened(UplynkSession(manifest: mediaURL), path: .manifest)
        }
        let base = exchange.finalURL.flatMap { try? WebURL($0) } ?? mediaURL
        do throws(MetadataProblem) {
            let value = try MetadataProblem.json(exchange.body)
            let session = try UplynkSession(value, asked: mediaURL, base: base)
            answer = value
            return opened(session, path: .get)
        } catch {
            return Self.failed(Self.request, error.explanation)
        }
    }

    /// The answer that opened the session, once: it has its breaks.
    mutating func takeAnswer() -> JSONValue? {
        defer { answer = nil }
        return answer
    }

    private static let request = "GET preplay"

    private mutating func opened(_ session: UplynkSession, path: SessionAddresses.Path) -> OpeningStep {
        self.session = session
        return .opened(
            SessionAddresses(
                manifestURL: session.manifest, metadataURL: answer == nil ? nil : mediaURL, path: path,
                sessionID: session.id, isRecognised: true))
    }

    private static func failed(_ step: String, _ problem: String) -> OpeningStep {
        .failed(SessionInitFailure(steps: [SessionInitFailure.Step(name: step, problem: problem)]))
    }

    /// The reason that the service gives for a rejected request.
    private static func reason(in exchange: HTTPExchange) -> String {
        // Most rejections are not JSON; their status is enough.
        guard exchange.status != nil, let value = try? JSONReader.read(exchange.body),
            let stated = value["message"]?.stringValue ?? value["error"]?.stringValue, !stated.isEmpty
        else { return "" }
        return ": '\(MetadataProblem.clipped(stated))'"
    }
}
