import Ports

/// Opens a session as a state machine (PRV-44): it is asked for with POST, or it is running and its manifest has its id.
struct DAIOpening: Hashable {
    private enum State: Hashable {
        case ended, waitingForPost(fallsBack: Bool), waitingForGet, waitingForManifest
    }

    private let mediaURL: WebURL
    private let asksForSession: Bool
    private var state = State.ended
    private var failures: [SessionInitFailure.Step] = []
    /// The session; nil before it is open.
    private(set) var session: DAISession?

    init(_ options: ProviderOptions) {
        (mediaURL, asksForSession) = (options.mediaURL, options.asksForSession)
    }

    mutating func open() -> OpeningStep {
        (failures, session, state) = ([], nil, .ended)
        switch DAIAddress(mediaURL) {
        case .stream: return ask(at: mediaURL, fallsBack: false)
        case .event(let stream) where asksForSession: return ask(at: stream, fallsBack: true)
        case .session(let id, let metadata):
            return opened(DAISession(attachedTo: mediaURL, id: id, metadata: metadata), path: .manifest)
        case .pods:
            return failed("address", "is of pod serving, where another service makes the manifest; give that manifest")
        case .event, nil: return manifest()
        }
    }

    /// Parameters of the address are those of the form: a key in them is in no address that is requested.
    private mutating func ask(at url: WebURL, fallsBack: Bool) -> OpeningStep {
        guard let bare = try? url.with(path: url.path, query: nil) else { return manifest() }
        state = .waitingForPost(fallsBack: fallsBack)
        return .request(
            ProviderRequest(
                bare, method: .post, fields: [HTTPField("content-type", "application/x-www-form-urlencoded")],
                body: Array((mediaURL.query ?? "").utf8)))
    }

    private mutating func manifest() -> OpeningStep {
        state = .waitingForManifest
        return .request(ProviderRequest(mediaURL))
    }

    /// The answer to the last request; one that was not asked for repeats the failures so far.
    mutating func answered(_ exchange: HTTPExchange) -> OpeningStep {
        let before = state
        state = .ended
        switch before {
        case .ended: return .failed(SessionInitFailure(steps: failures))
        case .waitingForPost(let fallsBack):
            switch Self.session(in: exchange, asked: base(exchange)) {
            case .success(let session): return opened(session, path: .post)
            case .failure(let problem):
                failures.append(SessionInitFailure.Step(name: "POST stream", problem: problem.text))
                if fallsBack { return manifest() }
                guard exchange.status == 405 else { return .failed(SessionInitFailure(steps: failures)) }
                state = .waitingForGet
                return .request(ProviderRequest(mediaURL))
            }
        case .waitingForGet:
            switch Self.session(in: exchange, asked: base(exchange)) {
            case .success(let session): return opened(session, path: .get)
            case .failure(let problem): return failed("GET stream", problem.text)
            }
        case .waitingForManifest: return manifestAnswered(exchange)
        }
    }

    private static func session(in exchange: HTTPExchange, asked: WebURL) -> Result<DAISession, AnswerProblem> {
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            return .failure(AnswerProblem(problem.text + remedy(exchange.failure == nil ? exchange.status : nil)))
        }
        do throws(MetadataProblem) {
            return .success(try DAISession(try MetadataProblem.json(exchange.body), asked: asked))
        } catch {
            return .failure(AnswerProblem(error.explanation))
        }
    }

    private static func remedy(_ status: Int?) -> String {
        switch status {
        case 401, 403: ": the key or token is missing or not accepted; give a valid one (docs/providers.md)"
        case 404: ": there is no such event or video; check the address"
        default: ""
        }
    }

    private mutating func manifestAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        let base = base(exchange)
        do throws(ManifestAnswer.Problem) {
            for url in [base] + (try ManifestAnswer.addresses(in: exchange, from: base)) {
                guard case .session(let id, let metadata) = DAIAddress(url) else { continue }
                return opened(DAISession(attachedTo: base, id: id, metadata: metadata), path: .redirect)
            }
            return failed("manifest", "names no session of this service; --provider none follows it as it is")
        } catch {
            return failed(error.step, error.text)
        }
    }

    private func base(_ exchange: HTTPExchange) -> WebURL {
        exchange.finalURL.flatMap { try? WebURL($0) } ?? mediaURL
    }

    private mutating func opened(_ session: DAISession, path: SessionAddresses.Path) -> OpeningStep {
        self.session = session
        return .opened(
            SessionAddresses(
                manifestURL: session.manifest, metadataURL: session.metadata, path: path, sessionID: session.id,
                isRecognised: true))
    }

    private mutating func failed(_ step: String, _ problem: String) -> OpeningStep {
        failures.append(SessionInitFailure.Step(name: step, problem: problem))
        return .failed(SessionInitFailure(steps: failures))
    }
}
