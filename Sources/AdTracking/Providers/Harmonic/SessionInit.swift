import HLS
package import Ports

/// Session initialisation of Harmonic PMM as a state machine (TRK-1, TRK-2): first GET, then POST, then the manifest
/// itself. Every answer, good or bad, goes to ``answered(_:)``.
package struct SessionInit: Hashable, Sendable {
    /// The next step. `manifestGet` is an ordinary GET whose answer is a playlist.
    package enum Action: Hashable, Sendable {
        case get(WebURL)
        case post(WebURL)
        case manifestGet(WebURL)
        case done(SessionAddresses)
        case failed(SessionInitFailure)
    }

    private enum State: Hashable, Sendable {
        case idle, waitingForGet, waitingForPost, waitingForManifest, ended
    }

    package let mediaURL: WebURL
    private let isInitRequest: Bool
    private var state = State.idle
    /// The failures so far; after a success they explain why an earlier step failed.
    package private(set) var failures: [SessionInitFailure.Step] = []
    /// Whether an answer was a DASH manifest: then nothing else matters.
    private var isDASH = false

    /// - Parameter isInitRequest: false requests the manifest at once.
    package init(mediaURL: WebURL, isInitRequest: Bool = true) {
        self.mediaURL = mediaURL
        self.isInitRequest = isInitRequest
    }

    /// The first request; a restart clears the failures.
    package mutating func started() -> Action {
        (failures, isDASH) = ([], false)
        guard isInitRequest else { return askForManifest() }
        guard let url = initURL else {
            return failed("GET init", "the URL would be too long") { $0.askWithPost() }
        }
        state = .waitingForGet
        return .get(url)
    }

    /// The answer to the last request. An unexpected answer changes nothing and repeats the failures so far.
    package mutating func answered(_ exchange: HTTPExchange) -> Action {
        isDASH = isDASH || DASHManifest.isOne(exchange)
        switch state {
        case .waitingForGet:
            switch InitAnswer.read(exchange, asked: mediaURL) {
            case .success(let answer): return done(answer, path: .get)
            case .failure(let problem): return failed("GET init", problem.text) { $0.askWithPost() }
            }
        case .waitingForPost:
            switch InitAnswer.read(exchange, asked: mediaURL) {
            case .success(let answer): return done(answer, path: .post)
            case .failure(let problem): return failed("POST init", problem.text) { $0.askForManifest() }
            }
        case .waitingForManifest:
            return manifestAnswered(exchange)
        case .idle, .ended:
            return .failed(SessionInitFailure(steps: failures))
        }
    }

    private var initURL: WebURL? {
        var items = QueryItems(mediaURL.query)
        items.removeAll(named: "initSession")
        items.items.append(QueryItems.Item(name: "initSession", value: "true"))
        return try? mediaURL.with(path: mediaURL.path, query: items.text)
    }

    private mutating func askWithPost() -> Action {
        state = .waitingForPost
        return .post(mediaURL)
    }

    private mutating func askForManifest() -> Action {
        state = .waitingForManifest
        return .manifestGet(mediaURL)
    }

    private mutating func failed(_ step: String, _ problem: String, then next: (inout Self) -> Action) -> Action {
        failures.append(SessionInitFailure.Step(name: step, problem: problem))
        return next(&self)
    }

    private mutating func done(_ answer: InitAnswer, path: SessionAddresses.Path) -> Action {
        state = .ended
        return .done(
            SessionAddresses(
                manifestURL: answer.manifest, metadataURL: answer.tracking, path: path,
                sessionID: Self.sessionID(answer.tracking) ?? Self.sessionID(answer.manifest), isRecognised: true))
    }

    /// Step C.
    private mutating func manifestAnswered(_ exchange: HTTPExchange) -> Action {
        state = .ended
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) ?? Self.playlistProblem(exchange.body) {
            failures.append(SessionInitFailure.Step(name: "manifest", problem: problem.text))
            if isDASH {
                failures = [SessionInitFailure.Step(name: DASHManifest.name, problem: DASHManifest.remedy)]
            }
            return .failed(SessionInitFailure(steps: failures))
        }
        let final = exchange.finalURL.flatMap { try? WebURL($0) } ?? mediaURL
        let wasMoved = exchange.wasRedirected && final != mediaURL
        let playlist = String(decoding: exchange.body, as: UTF8.self)
        // A redirect to https alone names no session; if the playlist has variants, they are checked.
        if !(wasMoved && Self.sessionID(final) != nil),
            let session = VariantSession.manifestURL(playlist: playlist, base: final)
        {
            return done(manifest: session, path: .variant)
        }
        return done(manifest: final, path: wasMoved ? .redirect : .manifest)
    }

    private func done(manifest: WebURL, path: SessionAddresses.Path) -> Action {
        // The address of a variant may be damaged. The address that was opened shows the session then.
        let sessionID = Self.sessionID(manifest) ?? (path == .variant ? Self.sessionID(mediaURL) : nil)
        return .done(
            SessionAddresses(
                manifestURL: manifest, metadataURL: try? MetadataURL.derive(from: manifest).get(), path: path,
                sessionID: sessionID, isRecognised: sessionID != nil))
    }

    private static func playlistProblem(_ body: [UInt8]) -> AnswerProblem? {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        if text.starts(with: "#EXTM3U".utf8) { return nil }
        guard let first = text.first(where: { $0 > 0x20 }) else {
            return AnswerProblem("is empty instead of a playlist")
        }
        return AnswerProblem(
            first == UInt8(ascii: "<")
                ? "is \(MarkupKind(body).noun) instead of a playlist"
                : "is not a playlist: it does not begin with #EXTM3U")
    }

    /// The session's id in one of its addresses; nil without one.
    static func sessionID(_ url: WebURL) -> String? {
        QueryItems(url.query)["sessid"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
