import Ports

/// Opens a session as a state machine (PRV-15): an explicit one is asked for, an implicit one is in the answer to the first
/// request of its manifest, and a running one is in the address.
struct MediaTailorOpening: Hashable {
    private enum State: Hashable {
        case idle, waitingForPost, waitingForGet, waitingForManifest, ended
    }

    private let mediaURL: WebURL
    private var state = State.idle
    private var failures: [SessionInitFailure.Step] = []
    /// The session; nil before it is open.
    private(set) var session: MediaTailorSession?

    /// Which prefetch schedules count for the session, and how a guided one prefetches, as its address has it.
    let prefetch: ProviderStatus.Prefetch?

    init(mediaURL: WebURL) {
        self.mediaURL = mediaURL
        let items = QueryItems(mediaURL.query).items
        func value(_ name: String) -> String? {
            let value = items.first { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
            return value.map { $0.percentDecoded ?? $0 }
        }
        prefetch = ProviderStatus.Prefetch(stream: value("aws.streamId"), mode: value("aws.guidedPrefetchMode"))
    }

    /// The reporting mode that the address asks for.
    private var mode: String {
        QueryItems(mediaURL.query)["aws.reportingMode"]?.lowercased() == "server" ? "server" : "client"
    }

    /// Whether the address asks for guided insertion: asset lists have the tracking data, and its address is not used (PRV-26).
    private var isGuided: Bool { QueryItems(mediaURL.query)["aws.insertionMode"]?.uppercased() == "GUIDED" }

    /// What parameters of the address are called in the body of a POST, which the service reads in their place.
    private static let parameters = [
        (prefix: "ads.", name: "adsParams"), (prefix: "manifestParams.", name: "manifestParams"),
        (prefix: "playerParams.", name: "playerParams"),
    ]

    /// The body of the request for a session.
    private var body: JSONValue {
        var body = JSONObject()
        body.append("reportingMode", .string(mode))
        if isGuided { body.append("insertionMode", "GUIDED") }
        let items = QueryItems(mediaURL.query).items
        // How guided sessions prefetch is read in the address only.
        if let stream = prefetch?.stream { body.append("streamId", .string(stream)) }
        for (prefix, name) in Self.parameters {
            var values = JSONObject()
            for item in items where item.name.hasPrefix(prefix) && item.name != prefix {
                let key = String(item.name.dropFirst(prefix.count))
                let value = item.value ?? ""
                values.append(key.percentDecoded ?? key, .string(value.percentDecoded ?? value))
            }
            if !values.members.isEmpty { body.append(name, .object(values)) }
        }
        return .object(body)
    }

    mutating func open() -> OpeningStep {
        (failures, session, state) = ([], nil, .ended)
        let address = MediaTailorAddress(mediaURL)
        switch address?.role {
        case .opening:
            state = .waitingForPost
            return .request(
                ProviderRequest(
                    mediaURL, method: .post, fields: [HTTPField("content-type", "application/json")],
                    body: Array(body.text().utf8)))
        case .tracking:
            return failed("address", "is that of the tracking data; give that of the playlist or of the session")
        case .segment:
            return failed(
                "address", "is that of an ad segment, whose request reports the ad; give that of the playlist")
        case .media, .multivariant, .ping, .unknown, nil:
            if let tracking = address?.tracking {
                return opened(MediaTailorSession(attachedTo: tracking, manifest: mediaURL), path: .manifest)
            }
            state = .waitingForManifest
            return .request(ProviderRequest(mediaURL))
        }
    }

    /// A running session of which only the tracking data is known (PRV-48).
    static func attached(to url: WebURL) -> Attachment {
        let address = MediaTailorAddress(url)
        switch address?.role {
        case .opening: return .problem("is the address that opens a session; 'adtop URL' opens it")
        case .multivariant, .media: return .problem("is the address of a playlist; 'adtop URL' follows it")
        case .segment: return .problem("is that of an ad segment, whose request reports the ad")
        case .tracking, .ping, .unknown, nil: return .tracking(url, id: address?.session)
        }
    }

    mutating func attach() -> OpeningStep {
        (failures, session, state) = ([], nil, .ended)
        let attachment = Self.attached(to: mediaURL)
        if case .session = attachment { session = MediaTailorSession(attachedTo: mediaURL) }
        return OpeningStep(attachment)
    }

    /// The answer to the last request; one that was not asked for repeats the failures so far.
    mutating func answered(_ exchange: HTTPExchange) -> OpeningStep {
        defer { if state != .waitingForGet { state = .ended } }
        switch state {
        case .waitingForPost:
            switch explicit(exchange) {
            case .success(let session): return opened(session, path: .post)
            case .failure(let problem):
                failures.append(SessionInitFailure.Step(name: "POST session", problem: problem.text))
                state = .waitingForGet
                return .request(ProviderRequest(mediaURL))
            }
        case .waitingForGet:
            state = .ended
            switch explicit(exchange) {
            case .success(let session): return opened(session, path: .get)
            case .failure(let problem): return failed("GET session", problem.text)
            }
        case .waitingForManifest: return manifestAnswered(exchange)
        case .idle, .ended: return .failed(SessionInitFailure(steps: failures))
        }
    }

    private func explicit(_ exchange: HTTPExchange) -> Result<MediaTailorSession, MediaTailorProblem> {
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            return .failure(MediaTailorProblem(text: problem.text))
        }
        do throws(MetadataProblem) {
            let value = try MetadataProblem.json(exchange.body)
            return MediaTailorSession.explicit(value, mode: mode, asked: base(exchange))
        } catch {
            return .failure(MediaTailorProblem(text: error.explanation))
        }
    }

    private mutating func manifestAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        let base = base(exchange)
        do throws(ManifestAnswer.Problem) {
            let media = try ManifestAnswer.addresses(in: exchange, from: base).first {
                MediaTailorAddress($0)?.role == .media
            }
            guard let media else {
                return failed("manifest", "names no media playlist of a session; --provider none follows it as it is")
            }
            return opened(MediaTailorSession(implicit: base, playlist: media), path: .variant)
        } catch {
            return failed(error.step, error.text)
        }
    }

    private func base(_ exchange: HTTPExchange) -> WebURL {
        exchange.finalURL.flatMap { try? WebURL($0) } ?? mediaURL
    }

    private mutating func opened(_ session: MediaTailorSession, path: SessionAddresses.Path) -> OpeningStep {
        let id = session.id
        var session = session
        if isGuided { session.tracking = nil }
        self.session = session
        return .opened(
            SessionAddresses(
                manifestURL: session.manifest ?? mediaURL, metadataURL: session.tracking, path: path,
                sessionID: id,
                isRecognised: true))
    }

    private mutating func failed(_ step: String, _ problem: String) -> OpeningStep {
        failures.append(SessionInitFailure.Step(name: step, problem: problem))
        return .failed(SessionInitFailure(steps: failures))
    }
}
