import Ports
import TestSupport

/// Interstitials in a fake stream: hand-written tags, lists and signaling.
struct FakeInterstitial: Sendable {
    var id: String
    /// Offset in the stream in milliseconds.
    var start: Int64
    /// Lengths of its assets in milliseconds; each is one ad named `<id>-<index>`.
    var assets: [Int64]
    /// Additional attributes of the tag, each with a leading comma.
    var attributes = ""
    var isSignaled = true

    static let timed = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    var listURL: String { "\(FakeOrigin.base)/list/\(id).json?_HLS_interstitial_id=\(id)" }

    var tag: String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"\((FakeOrigin.start + .milliseconds(start)).iso8601)\",X-ASSET-LIST=\"\(listURL)\""
            + attributes
    }

    var list: String {
        let nodes = assets.enumerated().map { index, length in
            let signal = isSignaled ? ",\"X-AD-CREATIVE-SIGNALING\":" + signaling(index, length) : ""
            return
                "{\"URI\":\"\(FakeOrigin.base)/ads/\(id)-\(index)/index.m3u8\",\"DURATION\":\(seconds(length))\(signal)}"
        }
        return "{\"ASSETS\":[\(nodes.joined(separator: ","))]}"
    }

    private func signaling(_ index: Int, _ length: Int64) -> String {
        let events = (Self.timed + ["mute"]).map { type in
            "{\"type\":\"\(type)\",\"urls\":[\"\(beacon(index, type))\"]}"
        }
        return "{\"version\":2,\"type\":\"slot\",\"payload\":[{\"type\":\"linear\",\"duration\":\(seconds(length)),"
            + "\"identifiers\":[{\"scheme\":\"ad-id\",\"value\":\"\(id)-\(index)\"}],"
            + "\"tracking\":[\(events.joined(separator: ","))]}]}"
    }

    func beacon(_ index: Int, _ type: String) -> String { FakeOrigin.beacon("\(id)-\(index)", type) }

    /// Every timed beacon of it once.
    var plan: [String] {
        assets.indices.flatMap { index in Self.timed.map { beacon(index, $0) } }.sorted()
    }

    private func seconds(_ milliseconds: Int64) -> String { String(Double(milliseconds) / 1_000) }
}

extension FakeOrigin {
    /// A stream with these interstitials and their lists; `answer` may replace answers.
    static func playing(
        _ interstitials: [FakeInterstitial], breaks: [Break] = [],
        answer: (@Sendable (HTTPRequest, Moment, Int) -> Reply?)? = nil
    ) -> FakeOrigin {
        var origin = FakeOrigin(breaks: breaks)
        origin.tags = interstitials.map(\.tag)
        origin.override = { request, now, count in
            if let reply = answer?(request, now, count) { return reply }
            let known = interstitials.first { request.url.path == "/list/\($0.id).json" }
            return known.map { FakeOrigin.text($0.list, type: "application/json", of: request) }
        }
        return origin
    }
}
