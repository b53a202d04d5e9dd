import AdTracking
import Ports
import VAST

extension CreativeView {
    /// Raw answers longer than this, in bytes, are cut for display.
    static let longestBody = 1 << 20
    /// Maximum number of findings shown per document.
    static let findingsShown = 200

    /// The view of an ad that a tag returned, or of the failure to get one.
    init(_ member: DecisionPart.Part.Member, of part: DecisionPart.Part) {
        self.init()
        var resolved: ResolvedAd?
        var selection: MediaSelection?
        switch member.origin {
        case .place(let place): (resolved, selection) = (place.ad, place.media)
        case .loss(let loss):
            resolved = loss.ad
            let player = PlayerProfile.television.playing(loss.ad.ad)
            selection = loss.ad.linears.first.map { MediaSelection(of: $0.linear.mediaFiles, for: player) }
        case .failure: break
        }
        if let loss = member.ad.notPlayed { facts.append(Fact("not played", loss.text)) }
        if let resolved { describe(resolved, selection) }
        guard let resolution = part.resolution else { return }
        let responses = resolved.map(resolution.path) ?? resolution.responses
        hops = responses.map { Hop($0, part.trips[$0.id]?.exchange) }
        findings = hops.flatMap(\.findings)
        pixels = resolution.result.pixels.map { Pixel(url: $0.template, code: $0.code) }
    }

    private mutating func describe(_ ad: ResolvedAd, _ selection: MediaSelection?) {
        facts += Self.facts(of: ad)
        if let linear = ad.linears.first?.linear { media = Media.all(of: linear, selection) }
        let lists = ad.companionAds.map(\.value)
        companions = lists.flatMap { list in list.companions.map { Companion($0, required: list.required) } }
        icons = (ad.linears.first?.icons ?? []).map { Icon($0.value) }
        verifications = ad.verifications.map { Verification($0.value) }
    }

    private static func facts(of ad: ResolvedAd) -> [Fact] {
        let linear = ad.linears.first
        let pairs: [(String, String?)] = [
            ("ad id", ad.ad.id),
            ("system", ad.ad.system.map { [$0.name, $0.version].compactMap { $0 }.joined(separator: " ") }),
            ("title", ad.ad.title), ("advertiser", ad.ad.advertiser?.name), ("serving id", ad.ad.adServingID),
            ("version", ad.version.map { "\($0.major).\($0.minor)" }), ("sequence", ad.sequence.map(String.init)),
            ("creative id", linear?.creative.id), ("creative ad id", linear?.creative.adID),
            ("duration", linear?.linear.durationText), ("skip from", linear?.linear.skipOffset),
            (
                "pricing",
                ad.pricing.map { entry in
                    [entry.value.model, entry.value.value, entry.value.currency].compactMap { $0 }.joined(
                        separator: " ")
                }
            ),
        ]
        var facts = pairs.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : Fact(name, String($0.prefix(longestValue))) }
        }
        facts += (linear?.creative.universalAdIDs ?? []).map { id in
            Fact("universal ad id", [id.registry, id.value].compactMap { $0 }.joined(separator: " "))
        }
        facts += ad.ad.categories.map { category in
            Fact("category", [category.authority, category.value].compactMap { $0 }.joined(separator: " "))
        }
        if let rewarded = RewardedVideo(in: ad.extensions.map(\.value)) {
            let reward = [rewarded.amount.map(String.init), rewarded.currency].compactMap { $0 }.joined(separator: " ")
            facts.append(Fact("rewarded video", rewarded.isGranting ? reward : "grants nothing"))
        }
        facts += ad.extensions.map { Fact("extension", $0.value.type ?? "no type") }
        return facts
    }
}

extension CreativeView.Hop {
    fileprivate init(_ response: Response, _ exchange: HTTPExchange?) {
        self.init(outcome: response.hopOutcome, url: response.url ?? response.template, depth: response.chain.count)
        status = exchange?.status ?? response.status
        redirects = exchange.map { max(0, $0.hops.count - 1) } ?? 0
        took = exchange.map { .microseconds($0.timings.total) }
        bytes = response.byteCount
        version = response.version.map { "\($0.major).\($0.minor)" }
        problem = response.failure?.message
        code = response.failure?.code
        findings = Array((response.reading?.findings() ?? []).prefix(CreativeView.findingsShown)) + response.findings
        guard let exchange else { return }
        isBodyCut = exchange.isBodyCut || exchange.body.count > CreativeView.longestBody
        body =
            exchange.body.count > CreativeView.longestBody
            ? Array(exchange.body.prefix(CreativeView.longestBody)) : exchange.body
    }
}

extension Response {
    fileprivate var hopOutcome: CreativeView.Hop.Outcome {
        switch outcome {
        case .waiting: .waiting
        case .failed(let failure): failure.code == 303 ? .noAd : .failed
        case .open, .settled:
            slots.contains { if case .inLine = $0.state { true } else { false } } ? .inline : .wrapper
        }
    }
}

extension WrapperResolution {
    /// The responses from the tag to the one with the ad.
    fileprivate func path(to ad: ResolvedAd) -> [Response] {
        let holder = responses.last { response in
            response.chain == ad.chain && response.slots.contains { $0.ad == ad.ad }
        }
        var path: [Response] = []
        var next = holder?.id
        while let id = next, responses.indices.contains(id) {
            path.append(responses[id])
            next = responses[id].parent?.response
        }
        return path.reversed()
    }
}
