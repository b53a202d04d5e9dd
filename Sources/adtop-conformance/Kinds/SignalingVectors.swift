import AdTracking
import HLS
import Ports

/// Cases of ad creative signaling: playlists with date ranges, or events of an MPD.
enum SignalingVectors {
    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        var signals = SignaledListing()
        for node in try input.optional("playlists")?.list() ?? [] {
            let text = try node.member("text").text()
            let parsed = PlaylistParser.parse(Array(text.utf8), uri: try node.member("url").text())
            guard let playlist = parsed.media else {
                throw VectorProblem(path: node.path, message: "not a media playlist")
            }
            signals.add(playlist.dateRanges)
        }
        let period = ListedVectors.moment(input.value["periodStart"] ?? input.value["periodStartSeconds"])
        for node in try input.optional("mpd_events")?.list() ?? [] { try add(node, period, to: &signals) }
        var listing = Listing()
        listing.add(signals.answer)
        var result = ListedVectors(breaks: listing.breaks, findings: listing.findings)
        result.next = ListedVectors.next(nil, after: .zero)
        return result.json
    }

    private static func add(
        _ node: VectorNode, _ period: MediaMoment?, to signals: inout SignaledListing
    ) throws(VectorProblem) {
        let scale = node.value["timescale"]?.decimalValue ?? .one
        func seconds(_ name: String) -> ExactDecimal? {
            node.value[name]?.decimalValue?.divided(by: scale)
        }
        let offset = seconds("presentationTimeOffset") ?? .zero
        let start = (seconds("presentationTime") ?? .zero).subtracting(offset)
        var moment = period ?? MediaMoment(seconds: .zero)
        guard let start, let sum = moment.seconds.adding(start) else {
            throw VectorProblem(path: node.path, message: "no time")
        }
        moment.seconds = sum
        let id = node.value["id"]
        signals.add(
            eventID: id?.stringValue ?? id?.text() ?? "", scheme: try node.member("schemeIdUri").text(), start: moment,
            length: seconds("duration"), body: try node.member("body").text())
    }
}
