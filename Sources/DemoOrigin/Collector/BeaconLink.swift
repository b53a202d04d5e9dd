/// The content of a beacon URL of the origin: session, break, ad, event and URL index.
struct BeaconLink: Equatable {
    /// Path of the collector.
    static let beaconPath = "/beacon/"
    /// Path of the redirects between a beacon and its answer.
    static let hopPath = "/beacon-hop/"

    /// The break in the URLs of a creative whose URLs are the same in every break.
    static let anyBreak = "any"

    /// Session id.
    var session: String
    /// Break id.
    var breakId: String
    /// Ad id as planned.
    var adId: String
    /// Event name.
    var event: String
    /// 1-based index of the URL within its event; 0 when the URL has none.
    var urlIndex: Int

    init(session: String, ad: PlannedAd, event: String, urlIndex: Int) {
        self.session = session
        breakId = ad.creative.hasFixedURLs ? Self.anyBreak : ad.breakId
        adId = ad.creative.hasFixedURLs ? "\(ad.name)-\(Self.anyBreak)" : ad.id
        self.event = event
        self.urlIndex = urlIndex
    }

    /// A beacon of the pod of an interstitial.
    init(session: String, podOf breakId: String, event: String) {
        self.session = session
        self.breakId = breakId
        adId = "pod-\(breakId)"
        self.event = event
        urlIndex = 1
    }

    /// A beacon of the `wrapper`th wrapper around an ad, 1 being the innermost.
    init(session: String, breakId: String, wrapper: Int, event: String) {
        self.session = session
        self.breakId = breakId
        adId = "wrapper-\(wrapper)-\(breakId)"
        self.event = event
        urlIndex = 1
    }

    /// The events to which a wrapper of the origin adds URLs.
    static let wrapperEvents: Set<String> = ["impression", "start", "complete"]

    /// The link in the query of a received beacon. A beacon without these items is still a beacon.
    init(query: QueryItems) {
        session = query["sessid"] ?? ""
        breakId = query["break"] ?? ""
        adId = query["ad"] ?? ""
        event = query["event"] ?? ""
        urlIndex = query["n"].flatMap { Int($0) } ?? 0
    }

    /// Path and query at the collector.
    func target(scenario: String) -> String {
        "\(Self.beaconPath)\(scenario)?sessid=\(session)&break=\(breakId)&ad=\(adId)"
            + "&event=\(PercentText.encoded(event))&n=\(urlIndex)"
    }

    /// Whether the beacon belongs to an appearance of the scenario's ad `name` (``PlannedAd/id``).
    func isFor(ad name: String) -> Bool {
        let planned = "\(name)-\(breakId)"
        return adId == planned || adId.hasPrefix("\(planned)-")
    }
}
