import DemoOrigin
import Ports

/// What the bytes of an answer contain, for those who judge a session.
extension [UInt8] {
    /// Whether this document contains a beacon and is readable.
    func tells(of beacon: PlannedBeacon, in scenario: Scenario) -> Bool {
        guard holds(beacon.target) else { return false }
        // A truncated or damaged document counts as not received.
        guard let document = try? JSONReader.read(self) else { return false }
        guard scenario.airsAgain else { return true }
        // A document with another airing of the same URL does not contain this one.
        let reach = scenario.shift.inMilliseconds + 1_000
        let ads = (document["adBreaks"]?.arrayValue ?? []).flatMap { $0["ads"]?.arrayValue ?? [] }
        return ads.flatMap { $0["trackingEvents"]?.arrayValue ?? [] }.contains { event in
            guard let start = event["startTime"]?.integerValue, abs(start - Int64(beacon.atMs)) <= reach else {
                return false
            }
            return (event["signalingUrls"]?.arrayValue ?? []).contains { url in
                scenario.planned(url.stringValue ?? "").hasSuffix(beacon.target)
            }
        }
    }

    /// Whether this answer opens a session whose verifications begin with `prefix`: its name may be damaged, too.
    func verifies(with prefix: String) -> Bool {
        (try? JSONReader.read(self))?["media_verification_url"]?.stringValue == prefix
    }

    /// Whether these bytes contain `text`.
    func holds(_ text: String) -> Bool { holds(Array(text.utf8)) }

    func holds(_ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first, count >= wanted.count else { return false }
        var position = 0
        while let found = self[position...].firstIndex(of: first), found + wanted.count <= count {
            if self[found..<(found + wanted.count)].elementsEqual(wanted) { return true }
            position = found + 1
        }
        return false
    }
}
