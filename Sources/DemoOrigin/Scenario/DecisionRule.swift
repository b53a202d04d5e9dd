/// The endpoints of ad requests.
package enum DecisionEndpoint: String, Sendable, CaseIterable {
    /// `/ads/vast`.
    case vast
    /// `/ads/vmap`.
    case vmap
    /// X-ASSET-LIST of an interstitial.
    case assetList = "asset-list"
    /// `/pbc/v1/cache`, the cache of bids.
    case bidCache = "bid-cache"
}

/// A rule for ad requests: which requests it matches and their answer.
package struct DecisionRule: Sendable, Equatable {
    /// Endpoint, nil for any.
    package var endpoint: DecisionEndpoint?
    /// 1-based number of the requested pod, nil for any.
    package var pod: Int?
    /// The answer.
    package var answer: OriginAnswer
    /// Number of first requests of the endpoint and pod to which the rule applies; nil for all.
    package var times: Int?
}

extension OriginAnswer {
    /// Whether a request with this answer never gets its content.
    var isRefusal: Bool {
        switch self {
        case .accept, .delay, .redirect: false
        case .status(let status): status >= 300
        case .redirectLoop, .drop: true
        }
    }
}
