/// What asks an ad server for ads.
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

/// Which ad decisions a rule is for, and what they get.
package struct DecisionRule: Sendable, Equatable {
    /// Endpoint, nil for any.
    package var endpoint: DecisionEndpoint?
    /// 1-based number of the pod asked for, nil for any.
    package var pod: Int?
    /// The answer.
    package var answer: OriginAnswer
    /// The rule holds for so many first requests of the endpoint and pod; nil is always.
    package var times: Int?
}

extension OriginAnswer {
    /// Nobody who asks ever gets what was asked for.
    var isRefusal: Bool {
        switch self {
        case .accept, .delay, .redirect: false
        case .status(let status): status >= 300
        case .redirectLoop, .drop: true
        }
    }
}
