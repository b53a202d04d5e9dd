/// How branches end: with a failure, which is reported and may let another ad take the place, or with their ads.
extension WrapperResolution {
    mutating func fail(
        _ id: Int, _ code: Int, _ message: String, cause: ResolutionFailure.Cause = .content,
        pixelsFor links: [ChainLink]? = nil
    ) -> [TagFetch] {
        let failure = ResolutionFailure(code: code, cause: cause, message: message)
        responses[id].outcome = .failed(failure)
        failures.append(failure)
        firePixels(links ?? responses[id].chain, code: code)
        return reportEmpty(id)
    }

    mutating func lose(
        _ slot: Int, of id: Int, _ failure: ResolutionFailure, pixelsFor links: [ChainLink]
    ) -> [TagFetch] {
        responses[id].slots[slot].state = .failed(failure)
        failures.append(failure)
        firePixels(links, code: failure.code)
        return tryNext(of: id)
    }

    /// Requests each error URL once, the outermost level first.
    private mutating func firePixels(_ links: [ChainLink], code: Int) {
        var told: Set<String> = []
        for link in links {
            let fresh = link.ad.errors.filter { told.insert($0.url).inserted }
            firePixels(of: fresh, code: code, adID: link.ad.id, chain: links)
        }
    }

    mutating func firePixels(of errors: [Link], code: Int, adID: String?, chain: [ChainLink]) {
        for error in errors where !error.url.isEmpty {
            let expansion = expander(chain, code: code).expand(error.url, in: .error)
            pixels.append(
                ErrorPixel(
                    url: PercentEncoding.requestTarget(expansion.url), template: error.url, code: code, adID: adID,
                    macros: expansion.steps))
        }
    }

    // MARK: Settling

    /// A response has no ad: its position in the response above is empty.
    private mutating func reportEmpty(_ id: Int) -> [TagFetch] {
        guard let parent = responses[id].parent else { return [] }
        let failure = responses[id].failure ?? ResolutionFailure(code: 303, message: "has no ad to play")
        responses[parent.response].slots[parent.slot].state = .failed(failure)
        return tryNext(of: parent.response) + settleIfDone(parent.response)
    }

    /// When only one ad was allowed, another stand-alone ad of the same response replaces the one that failed. `fallbackOnNoAd` has no say
    /// in it: false decides for ads of a pod only, and there are no spares behind one (VAST 4.3 section 3.19).
    private mutating func tryNext(of id: Int) -> [TagFetch] {
        guard !responses[id].spares.isEmpty else { return [] }
        responses[id].slots.append(Response.Slot(ad: responses[id].spares.removeFirst()))
        return enter(responses[id].slots.count - 1, of: id)
    }

    mutating func settleIfDone(_ id: Int) -> [TagFetch] {
        guard responses[id].outcome == .open, responses[id].slots.allSatisfy({ isSettled($0) }) else { return [] }
        if responses[id].slots.contains(where: { hasAds($0) }) {
            responses[id].outcome = .settled
            guard let parent = responses[id].parent else { return [] }
            return settleIfDone(parent.response)
        }
        let inner = responses[id].slots.lazy.compactMap(\.failure).first
        responses[id].outcome = .failed(inner ?? ResolutionFailure(code: 303, message: "has no ad to play"))
        return reportEmpty(id)
    }

    private func isSettled(_ slot: Response.Slot) -> Bool {
        switch slot.state {
        case .waiting: false
        case .behind(let child): responses[child].isSettled
        case .inLine, .failed: true
        }
    }

    private func hasAds(_ slot: Response.Slot) -> Bool {
        switch slot.state {
        case .inLine: true
        case .behind(let child): responses[child].outcome == .settled
        case .waiting, .failed: false
        }
    }
}
