import Ports

/// Follows a tag to its inline ads through wrappers, pods and fallbacks, one fetch at a time (VAST-10).
///
/// The caller makes the requests that ``start()`` and ``answered(_:with:)`` return and reports every answer. When
/// ``isFinished`` is true, ``result`` contains the ads. Branches are independent: a failure affects only its own
/// branch.
package struct WrapperResolution: Sendable {
    package let tag: String
    package let options: ResolutionOptions
    /// The known macro values; the caller keeps TIMESTAMP and similar ones current.
    package var values: MacroValues
    package internal(set) var responses: [Response] = []
    package internal(set) var pixels: [ErrorPixel] = []
    package internal(set) var failures: [ResolutionFailure] = []
    /// The number of wrappers in the first chain that had too many of them; nil when no chain had.
    private(set) var excessiveDepth: Int?
    private var random: SplitMix64
    private var requests = 0

    package init(tag: String, options: ResolutionOptions = ResolutionOptions(), values: MacroValues, seed: UInt64) {
        self.tag = tag
        self.options = options
        self.values = values
        random = SplitMix64(seed: seed)
    }

    /// Returns the first request; none when the tag is not a valid URL.
    package mutating func start() -> [TagFetch] {
        guard responses.isEmpty else { return [] }
        return open(tag, base: nil, chain: [], rules: firstRules, parent: nil)
    }

    /// Starts from a document, such as one embedded in VMAP; `url` is the base of its relative URLs, `charset` the encoding that its
    /// header names.
    package mutating func start(with document: [UInt8], url: String?, charset: String? = nil) -> [TagFetch] {
        guard begin(at: url) else { return [] }
        return answered(0, with: .body(document, url: url ?? "", charset: charset))
    }

    /// Starts from a parsed document.
    package mutating func start(with document: VASTDocument, url: String?) -> [TagFetch] {
        guard begin(at: url) else { return [] }
        guard !document.ads.isEmpty else {
            firePixels(of: document.errors, code: 303, adID: nil, chain: [])
            return fail(0, 303, "has no ad")
        }
        return take(document, for: 0)
    }

    /// Adds the response of a first document that needs no request. False if there is a response.
    private mutating func begin(at url: String?) -> Bool {
        guard responses.isEmpty else { return false }
        responses.append(Response(id: 0, template: url ?? "", url: url, chain: [], rules: firstRules, parent: nil))
        return true
    }

    /// The rules for the first document, which no wrapper gives.
    private var firstRules: Response.Rules {
        var rules = Response.Rules()
        if let flag = options.allowMultipleAds { rules.allowsMultipleAds = flag }
        if let flag = options.followRedirects { rules.followsWrappers = flag }
        return rules
    }

    /// Records the answer to a request and returns the requests that follow from it. Answers to requests that are not
    /// open are ignored.
    package mutating func answered(_ id: Int, with answer: TagAnswer) -> [TagFetch] {
        guard responses.indices.contains(id), responses[id].isWaiting else { return [] }
        switch answer {
        case .body(let bytes, let url, let charset):
            return read(bytes, charset, from: url, for: id)
        case .httpStatus(let status):
            responses[id].status = status
            return fail(id, 301, "answered with HTTP status \(status)", cause: .retrieval)
        case .timedOut(let reason):
            return fail(id, 301, reason, cause: .timeout)
        case .unavailable(let reason):
            return fail(id, 301, reason, cause: .retrieval)
        case .refused(let reason):
            return fail(id, 300, reason)
        }
    }

    /// The time limit of the whole chain has passed: all open requests count as unavailable, as do the fallbacks that
    /// would replace them.
    package mutating func timedOut() {
        var id = 0
        while id < responses.count {
            if responses[id].isWaiting {
                _ = fail(id, 301, "did not answer within the time limit of the whole chain", cause: .timeout)
            }
            id += 1
        }
    }

    /// Whether every branch has ended.
    package var isFinished: Bool { responses.first?.isSettled ?? false }

    // MARK: Requests

    private mutating func open(
        _ template: String, base: WebURL?, chain: [ChainLink], rules: Response.Rules, parent: Response.Parent?
    ) -> [TagFetch] {
        let id = responses.count
        responses.append(
            Response(id: id, template: template, url: nil, chain: chain, rules: rules, parent: parent))
        guard requests < options.maximumRequests else {
            return fail(id, 302, "would be request number \(requests + 1) for one tag")
        }
        let expansion = expander(chain).expand(template, in: .request)
        responses[id].macros = expansion.steps
        let text = PercentEncoding.requestTarget(expansion.url)
        do throws(WebURLProblem) {
            let url = if let base { try base.resolving(text) } else { try WebURL(text) }
            requests += 1
            responses[id].url = url.text
            responses[id].template = base.map { URIReference.resolve(template, against: $0.reference) } ?? template
            return [
                TagFetch(
                    id: id, url: url, template: responses[id].template, depth: chain.count, parent: parent?.response)
            ]
        } catch {
            return fail(id, 300, "has a tag URI that \(error.explanation)")
        }
    }

    mutating func expander(_ chain: [ChainLink], code: Int? = nil) -> MacroExpander {
        var values = values
        values[.cacheBusting] = .eightDigits(random.next())
        if let code { values[.errorCode] = .number(code) }
        var seen: Set<String> = []
        let blocked = chain.flatMap { $0.ad.blockedCategories.flatMap(\.members) }.filter { seen.insert($0).inserted }
        if !blocked.isEmpty { values[.blockedAdCategories] = .list(blocked) }
        return MacroExpander(values: values, isStrict: options.isStrict)
    }

    // MARK: Answers

    private mutating func read(_ bytes: [UInt8], _ charset: String?, from url: String, for id: Int) -> [TagFetch] {
        responses[id].byteCount = bytes.count
        if !url.isEmpty { responses[id].url = url }
        responses[id].fingerprint = Fingerprint(bytes)
        let reading = VASTReader.read(bytes, charset: charset)
        responses[id].reading = reading
        guard !isLoop(id) else {
            let links = responses[id].chain + wrappers(of: reading)
            return fail(id, 302, "repeats an earlier document of the chain", pixelsFor: links)
        }
        guard let document = usable(reading) else {
            let message = reading.xml.problem?.message ?? "is \(reading.clause)"
            // Many servers send an empty answer behind a wrapper to report that they have no ad (VAST-6).
            let isEmptyAnswer = reading.xml.problem?.kind == .empty && !responses[id].chain.isEmpty
            return fail(id, isEmptyAnswer ? 303 : reading.errorCode ?? 101, message)
        }
        guard !document.ads.isEmpty else {
            let code = reading.outcome == .noAds ? 303 : 101
            firePixels(of: document.errors, code: code, adID: nil, chain: responses[id].chain)
            return fail(id, code, code == 303 ? "has no ad" : "has no ad with an InLine or Wrapper")
        }
        return take(document, for: id)
    }

    private func usable(_ reading: VASTReading) -> VASTDocument? {
        guard reading.outcome != .unsupportedVersion, reading.isGood || !options.isStrict else { return nil }
        return reading.vast
    }

    private func wrappers(of reading: VASTReading) -> [ChainLink] {
        (reading.vast?.ads ?? []).prefix(1).compactMap { $0.wrapper == nil ? nil : ChainLink(ad: $0, version: nil) }
    }

    /// Whether the same URL returned the same bytes earlier in this chain. The URL alone is no proof: ad servers answer
    /// a repeated request with another of their ads.
    func isLoop(_ id: Int) -> Bool {
        var parent = responses[id].parent?.response
        while let ancestor = parent {
            if responses[ancestor].template == responses[id].template,
                responses[ancestor].fingerprint == responses[id].fingerprint
            {
                return true
            }
            parent = responses[ancestor].parent?.response
        }
        return false
    }

    /// Separates the ads into used ones and fallbacks.
    private mutating func take(_ document: VASTDocument, for id: Int) -> [TagFetch] {
        let chain = responses[id].chain
        let selection = AdSelection(
            document.ads.prefix(options.maximumAdsPerResponse), rules: responses[id].rules, isStrict: options.isStrict)
        responses[id].version = document.versionNumber
        responses[id].slots = selection.used.map { Response.Slot(ad: $0) }
        responses[id].spares = selection.spares
        responses[id].findings += selection.findings
        guard !responses[id].slots.isEmpty else {
            return fail(id, 303, selection.emptyReason, pixelsFor: chain)
        }
        responses[id].outcome = .open
        var fetches: [TagFetch] = []
        for slot in responses[id].slots.indices { fetches += enter(slot, of: id) }
        return fetches + settleIfDone(id)
    }

    mutating func enter(_ slot: Int, of id: Int) -> [TagFetch] {
        let ad = responses[id].slots[slot].ad
        let chain = responses[id].chain
        let link = ChainLink(ad: ad, version: responses[id].version)
        guard let wrapper = ad.wrapper else {
            if let problem = objection(to: ad, behind: chain) {
                return lose(slot, of: id, problem, pixelsFor: chain + [link])
            }
            responses[id].slots[slot].state = .inLine
            return []
        }
        guard chain.count < options.maximumWrappers else {
            excessiveDepth = excessiveDepth ?? chain.count + 1
            let message = "is a wrapper behind \(chain.count) other wrappers"
            return lose(slot, of: id, ResolutionFailure(code: 302, message: message), pixelsFor: chain + [link])
        }
        guard let uri = wrapper.adTagURI?.url, !uri.isEmpty else {
            let failure = ResolutionFailure(code: 101, message: "is a wrapper without VASTAdTagURI")
            return lose(slot, of: id, failure, pixelsFor: chain + [link])
        }
        var rules = Response.Rules()
        // The attribute was added in VAST 3, so a wrapper of VAST 2 cannot restrict the number of ads.
        rules.allowsMultipleAds = wrapper.allowMultipleAds || (responses[id].version.map { $0 < .v3 } ?? false)
        rules.followsWrappers = wrapper.followAdditionalWrappers
        responses[id].slots[slot].state = .behind(responses.count)
        let base = responses[id].url.flatMap { try? WebURL($0) }  // a document without an address has no base
        return open(
            uri, base: base, chain: chain + [link], rules: rules, parent: Response.Parent(response: id, slot: slot))
    }

    private func objection(to ad: VASTDocument.Ad, behind chain: [ChainLink]) -> ResolutionFailure? {
        if let defect = ad.defect { return ResolutionFailure(code: ResolutionFailure.defectCode, message: defect) }
        if ad.isConditional == true, !options.acceptsConditionalAds {
            return ResolutionFailure(code: 408, message: "is a conditional ad")
        }
        guard options.rejectsBlockedCategories else { return nil }
        for blocked in chain.flatMap(\.ad.blockedCategories) {
            let members = Set(blocked.members)
            if let hit = ad.categories.first(where: { $0.authority == blocked.authority && members.contains($0.value) })
            {
                return ResolutionFailure(code: 205, message: "is in the blocked category \(hit.value)")
            }
        }
        return nil
    }
}

extension VASTReading {
    /// What keeps the document from being used, as a complement of "is", for messages.
    fileprivate var clause: String {
        if vmap != nil { return "VMAP, not VAST" }
        return switch outcome {
        case .ok, .noAds: "without ads"
        case .unsupportedVersion: "an unsupported VAST version"
        case .notVAST: "not VAST"
        case .xmlError: "not well-formed XML"
        case .schemaError: "without an ad with an InLine or Wrapper"
        case .rejected: "rejected for safety"
        }
    }
}
