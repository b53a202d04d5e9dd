import Foundation
import Ports
import Testing

/// What `--dump --format json` says of one session.
struct DumpedSession {
    let json: JSONValue

    subscript(_ member: String) -> JSONValue? { json[member] }

    var phase: String? { json["session"]?["phase"]?.stringValue }
    var mode: String? { json["session"]?["mode"]?.stringValue }
    var latestError: String { json["latestError"]?["message"]?.stringValue ?? "" }
    /// Lines of the log, oldest first.
    var log: [String] { (json["log"]?.arrayValue ?? []).compactMap { $0["message"]?.stringValue } }
    /// Rules of the findings.
    var findings: [String] { (json["findings"]?.arrayValue ?? []).compactMap { $0["rule"]?.stringValue } }

    /// The dates that were played, in ms.
    var played: [ClosedRange<Int>] {
        (json["playedRanges"]?.arrayValue ?? []).compactMap { range in
            guard let start = range["startMs"]?.integerValue, let end = range["endMs"]?.integerValue, start <= end
            else {
                return nil
            }
            return Int(start)...Int(end)
        }
    }

    private var breaks: [JSONValue] { json["breaks"]?.arrayValue ?? [] }

    private static func events(_ adBreak: JSONValue) -> [JSONValue] {
        (adBreak["ads"]?.arrayValue ?? []).flatMap { $0["events"]?.arrayValue ?? [] }
    }

    private var urls: [JSONValue] { breaks.flatMap(Self.events).flatMap { $0["urls"]?.arrayValue ?? [] } }

    /// State of each beacon of the stream by the path and query of its URL.
    var states: [String: String] {
        let pairs = urls.compactMap { url in path(url).map { ($0, url["state"]?.stringValue ?? "") } }
        return Dictionary(pairs) { $1 }
    }

    /// The beacons, by the path and query of their URLs, whose time was not played, by what the newest document says.
    var unplayed: Set<String> {
        let played = played
        let events = breaks.flatMap(Self.events).filter { event in
            let start = Int(event["startMs"]?.integerValue ?? 0)
            return !played.contains { $0.contains(start) }
        }
        return Set(events.flatMap { $0["urls"]?.arrayValue ?? [] }.compactMap(path))
    }

    /// The beacons, by the path and query of their URLs, that were claimed less than two seconds before the end and not sent yet.
    var beingSent: Set<String> {
        let playhead = json["playhead"]?["pdtMs"]?.integerValue ?? 0
        let claimed = breaks.flatMap(Self.events).flatMap { event in
            (event["urls"]?.arrayValue ?? []).filter { url in
                let due = (event["startMs"]?.integerValue ?? 0) + (url["lateMs"]?.integerValue ?? 0)
                return url["state"]?.stringValue == "claimed" && due + 2_000 > playhead
            }
        }
        return Set(claimed.compactMap(path))
    }

    private func path(_ url: JSONValue) -> String? {
        guard let text = url["url"]?.stringValue, let path = text.range(of: "/beacon/") else { return nil }
        return String(text[path.lowerBound...])
    }

    /// No event of an ad that is over waits for anything: it was sent, perhaps in the moment of the interruption, or a reason says why not.
    func expectNothingForgotten(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let playhead = try #require(json["playhead"]?["pdtMs"]?.integerValue, sourceLocation: sourceLocation)
        var over = 0
        for adBreak in breaks {
            let end = (adBreak["startMs"]?.integerValue ?? 0) + (adBreak["durationMs"]?.integerValue ?? 0)
            guard end + 2_000 < playhead else { continue }
            for event in Self.events(adBreak) {
                let state = event["reportingState"]?.stringValue ?? ""
                guard state == "idle" || state == "connecting" && !Self.isOnItsWay(event) else {
                    over += 1
                    continue
                }
                #expect(event["reason"]?.stringValue != nil, "\(event)", sourceLocation: sourceLocation)
            }
        }
        #expect(over > 0, sourceLocation: sourceLocation)
    }

    /// Whether each URL of the event was requested, and one answer is awaited.
    private static func isOnItsWay(_ event: JSONValue) -> Bool {
        let urls = event["urls"]?.arrayValue ?? []
        return urls.allSatisfy { $0["attempts"]?.integerValue != 0 }
            && urls.contains { $0["state"]?.stringValue == "sent" }
    }
}
