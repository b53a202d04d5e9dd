package import Ports

/// An OpenRTB 2.6 request for one placement. Device and user data are neutral, because the real ones are private
/// (BID-23: `test` 1, `lmt` 1, zero ids).
package struct BidRequest: Hashable, Sendable {
    package var id: String
    package var placement: Placement
    package var currency = "USD"
    package var allowedCurrencies: [String] = []
    /// 1 is first price, 2 second price plus.
    package var auctionType = 1
    package var timeout: Duration = .milliseconds(1_000)
    /// A test request, which is not billable.
    package var isTest = true
    package var userAgent: String
    package var version: String
    /// Stored request at a Prebid Server; nil for other endpoints.
    package var prebid: PrebidOptions?
    /// The client data to send instead of the neutral ones: `device`, `app` and `user` of the document.
    package var asker: Asker?

    /// The device, app and user data of the document.
    package struct Asker: Hashable, Sendable {
        package var device: JSONValue
        package var app: JSONValue
        package var user: JSONValue?

        package init(device: JSONValue, app: JSONValue, user: JSONValue? = nil) {
            self.device = device
            self.app = app
            self.user = user
        }
    }

    /// Options that only a Prebid Server supports (`ext.prebid`).
    package struct PrebidOptions: Hashable, Sendable {
        package var storedRequest: String?
        package var granularity: JSONValue = "medium"
        /// Prefix of the targeting keys in the answer.
        package var prefix = TargetingOptions.standardPrefix
        /// Whether markup and VAST are stored in its cache, so that it returns `hb_cache_id` and `hb_uuid`.
        package var isCached = true

        package init(storedRequest: String? = nil) {
            self.storedRequest = storedRequest
        }
    }

    package init(id: String, placement: Placement, userAgent: String, version: String) {
        self.id = id
        self.placement = placement
        self.userAgent = userAgent
        self.version = version
    }

    /// The request as JSON.
    package var json: JSONValue {
        var request = JSONObject()
        request.append("id", .string(id))
        request.append("at", .optional(auctionType))
        request.append("tmax", .integer(timeout.inMilliseconds))
        request.append(
            "cur", .array((allowedCurrencies.isEmpty ? [currency] : allowedCurrencies).map(JSONValue.string)))
        if isTest { request.append("test", 1) }
        request.append("imp", [imp])
        let block = placement.block
        append(block.allowedSeats, "wseat", to: &request)
        append(block.blockedSeats, "bseat", to: &request)
        append(block.advertisers, "badv", to: &request)
        append(block.categories, "bcat", to: &request)
        append(block.apps, "bapp", to: &request)
        append(block.languages, "wlang", to: &request)
        request.append("app", asker?.app ?? Self.neutralApp)
        request.append("device", asker?.device ?? neutralDevice)
        if let user = asker?.user { request.append("user", user) }
        request.append("source", ["fd": 1, "tid": .string(id)])
        request.append("regs", ["coppa": 0])
        if let prebid { request.append("ext", prebid.json) }
        return .object(request)
    }

    /// The POST request; `limit` is the most bytes of the answer.
    package func request(to url: WebURL, limit: Int) -> HTTPRequest {
        HTTPRequest(
            method: .post, url: url,
            fields: [
                HTTPField("Content-Type", "application/json"), HTTPField("Accept", "application/json"),
                HTTPField("X-Openrtb-Version", "2.6"), HTTPField("User-Agent", userAgent),
            ],
            body: Array(json.text().utf8), totalTimeout: timeout, maximumBodyBytes: limit)
    }

    private static let neutralApp: JSONValue = [
        "bundle": "example.adtop.sim", "name": "adtop", "publisher": ["id": "adtop"],
    ]

    private var neutralDevice: JSONValue {
        [
            "ua": .string(userAgent), "os": "Linux", "w": 390, "h": 844, "lmt": 1, "language": "en",
            "ifa": "00000000-0000-0000-0000-000000000000",
        ]
    }

    private var imp: JSONValue {
        let imp = ImpBuilder.imp(placement, version: version)
        guard let stored = prebid?.storedRequest, case .object(var object) = imp else { return imp }
        object.append("ext", ["prebid": ["storedrequest": ["id": .string(stored)]]])
        return .object(object)
    }

    private func append(_ texts: [String], _ name: String, to object: inout JSONObject) {
        if !texts.isEmpty { object.append(name, .array(texts.map(JSONValue.string))) }
    }
}

extension BidRequest.PrebidOptions {
    fileprivate var json: JSONValue {
        var prebid = JSONObject()
        var targeting = JSONObject()
        targeting.append("pricegranularity", granularity)
        for name in ["includewinners", "includebidderkeys", "includeformat"] { targeting.append(name, true) }
        if prefix != TargetingOptions.standardPrefix { targeting.append("prefix", .string(prefix)) }
        prebid.append("targeting", .object(targeting))
        if isCached { prebid.append("cache", ["bids": [:], "vastxml": [:]]) }
        prebid.append("returnallbidstatus", true)
        return ["prebid": .object(prebid)]
    }
}
