package import AdFormats
import Bidding
import Ports

/// Ads of an OpenRTB 2.6 endpoint: the highest bid with markup of the slot's kind is shown, its macros filled. Configuration: `endpoint`. The
/// request has `test` 1 and the eighteen parameters. Win, billing and loss notices are reports like other beacons.
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
        case .received, .ended, .show, .click, .dismiss, .visibility: []
        }
    }

    private func request(_ config: AdConfig, _ parameters: RequestParameters) -> HTTPRequest {
        var placement = Placement(id: config.unit)
        placement.format = Self.placementFormat(format)
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
        guard let json = try? JSONReader.read(exchange.body), let response = BidResponse(json) else {
            return .failed(AdError(.internalError, "the answer is not a JSON object"))
        }
        if prebid != nil, let decided = Self.decided(json) { return .loaded(decided.payload(as: format)) }
        guard let best = Self.best(response, for: format) else {
            return .failed(AdError(.noFill, "no bid with markup"))
        }
        return .loaded(best.payload(as: format))
    }

    private static func placementFormat(_ format: AdFormats.AdFormat) -> Bidding.AdFormat {
        switch format {
        case .banner: .banner
        case .interstitial: .interstitial
        case .rewarded: .rewarded
        case .native: .native
        }
    }

    /// The winner that a Prebid Server has marked with its targeting keys; nil when there is none.
    private static func decided(_ json: JSONValue) -> WonBid? {
        guard let imp = PrebidAnswer(json, requiresCacheID: false)?.imps.first(where: { $0.winner != nil }),
            let bid = imp.winningBid?.bid, let markup = imp.markup
        else { return nil }
        var won = WonBid(bid: bid, markup: markup)
        (won.notices.win, won.notices.billing) = (imp.onWin, imp.onDisplay)
        return won
    }

    /// The bid with the highest price, among equal ones the first; nil when none has markup and a price.
    private static func best(_ response: BidResponse, for format: AdFormats.AdFormat) -> WonBid? {
        let types = placementFormat(format).markupTypes
        let offers = response.seats.flatMap { seat in seat.bids.map { Offer(bid: $0, seat: seat.seat) } }
        let usable = offers.filter { offer in
            offer.bid.markup != nil && offer.bid.price.amount?.isPositive == true
                && offer.bid.markupType.map(types.contains) ?? true
        }
        func price(_ index: Int) -> ExactDecimal { usable[index].bid.price.amount ?? .zero }
        guard let first = usable.indices.max(by: { (price($0), -$0) < (price($1), -$1) }) else { return nil }
        let (bid, seat) = (usable[first].bid, usable[first].seat)
        let macros = AuctionMacros(of: bid, seat: seat, in: response)
        var won = WonBid(bid: bid, markup: macros.fill(bid.markup ?? ""))
        won.notices.win = [bid.winURL].compactMap(\.self).map { macros.fill($0) }
        won.notices.billing = [bid.billingURL].compactMap(\.self).map { macros.fill($0) }
        for index in usable.indices where index != first {
            guard let url = usable[index].bid.lossURL else { continue }
            var macros = AuctionMacros(of: usable[index].bid, seat: usable[index].seat, in: response)
            // A loss notice does not disclose the price that was paid.
            macros[.price] = ""
            macros[.loss] = "\(LossReason.lostToHigherBid.rawValue)"
            macros[.minimumToWin] = price(first).text
            won.notices.loss.append(macros.fill(url))
        }
        return won
    }
}

/// A bid with its seat.
private struct Offer {
    let bid: Bid
    let seat: String
}

/// A bid whose ad is shown.
private struct WonBid {
    let bid: Bid
    /// With macros filled.
    let markup: String
    var notices = AdNotices()

    func payload(as format: AdFormats.AdFormat) -> AdPayload {
        var payload = AdPayload(body: Array(markup.utf8), contentType: ExpectedContent.types(of: format)[0])
        payload.size = bid.size.flatMap { PixelSize(text: $0.description) }
        let passthrough = bid.json["ext"]?["prebid"]?["passthrough"]?.arrayValue ?? []
        payload.rewardRules = passthrough.first { $0["type"] == "prebidmobilesdk" }?["rwdd"]
        payload.notices = notices
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
