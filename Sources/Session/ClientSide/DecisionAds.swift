import AdTracking
import HLS
import Ports
import VAST

/// The ads of one part of a break in the form the engine tracks.
extension DecisionPart.Part {
    /// One ad of the part with its source.
    struct Member {
        enum Origin {
            case place(PodLayout.Place)
            case loss(PodLayout.Loss)
            case failure(DecisionPart.Failure)
        }

        var ad: Ad
        var origin: Origin
    }

    /// Ads by start: first those that play, then those that do not, placed at the end of the pod.
    func ads(values: MacroValues) -> [Member] {
        guard let start else { return [] }
        let layout = layout ?? PodLayout()
        let end = start + layout.end
        var members = layout.places.map { place in
            Member(ad: DecidedAd.ad(place, breakStart: start, values: values), origin: .place(place))
        }
        members += layout.losses.map { loss in
            Member(ad: DecidedAd.ad(loss, at: end, values: values), origin: .loss(loss))
        }
        members += failures.map { failure in
            let ad = DecidedAd.failure(
                failure.adName, code: failure.code, message: failure.message, urls: failure.urls,
                context: failure.context, at: end, values: values)
            return Member(ad: ad, origin: .failure(failure))
        }
        addBreakReports(to: &members, start: start, end: end, values: values)
        return members
    }

    /// A break without ads still starts and ends (VMAP-2): its reports need a place even where nothing else is known of it.
    private func addBreakReports(to members: inout [Member], start: UnixTime, end: UnixTime, values: MacroValues) {
        guard let reports, !reports.start.isEmpty || !reports.end.isEmpty else { return }
        if members.isEmpty {
            let failure = DecisionPart.Failure(
                code: VMAPCode.adResponse, message: "the break has no ad", urls: [], context: .vmapError)
            let ad = DecidedAd.failure(
                nil, code: failure.code, message: failure.message, urls: [], context: failure.context, at: start,
                values: values)
            members = [Member(ad: ad, origin: .failure(failure))]
        }
        let macros = BeaconMacros(values: values, context: .tracking)
        if !reports.start.isEmpty {
            members[0].ad.events.insert(
                TrackingEvent(type: .breakStart, start: start, urls: reports.start, macros: macros), at: 0)
        }
        if !reports.end.isEmpty {
            let last = members.lastIndex { if case .place = $0.origin { true } else { false } } ?? 0
            members[last].ad.events.append(
                TrackingEvent(type: .breakEnd, start: end, urls: reports.end, macros: macros))
        }
    }

    func adBreak(of decision: DecisionPart.Decision) -> AdBreak {
        let start = start ?? decision.start
        let own = layout?.end ?? .zero
        // A break of one part lasts as long as its marker announces; its pod may be shorter.
        let length = decision.marker == nil ? own : max(own, decision.length ?? own)
        return AdBreak(
            name: name, start: start, duration: length, source: .vast, ads: ads(values: decision.values).map(\.ad))
    }

    /// Adds the error that VMAP reports when its break cannot be filled (VMAP-3, codes 1000 to 1008).
    mutating func addVMAPFailure(_ failure: ResolutionFailure?) {
        guard let reports, !reports.error.isEmpty, layout?.places.isEmpty ?? true else { return }
        let own = failures.first { $0.code >= VMAPCode.lowest }
        let code = own?.code ?? VMAPCode.code(of: failure)
        failures.removeAll { $0.code >= VMAPCode.lowest }
        failures.append(
            DecisionPart.Failure(
                code: code, message: own?.message ?? failure?.message ?? "the break cannot be filled",
                urls: reports.error, context: .vmapError))
    }
}

/// Error codes of VMAP 1.0 (VMAP-3).
enum VMAPCode {
    static let lowest = 1_000
    static let breakType = 1_003
    static let adResponse = 1_004
    static let templateType = 1_005
    static let adDocument = 1_006
    static let timeout = 1_007
    static let retrieval = 1_008

    /// The VMAP code for a failure to get ads; without a known failure the general one.
    static func code(of failure: ResolutionFailure?) -> Int {
        switch failure?.cause {
        case .timeout: timeout
        case .retrieval: retrieval
        case .content: [100, 101, 102].contains(failure?.code) ? adDocument : adResponse
        case nil: adResponse
        }
    }
}
