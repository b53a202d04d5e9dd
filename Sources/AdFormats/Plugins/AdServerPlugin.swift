package import Ports

/// Loads zones of an ad server over HTTP, GET only (FMT-4). Configuration: the URLs `production` and `development`, and
/// `env`, which selects one of them.
package struct AdServerPlugin: AdPlugin {
    package static let manifest = PluginManifest(
        identifier: "adserver", name: "HTTP zones",
        fields: [
            PluginManifest.Field(key: "production", type: "url"),
            PluginManifest.Field(key: "development", type: "url"),
            PluginManifest.Field(key: "env", type: "production|development", defaultValue: "production"),
        ])

    package let endpoint: WebURL

    package init(configuration: JSONValue) throws(AdError) {
        let env = configuration["env"]?.stringValue ?? "production"
        guard env == "production" || env == "development" else {
            throw AdError(.invalidRequest, "env is '\(env)', not production or development")
        }
        guard let text = configuration[env]?.stringValue else {
            throw AdError(.invalidRequest, "the \(env) address of the ad server is missing")
        }
        do throws(WebURLProblem) {
            endpoint = try WebURL(text)
        } catch {
            throw AdError(.invalidRequest, "the \(env) address \(error.explanation)")
        }
    }

    /// Creates a plugin for the zones at one URL.
    package init(endpoint: WebURL) {
        self.endpoint = endpoint
    }

    package var providerName: String { "adserver" }

    package func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter {
        try require(format)
        return ZonePresenter(endpoint: endpoint, format: format)
    }
}

/// Requests one zone and checks the answer.
package struct ZonePresenter: AdPresenter {
    let endpoint: WebURL
    let format: AdFormat

    package mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
        switch input {
        case .load(let config, let parameters): [request(config, parameters)]
        case .answered(let exchange): [.answer(exchange, for: format)]
        case .received, .ended, .show, .click, .dismiss, .visibility: []
        }
    }

    private func request(_ config: AdConfig, _ parameters: RequestParameters) -> PresenterOutput {
        let own = parameters.query(for: config)
        let query = endpoint.query.map { $0.isEmpty ? own : "\($0)&\(own)" } ?? own
        do throws(WebURLProblem) {
            let url = try endpoint.with(path: endpoint.path.isEmpty ? "/" : endpoint.path, query: query)
            let accept = ExpectedContent.types(of: format).joined(separator: ", ")
            return .fetch(
                HTTPRequest(
                    url: url,
                    fields: [HTTPField("User-Agent", parameters.userAgent), HTTPField("Accept", accept)],
                    maximumBodyBytes: AdPayload.maximumBytes))
        } catch {
            return .failed(AdError(.invalidRequest, "the ad call \(error.explanation)"))
        }
    }
}

extension PresenterOutput {
    /// Converts an answer to an ad call to an output.
    static func answer(_ exchange: HTTPExchange, for format: AdFormat) -> PresenterOutput {
        switch ExpectedContent.payload(of: exchange, for: format) {
        case .success(let payload): .loaded(payload)
        case .failure(let error): .failed(error)
        }
    }
}
