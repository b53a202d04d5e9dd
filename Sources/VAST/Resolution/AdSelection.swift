import Ports

/// The ads of a response that are used, given what its caller allows (VAST-11).
struct AdSelection {
    /// The pod by sequence, then the stand-alone ads in document order.
    private(set) var used: [VASTDocument.Ad] = []
    /// Stand-alone ads to try if the used one fails.
    private(set) var spares: [VASTDocument.Ad] = []
    private(set) var findings: [Finding] = []
    /// Why no ad is used.
    private(set) var emptyReason = "has no ad"

    init(_ ads: ArraySlice<VASTDocument.Ad>, rules: Response.Rules, isStrict: Bool) {
        var candidates = Array(ads)
        if !rules.followsWrappers {
            candidates.removeAll { $0.wrapper != nil }
            if candidates.isEmpty { emptyReason = "has only wrappers behind followAdditionalWrappers=false" }
        }
        let (pod, standalone) = PlayOrder.split(candidates, place: \.podPlace)
        guard !rules.allowsMultipleAds else {
            used = pod + standalone
            return
        }
        if let first = standalone.first {
            used = [first]
            spares = Array(standalone.dropFirst())
        } else if let lone = pod.first, pod.count == 1, !isStrict {
            // The specification rejects it, but the published samples are written this way.
            used = [lone]
            findings.append(
                LintRule.sequenceOnSingle.finding(
                    "A single ad behind a wrapper that allows one ad has the sequence \(lone.sequence ?? 0).",
                    at: lone.position))
        } else if !pod.isEmpty {
            emptyReason = "has a pod behind allowMultipleAds=false"
        }
    }
}

/// The order in which the ads of a response play.
package enum PlayOrder {
    /// Ads with a sequence form the pod, sorted by sequence, then in document order; the others are stand-alone ads
    /// (VAST 4.3 section 3.3.1).
    package static func split<Ad>(_ ads: [Ad], place: (Ad) -> Int?) -> (pod: [Ad], standalone: [Ad]) {
        let placed = ads.enumerated().compactMap { entry in
            place(entry.element).map { (place: $0, order: entry.offset, ad: entry.element) }
        }
        let pod = placed.sorted { ($0.place, $0.order) < ($1.place, $1.order) }.map(\.ad)
        return (pod, ads.filter { place($0) == nil })
    }
}
