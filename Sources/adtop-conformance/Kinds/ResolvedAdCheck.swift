import Ports
import VAST

/// Compares an ad, merged over its chain, with an entry of `ads`. Lists are compared as sets without repetitions.
struct ResolvedAdCheck {
    private let ad: ResolvedAd

    init(_ ad: ResolvedAd) {
        self.ad = ad
    }

    func differences(from wanted: VectorNode) throws(VectorProblem) -> [Difference] {
        var differences: [Difference] = []
        for (name, node) in try wanted.members() { differences += try check(name, node) }
        return differences
    }

    private func check(_ name: String, _ node: VectorNode) throws(VectorProblem) -> [Difference] {
        if let list = list(name) {
            return Difference.checkSet(node.path, expected: try node.texts(), actual: list)
        }
        func compared(_ value: JSONValue?) -> [Difference] {
            Difference.check(node.path, expected: node.value, actual: value)
        }
        switch name {
        case "id", "sequence", "title", "duration_ms", "pricing": return compared(ad.json[name])
        case "chain": return compared(.array(ad.chain.map { .optional($0.ad.id) }))
        case "click_through": return compared(.optional(ad.linears.first?.clickThrough?.value.url))
        case "companion_preferred":
            return compared(.optional(ad.preferredCompanionAds?.companions.first?.id))
                + Difference.check(
                    "\(node.path).count", expected: 1, actual: .optional(ad.preferredCompanionAds?.companions.count))
        case "icon_shown":
            let icons = ad.linears.first?.icons.map { JSONValue.optional($0.value.resources.statics.first?.url) } ?? []
            return Difference.check(node.path, expected: [node.value], actual: .array(icons))
        case "tracking": return try checkTracking(node)
        case "progress": return try checkProgress(node)
        default: throw VectorProblem(path: node.path, message: "unknown list")
        }
    }

    /// The URLs or names of a list member; nil when there is no such list.
    private func list(_ name: String) -> [String]? {
        switch name {
        case "impressions": ad.impressions.map(\.value.url)
        case "errors": ad.errors.map(\.value.url)
        case "click_tracking": ad.linears.flatMap(\.clickTracking).map(\.value.url)
        case "custom_clicks": ad.linears.flatMap(\.customClicks).map(\.value.url)
        case "verification_vendors": ad.verifications.compactMap(\.value.vendor)
        case "extensions": ad.extensions.compactMap(\.value.type)
        case "viewable": ad.viewableImpressions.flatMap(\.value.viewable).map(\.url)
        case "not_viewable": ad.viewableImpressions.flatMap(\.value.notViewable).map(\.url)
        case "view_undetermined": ad.viewableImpressions.flatMap(\.value.viewUndetermined).map(\.url)
        case "media": ad.linears.flatMap(\.linear.mediaFiles).map(\.url)
        case "companions_all": ad.companionAds.flatMap(\.value.companions).compactMap(\.id)
        default: nil
        }
    }

    private func checkTracking(_ node: VectorNode) throws(VectorProblem) -> [Difference] {
        var differences: [Difference] = []
        let all = ad.linears.flatMap(\.tracking).map(\.value)
        let wanted = try node.members()
        for (event, urls) in wanted {
            let ours = all.filter { $0.event == event }.map(\.url)
            differences += Difference.checkSet(urls.path, expected: try urls.texts(), actual: ours)
        }
        let names = Set(wanted.map(\.name))
        for event in Set(all.map(\.event)).subtracting(names).sorted() {
            let urls = all.filter { $0.event == event }.map { JSONValue.string($0.url) }
            differences.append(Difference("\(node.path).\(event)", expected: nil, actual: .array(urls)))
        }
        return differences
    }

    /// Each entry has a URL and its offset, in one of the forms of the document schema, and matches one of ours.
    private func checkProgress(_ node: VectorNode) throws(VectorProblem) -> [Difference] {
        let ours = (ad.json["linears"]?.arrayValue ?? []).flatMap { $0["progress"]?.arrayValue ?? [] }
        for entry in try node.list() { try entry.require(members: ["url", "offset", "offset_ms", "offset_percent"]) }
        return Difference.subsetInAnyOrder(node.path, expected: try node.list().map(\.value), actual: ours)
    }
}
