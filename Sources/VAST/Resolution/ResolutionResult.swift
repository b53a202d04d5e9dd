package import Ports

/// The result of resolving a tag.
package struct ResolutionResult: Sendable {
    /// Ads to play in sequence.
    package var pod: [ResolvedAd]
    /// Ads to choose from, or to replace a pod ad that fails during playback.
    package var standalone: [ResolvedAd]
    /// Why there is no ad.
    package var failure: ResolutionFailure?
    /// Error pixels to request, in order.
    package var pixels: [ErrorPixel]
    package var findings: [Finding]

    package var ads: [ResolvedAd] { pod + standalone }
    /// The ad to start with: the first of the pod, else the first stand-alone ad.
    package var firstPlayable: ResolvedAd? { pod.first ?? standalone.first }
    package var isOK: Bool { !pod.isEmpty || !standalone.isEmpty }
}

extension WrapperResolution {
    /// The result so far; complete when ``isFinished``.
    package var result: ResolutionResult {
        let (pod, standalone) = responses.isEmpty ? ([], []) : ads(of: 0)
        let isEmpty = pod.isEmpty && standalone.isEmpty
        return ResolutionResult(
            pod: pod, standalone: standalone, failure: isEmpty ? failures.first : nil, pixels: pixels,
            findings: responses.flatMap(\.findings) + depthFindings + endFindings)
    }

    private func ads(of id: Int) -> (pod: [ResolvedAd], standalone: [ResolvedAd]) {
        let slots = responses[id].slots
        var standalone: [(slot: Response.Slot, ads: (pod: [ResolvedAd], standalone: [ResolvedAd]))] = []
        for slot in slots where slot.ad.podPlace == nil { standalone.append((slot, ads(in: slot, of: id))) }
        var pod: [ResolvedAd] = []
        for slot in slots where slot.ad.podPlace != nil {
            var place = ads(in: slot, of: id)
            // A wrapper without ads may forbid the replacement; then the next ad of the pod follows (VAST 4.3 sections 3.3.1 and 3.19).
            if place.pod.isEmpty, place.standalone.isEmpty, slot.ad.wrapper?.fallbackOnNoAd != false,
                let spare = standalone.firstIndex(where: { !$0.ads.pod.isEmpty || !$0.ads.standalone.isEmpty })
            {
                place = standalone.remove(at: spare).ads
            }
            // A position in the pod contains a pod or one ad.
            let chosen = place.pod.isEmpty ? Array(place.standalone.prefix(1)) : place.pod
            pod += chosen.map { ad in
                var ad = ad
                ad.sequence = slot.ad.sequence
                return ad
            }
        }
        return Self.joined(pod, alternatives: standalone.map(\.ads))
    }

    /// Stand-alone ads are alternatives, whether inline or behind wrappers: only the first that has ads is played, as a pod if it is
    /// one. Beside a pod all are spares.
    private static func joined(
        _ pod: [ResolvedAd], alternatives: [(pod: [ResolvedAd], standalone: [ResolvedAd])]
    ) -> (pod: [ResolvedAd], standalone: [ResolvedAd]) {
        let filled = alternatives.filter { !$0.pod.isEmpty || !$0.standalone.isEmpty }
        guard pod.isEmpty, let first = filled.first else {
            return (pod, filled.flatMap { $0.pod + $0.standalone })
        }
        return (first.pod, first.standalone + filled.dropFirst().flatMap { $0.pod + $0.standalone })
    }

    private func ads(
        in slot: Response.Slot, of id: Int
    ) -> (pod: [ResolvedAd], standalone: [ResolvedAd]) {
        switch slot.state {
        case .inLine:
            let ad = ResolvedAd(ad: slot.ad, chain: responses[id].chain, version: responses[id].version)
            return slot.ad.podPlace == nil ? ([], [ad]) : ([ad], [])
        case .behind(let child): return ads(of: child)
        case .waiting, .failed: return ([], [])
        }
    }

    /// Each wrapper costs the viewer a round trip: a finding from three wrappers. Error 302 of a loop or of too many
    /// requests is none of a long chain.
    private var depthFindings: [Finding] {
        if let depth = excessiveDepth {
            let message = "The chain has \(depth) wrappers or more; the limit is \(options.maximumWrappers)."
            return [LintRule.wrapperDepth.finding(message, at: nil, severity: .error)]
        }
        let depth = responses.map(\.chain.count).max() ?? 0
        guard depth >= Self.slowDepth else { return [] }
        let message = "The chain has \(depth) wrappers; each is a request before the ad can start."
        return [LintRule.wrapperDepth.finding(message, at: nil, severity: .warning)]
    }

    /// A finding for each chain that ends without an ad, at the response where it ends.
    private var endFindings: [Finding] {
        responses.compactMap { response in
            guard let failure = response.failure, !response.chain.isEmpty, response.slots.isEmpty else { return nil }
            let rule = isLoop(response.id) ? LintRule.wrapperLoop : .wrapperDeadEnd
            return rule.finding(
                "The chain ends at \(response.url ?? response.template): it \(failure.message).", at: nil)
        }
    }

    private static let slowDepth = 3
}
