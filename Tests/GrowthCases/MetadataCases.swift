import Ports

/// A metadata document in which one thing is repeated.
struct MetadataText {
    var breaks = 1
    var ads = 1
    var events = 1
    var urls = 1
    /// Milliseconds from one break, ad and event to the next.
    var breakStep = 1_000
    var adStep = 10
    var eventStep = 1
    var start = 60_000
    /// Prefix of all ids; nil leaves ids out.
    var ids: String? = "n"
    var duration = 30_000
    var event = "impression"
    /// The URL of break, ad, event and number.
    var url: (Int, Int, Int, Int) -> String = { "https://ads.example.com/b?b=\($0)&a=\($1)&e=\($2)&u=\($3)" }

    var bytes: [UInt8] {
        let begin = Int(FedSession.start.milliseconds)
        var text = "{\"dataRange\":{\"start\":\(begin),\"end\":\(begin + 100_000_000)},\"adBreaks\":["
        for adBreak in 0..<breaks {
            let at = begin + start + adBreak * breakStep
            text += adBreak > 0 ? "," : ""
            text += "{\(id("b", adBreak))\"startTime\":\(at),\"duration\":\(duration),\"ads\":["
            for ad in 0..<ads {
                let at = at + ad * adStep
                text += ad > 0 ? "," : ""
                text += "{\(id("a\(adBreak)-", ad))\"startTime\":\(at),\"duration\":\(duration),\"trackingEvents\":["
                for event in 0..<events {
                    text += event > 0 ? "," : ""
                    text += "{\"event\":\"\(self.event)\",\"startTime\":\(at + event * eventStep),\"signalingUrls\":["
                    text += (0..<urls).map { "\"\(url(adBreak, ad, event, $0))\"" }.joined(separator: ",") + "]}"
                }
                text += "]}"
            }
            text += "]}"
        }
        return Array((text + "]}").utf8)
    }

    private func id(_ kind: String, _ number: Int) -> String { ids.map { "\"id\":\"\($0)\(kind)\(number)\"," } ?? "" }
}

extension GrowthCase {
    /// Metadata of a session, each document as the first and then as the next one.
    package static let metadata: [GrowthCase] = [
        document("breaks", from: 4_000) { $0.breaks = $1 },
        document("ads of a break", from: 4_000) { $0.ads = $1 },
        document("events of an ad", from: 8_000) { $0.events = $1 },
        document("URLs of an event", from: 8_000) { $0.urls = $1 },
        document("the same URL of one event", from: 8_000) {
            $0.urls = $1
            $0.url = oneURL
        },
        document("the same URL of breaks", from: 4_000) {
            $0.breaks = $1
            $0.url = oneURL
        },
        document("the same URL of ads at one time", from: 4_000) {
            ($0.ads, $0.adStep) = ($1, 0)
            $0.url = oneURL
        },
        document("the same URL of an ad's events", from: 8_000) {
            $0.events = $1
            $0.url = oneURL
        },
        document("breaks without ids", from: 4_000) { ($0.breaks, $0.ids) = ($1, nil) },
        document("breaks due at once", from: 2_000) { ($0.breaks, $0.breakStep, $0.start) = ($1, 0, 124_000) },
        document("ads due at once", from: 2_000) { ($0.ads, $0.adStep, $0.start) = ($1, 0, 124_000) },
        document("events due at once", from: 4_000) { ($0.events, $0.eventStep, $0.start) = ($1, 0, 124_000) },
        document("overlapping breaks", from: 4_000) { ($0.breaks, $0.breakStep, $0.duration) = ($1, 1, 80_000_000) },
        change("ids change", from: 4_000, { $0.breaks = $1 }) { $0.ids = "m" },
        change("ids change, the same URL", from: 2_000) {
            $0.breaks = $1
            $0.url = oneURL
        } to: {
            $0.ids = "m"
        },
        change("breaks move far, the same URL", from: 2_000) {
            ($0.breaks, $0.breakStep) = ($1, 1)
            $0.url = oneURL
        } to: {
            $0.start += 10_000_000
        },
        change("ids and cache busters change", from: 2_000) {
            $0.breaks = $1
            $0.url = { number, _, event, _ in "https://ads.example.com/b?e=\(event)&x=\(1_000_000 + number)" }
        } to: {
            $0.ids = "m"
            $0.url = { number, _, event, _ in "https://ads.example.com/b?e=\(event)&x=\(5_000_000 + number)" }
        },
        change("a cache buster is learned", from: 2_000) {
            $0.breaks = $1
            $0.url = { _, _, _, _ in "https://ads.example.com/b?x=1234567" }
        } to: {
            $0.url = { number, _, _, _ in "https://ads.example.com/b?x=\(5_000_000 + number)" }
        },
        change("breaks without ids move and change their URLs", from: 1_000) {
            ($0.breaks, $0.breakStep, $0.ids, $0.urls) = ($1, 100, nil, 4)
        } to: {
            $0.start += 50
            $0.url = { "https://ads.example.com/c?b=\($0)&a=\($1)&e=\($2)&u=\($3)" }
        },
        change("breaks vanish", from: 4_000, { $0.breaks = $1 }) { $0.breaks = 1 },
        change("ads move apart", from: 4_000) {
            ($0.ads, $0.adStep) = ($1, 0)
            $0.url = oneURL
        } to: {
            $0.adStep = 40_000
        },
        change("URLs change", from: 8_000, { $0.urls = $1 }) { $0.url = { "https://ads.example.com/c?u=\($3)" } },
    ]

    private static let oneURL: @Sendable (Int, Int, Int, Int) -> String = { _, _, _, _ in "https://ads.example.com/b" }

    private static func document(
        _ name: String, from size: Int, _ shape: @escaping @Sendable (inout MetadataText, Int) -> Void
    ) -> GrowthCase {
        var growing = GrowthCase("metadata: \(name)", from: size) { size in
            var session = started()
            session.metadata = bytes(size, shape)
            return {
                session.advance(by: .seconds(5))
                session.advance(by: .seconds(5))
            }
        }
        growing.largest = largest(readings: 2, shape)
        return growing
    }

    private static func change(
        _ name: String, from size: Int, _ first: @escaping @Sendable (inout MetadataText, Int) -> Void,
        to second: @escaping @Sendable (inout MetadataText) -> Void
    ) -> GrowthCase {
        var growing = GrowthCase("metadata: \(name)", from: size) { size in
            var text = MetadataText()
            first(&text, size)
            var session = started()
            session.metadata = text.bytes
            session.advance(by: .seconds(5))
            second(&text)
            session.metadata = text.bytes
            return { session.advance(by: .seconds(5)) }
        }
        growing.largest = largest(readings: 1, first)
        return growing
    }

    private static func bytes(_ size: Int, _ shape: (inout MetadataText, Int) -> Void) -> [UInt8] {
        var text = MetadataText()
        shape(&text, size)
        return text.bytes
    }

    /// Seconds that one reading of the largest document may take.
    static let largestMetadataTarget = 1.0

    private static func largest(
        readings: Int, _ shape: @escaping @Sendable (inout MetadataText, Int) -> Void
    ) -> Largest {
        Largest(limit: Limits.metadataBytes, target: largestMetadataTarget, readings: readings) {
            bytes($0, shape).count
        }
    }

    static func started() -> FedSession {
        var session = FedSession()
        session.metadata = Array(#"{"adBreaks":[]}"#.utf8)
        session.advance(by: .zero)
        return session
    }
}
