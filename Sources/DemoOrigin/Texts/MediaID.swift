/// An id in the media of a Google DAI stream, from the service's API reference: metadata knows it by its beginning, and a viewer
/// verifies it with a request of the verification prefix followed by the id.
struct MediaID: Equatable {
    /// The events that have an id; another one a second only says that the ad plays.
    static let events: Set<String> = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    static let keepAlive = "progress"
    /// What follows the beginning that the metadata has.
    private static let suffix = ".x7"

    var link: BeaconLink

    init(_ link: BeaconLink) {
        self.link = link
    }

    /// How the id begins, which is the key of its tag.
    var key: String { "google_\(link.breakId).\(link.adId).\(link.event)" }
    var text: String { key + Self.suffix }

    /// Path of its verification.
    func target(scenario: String) -> String { Verification.prefix(session: link.session, scenario: scenario) + text }

    /// The request that verifies an id.
    struct Verification {
        private static let directory = "/view/p/service/linear/stream/"

        let scenario: String
        let link: BeaconLink

        /// What the address begins with; the id follows.
        static func prefix(session: String, scenario: String) -> String {
            "\(directory)\(session)/loc/ATL/network/1/event/\(scenario)/media/"
        }

        /// Nil for a path that is no verification. An id that was made up leaves a receipt too.
        init?(_ resource: String) {
            guard resource.hasPrefix(Self.directory) else { return nil }
            let steps = resource.dropFirst(Self.directory.count).split(separator: "/").map(String.init)
            guard steps.count == 9, steps[1] == "loc", steps[3] == "network", steps[5] == "event", steps[7] == "media"
            else {
                return nil
            }
            scenario = steps[6]
            var link = BeaconLink(query: QueryItems(""))
            link.session = steps[0]
            let parts = steps[8].dropFirst("google_".count).split(separator: ".").map(String.init)
            if parts.count == 4, steps[8].hasSuffix(MediaID.suffix) {
                (link.breakId, link.adId, link.event, link.urlIndex) = (parts[0], parts[1], parts[2], 1)
            } else {
                link.event = steps[8]
            }
            self.link = link
        }

        /// The id and the key of its tag.
        var id: (text: String, key: String) {
            let id = MediaID(link)
            return (id.text, id.key)
        }

        /// The path as the collector knows it.
        var path: OriginPath { OriginPath(target: BeaconLink.beaconPath + scenario) }
    }
}

extension PlannedBeacon {
    /// The id in the media that it verifies, and the key of its tag in metadata; nil for another beacon.
    package var mediaID: (text: String, key: String)? { MediaID.Verification(target)?.id }
}

extension LiveStream {
    /// The bytes of a segment.
    package func media(ofSegment number: Int) -> [UInt8] {
        let dialect = scenario.session.dialect
        guard dialect.placesByMedia else { return TransportStream.segment(number) }
        let segment = segment(number)
        let tags =
            dialect.recordsAds
            ? adRecords(in: segment).map { ($0.offsetMs, $0.record.frames) }
            : mediaIDs(in: segment).map { ($0.offsetMs, [TransportStream.TagFrame(text: $0.text)]) }
        return TransportStream.segment(number, startMs: segment.startMs, carrying: tags)
    }

    /// The ids in a segment, with their distances from its start.
    func mediaIDs(in segment: Segment) -> [(offsetMs: Int, text: String)] {
        let reach = segment.dateMs..<segment.endDateMs
        var found: [(offsetMs: Int, text: String)] = []
        func add(_ event: String, of ad: PlannedAd, at dateMs: Int) {
            guard reach.contains(dateMs) else { return }
            let link = BeaconLink(session: "", ad: ad, event: event, urlIndex: 1)
            found.append((dateMs - segment.dateMs, MediaID(link).text))
        }
        for ad in breaks(from: reach.lowerBound, through: reach.upperBound).flatMap(\.ads) {
            for event in ad.events where MediaID.events.contains(event.name) {
                add(event.name, of: ad, at: event.startMs)
            }
            for second in stride(from: 1_000, to: ad.durationMs, by: 1_000) {
                add(MediaID.keepAlive, of: ad, at: ad.startMs + second)
            }
        }
        return found.sorted { $0.offsetMs < $1.offsetMs }
    }
}
