package import AdFormats
import Bidding
import Ports

/// Ads of an OpenRTB 2.6 endpoint: the highest bid with markup is shown. Configuration: `endpoint`. The request has
/// `test` 1 and the eighteen parameters; no notice is sent.
struct OpenRTBPlugin: AdPlugin {
    static let manifest = PluginManifest(
        identifier: "openrtb", name: "OpenRTB 2.6 endpoint",
        fields: [PluginManifest.Field(key: "endpoint", type: "url")])

    let endpoint: WebURL

    init(configuration: JSONValue) throws(AdError) {
        endpoint = try BidEndpoint.read(configuration, path: nil)
    }

    var providerName: String { "openrtb" }

    func makePresenter(slot: String, format: AdFormats.AdFormat) -> any AdPresenter {
        BidPresenter(endpoint: endpoint, format: format, prebid: nil)
    }
}

/// Ads of a Prebid Server: as ``OpenRTBPlugin``, with `ext.prebid` and a stored request. Configuration: `endpoint`,
/// `storedRequest`.
struct PrebidPlugin: AdPlugin {
    static let manifest = PluginManifest(
        identifier: "prebid", name: "Prebid Server",
        fields: [
            PluginManifest.Field(key: "endpoint", type: "url"),
            PluginManifest.Field(key: "storedRequest", type: "text"),
        ])

    let endpoint: WebURL
    let options: BidRequest.PrebidOptions

    init(configuration: JSONValue) throws(AdError) {
        endpoint = try BidEndpoint.read(configuration, path: "/openrtb2/auction")
        options = BidRequest.PrebidOptions(storedRequest: configuration["storedRequest"]?.stringValue)
    }

    var providerName: String { "prebid" }

    func makePresenter(slot: String, format: AdFormats.AdFormat) -> any AdPresenter {
        BidPresenter(endpoint: endpoint, format: format, prebid: options)
    }
}

/// The endpoint address in a configuration.
private enum BidEndpoint {
    /// Reads the endpoint; `path` is added if the address has none.
    static func read(_ configuration: JSONValue, path: String?) throws(AdError) -> WebURL {
        guard let text = configuration["endpoint"]?.stringValue ?? configuration["production"]?.stringValue else {
            throw AdError(.invalidRequest, "no endpoint is configured")
        }
        do throws(WebURLProblem) {
            let url = try WebURL(text)
            guard let path, url.path.isEmpty || url.path == "/" else { return url }
            return try url.with(path: path, query: url.query)
        } catch {
            throw AdError(.invalidRequest, "the endpoint \(error.explanation)")
        }
    }
}

/// Requests bids and uses the markup of the best one.
struct BidPresenter: AdPresenter {
    let endpoint: WebURL
    let format: AdFormats.AdFormat
    let prebid: BidRequest.PrebidOptions?

    mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
        switch input {
        case .load(let config, let parameters): [.fetch(request(config, parameters))]
        case .answered(let exchange): [answer(exchange)]
        case .said, .ended, .show, .click, .dismiss, .visibility: []
        }
    }

    private func request(_ config: AdConfig, _ parameters: RequestParameters) -> HTTPRequest {
        var placement = Placement(id: config.unit)
        placement.format =
            switch format {
            case .banner: .banner
            case .interstitial: .interstitial
            case .rewarded: .rewarded
            case .native: .native
            }
        let size = config.size(NamedSizes(), on: parameters.profile) ?? parameters.profile.screen
        placement.sizes = [AdSize(size.width, size.height)]
        var bids = BidRequest(
            id: "format-\(config.unit)", placement: placement, userAgent: parameters.userAgent,
            version: parameters.sdkVersion)
        bids.prebid = prebid
        bids.timeout = Limits.requestTimeout
        bids.asker = BidRequest.Asker(
            device: parameters.openRTBDevice, app: parameters.openRTBApp, user: parameters.openRTBUser)
        return bids.request(to: endpoint, limit: AdPayload.maximumBytes)
    }

    private func answer(_ exchange: HTTPExchange) -> PresenterOutput {
        if let failure = exchange.failure { return .failed(AdError(.internalError, failure.message)) }
        switch exchange.status ?? 0 {
        case 204: return .failed(AdError(.noFill, "HTTP 204"))
        case 200: break
        case 400: return .failed(AdError(.invalidRequest, "HTTP 400"))
        case let status: return .failed(AdError(.internalError, "HTTP \(status)"))
        }
        guard !exchange.body.isEmpty else { return .failed(AdError(.noFill, "the answer is empty")) }
        guard let response = (try? JSONReader.read(exchange.body)).flatMap({ BidResponse($0) }) else {
            return .failed(AdError(.internalError, "the answer is not a JSON object"))
        }
        let usable = response.seats.flatMap(\.bids).filter { $0.markup != nil && $0.price.amount?.isPositive == true }
        guard let best = usable.max(by: { ($0.price.amount ?? .zero) < ($1.price.amount ?? .zero) }),
            let markup = best.markup
        else { return .failed(AdError(.noFill, "no bid with markup")) }
        return .loaded(payload(best, markup))
    }

    private func payload(_ bid: Bid, _ markup: String) -> AdPayload {
        var payload = AdPayload(body: Array(markup.utf8), contentType: ExpectedContent.types(of: format)[0])
        payload.size = bid.size.flatMap { PixelSize(text: $0.description) }
        let passthrough = bid.json["ext"]?["prebid"]?["passthrough"]?.arrayValue ?? []
        payload.rewardRules = passthrough.first { $0["type"] == "prebidmobilesdk" }?["rwdd"]
        return payload
    }
}

extension AdPluginRegistry {
    /// All plugins that are part of the program.
    package static var complete: AdPluginRegistry {
        var registry = AdPluginRegistry.builtIn
        registry.register(OpenRTBPlugin.self)
        registry.register(PrebidPlugin.self)
        return registry
    }
}
