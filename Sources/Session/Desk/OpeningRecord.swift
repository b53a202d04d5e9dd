import Ports

/// The requests that open a stream, until its first playlist was read.
struct OpeningRecord: Sendable {
    /// Maximum number of requests kept, the oldest are dropped.
    static let kept = 6

    private var requests: [(id: RequestID, view: OpeningView.Request)] = []
    /// What is wrong, and with which request. It is kept as it was answered: the same one may be under way again.
    private var problem: (kind: OpeningProblem, request: OpeningView.Request)?

    /// The newest document that may be a session, until it is known whether it opened one.
    private var document: OpeningView.Request?

    /// Whether nothing was requested yet.
    var isEmpty: Bool { requests.isEmpty }

    /// A request of the stream leaves. The same request again replaces the earlier one.
    mutating func asked(_ id: RequestID, _ purpose: FetchPurpose, _ request: HTTPRequest, at now: Moment) {
        guard purpose.opensStream else { return }
        var view = OpeningView.Request(
            method: request.method, url: request.url.text, fields: request.fields, body: request.body,
            isPlaylist: purpose != .sessionInit, askedAt: now, limit: request.totalTimeout)
        if let earlier = requests.firstIndex(where: { $0.view.method == view.method && $0.view.url == view.url }) {
            view.tries += requests.remove(at: earlier).view.tries
        }
        requests.append((id, view))
        if requests.count > Self.kept { requests.removeFirst() }
    }

    /// Its answer.
    mutating func answered(_ id: RequestID, _ exchange: HTTPExchange) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        requests[index].view.answer = .init(
            status: exchange.status, failure: exchange.failure, took: .microseconds(exchange.timings.total),
            contentType: exchange.contentType)
        // A session may be opened by a document.
        let found = OpeningProblem(exchange)
        let isDocument = !requests[index].view.isPlaylist && found == .json
        guard exchange.failure?.kind != .cancelled else { return }
        document = isDocument ? requests[index].view : nil
        guard !isDocument else { return }
        if let found {
            problem = (found, requests[index].view)
        } else if let known = problem?.request, !known.isPlaylist || known.url == requests[index].view.url {
            // The playlist is there: what came before it at this address, or while a session was asked for, is past.
            problem = nil
        }
    }

    /// No answer has opened a session. If the last one was a document, it names none.
    mutating func sessionFailed() {
        guard let document else { return }
        problem = (.json, document)
        self.document = nil
    }

    /// The problem as a clause; nil where there is none.
    var clause: String? { view(next: nil, additions: []).clause }

    /// - Parameters:
    ///   - next: when the next attempt begins; nil while one is under way.
    ///   - additions: what requests carry of what the user gave.
    func view(next: Moment?, additions: [RequestAddition]) -> OpeningView {
        OpeningView(
            requests: requests.map(\.view), problem: problem?.kind, nextAttemptAt: next, additions: additions,
            failed: problem?.request)
    }
}

extension FetchPurpose {
    fileprivate var opensStream: Bool {
        switch self {
        case .sessionInit, .multivariant, .mediaPlaylist: true
        default: false
        }
    }
}
