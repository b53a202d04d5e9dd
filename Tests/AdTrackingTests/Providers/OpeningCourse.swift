import AdTracking
import Ports

/// Runs the opening of a session against given answers, and notes what a provider must not do there.
struct OpeningCourse {
    private(set) var requests: [ProviderRequest] = []
    var problems: [String] = []
    /// The texts from which an address may be taken: the media URL and every answer.
    private var given: [String]

    init(_ mediaURL: String) {
        given = [mediaURL]
    }

    /// - Parameter answer: the answer to the request of this number, from 0.
    /// - Returns: the addresses if the session was opened.
    mutating func run(
        _ provider: inout any AdMetadataProvider, _ answer: (Int) -> HTTPExchange
    ) -> SessionAddresses? {
        var step = provider.open()
        while true {
            switch step {
            case .request(let request):
                note(request)
                guard requests.count <= ProviderContract.openingRequests else {
                    problems.append("opening does not end")
                    return nil
                }
                let exchange = answer(requests.count - 1)
                given += exchange.hops.map(\.url) + [String(decoding: exchange.body, as: UTF8.self)]
                step = provider.openingAnswered(exchange)
            case .opened(let addresses):
                for url in [addresses.manifestURL, addresses.metadataURL].compactMap(\.self) where !isGiven(url) {
                    problems.append("\(url.host) was not given as an address")
                }
                endsHere(&provider)
                return addresses
            case .failed(let failure):
                if failure.steps.isEmpty || failure.steps.contains(where: { $0.name.isEmpty || $0.problem.isEmpty }) {
                    problems.append("a failure without a reason")
                }
                endsHere(&provider)
                return nil
            }
        }
    }

    private mutating func note(_ request: ProviderRequest) {
        requests.append(request)
        if !isGiven(request.url) { problems.append("\(request.url.host) was not given and is requested") }
        if request.timeout <= .zero || request.timeout > Limits.requestTimeout {
            problems.append("a request with the time limit \(request.timeout)")
        }
    }

    private func isGiven(_ url: WebURL) -> Bool {
        given.contains { $0.contains(url.host) }
    }

    /// An answer that was not asked for causes no request.
    private mutating func endsHere(_ provider: inout any AdMetadataProvider) {
        if case .request = provider.openingAnswered(.answer(200)) { problems.append("a stray answer causes a request") }
    }
}
