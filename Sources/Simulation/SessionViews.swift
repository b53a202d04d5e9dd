import AdTracking
import DemoOrigin
import Ports
import Session

/// What a session shows of its beacons: the states of each URL, and what was claimed.
struct SessionViews {
    private var urls: [String: [View]] = [:]
    private(set) var claimed: [Claimed] = []

    /// - Parameters:
    ///   - start: what ended a minute before is left out.
    ///   - name: the URL of a beacon as the plan has it.
    init(_ snapshot: Snapshot, from start: UnixTime, named name: (String) -> String) {
        for adBreak in snapshot.breaks where adBreak.plannedEnd + .seconds(60) >= start {
            for event in adBreak.ads.lazy.flatMap(\.events) {
                for url in event.urls {
                    let planned = name(url.url)
                    urls[planned, default: []].append(
                        View(start: event.start, state: url.state, reason: url.reason ?? event.reason))
                    if url.state.wasClaimed {
                        claimed.append(Claimed(event: event.event, start: event.start, url: planned))
                    }
                }
            }
        }
    }

    /// The states of an airing. Where a URL is due several times, only what is near belongs to it.
    func of(_ airing: Int, _ url: String, _ evidence: DueAccount.Evidence) -> [View] {
        guard evidence.stream.scenario.airsAgain else { return urls[url] ?? [] }
        return of(airing, url, within: evidence.stream.scenario.shift + .seconds(1))
    }

    func of(_ airing: Int, _ url: String, within reach: Duration) -> [View] {
        (urls[url] ?? []).filter { abs($0.start.milliseconds - Int64(airing)) <= reach.inMilliseconds }
    }

    struct Claimed {
        var event: String
        var start: UnixTime
        var url: String
    }

    /// The session's state of a beacon.
    struct View {
        var start: UnixTime
        var state: DeliveryState
        var reason: SkipReason?

        /// Whether the state explains an unsent beacon. For a played beacon, "not reached" and "paused" are no reasons,
        /// nor is "duplicate" where nothing was sent, nor a claim in progress that no journal has. No origin lists an ad twice,
        /// so there are never two parties.
        var isExplained: Bool {
            switch state {
            case .claimed, .sent, .waiting, .acknowledged: false
            case .rejected, .failed, .unknown, .observed: true
            case .planned, .skipped:
                reason.map { ![.notReached, .paused, .duplicate, .twoParties].contains($0) } ?? false
            }
        }
    }
}

extension DeliveryState {
    var wasClaimed: Bool { ![.planned, .skipped, .observed].contains(self) }
    var isSent: Bool { wasClaimed && ![.claimed, .waiting].contains(self) }
}
