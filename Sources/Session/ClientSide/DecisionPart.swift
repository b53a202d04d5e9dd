import AdTracking
import HLS
import Ports
import VAST

/// Breaks that the session fills itself: the tags requested and their results.
struct DecisionPart {
    /// Media time before a break at which its ads are requested, if the break is known that early. It is longer than a
    /// chain of wrappers may take.
    static let lead: Duration = .seconds(30)
    /// The same lead for a post-roll, which is at the end of the content.
    static let postRollLead: Duration = .seconds(120)
    /// A break that started longer ago when it is first seen is on air already: the viewer joined in the middle.
    static let lateOpening: Duration = .seconds(2)
    /// The same for a pre-roll of VMAP: a player waits for the document before it begins, but the playhead does not.
    static let latePreRoll: Duration = .seconds(10)
    /// Maximum delay of an ad's start.
    static let lateStart: Duration = .seconds(1)
    /// Number of decisions kept; the oldest placed ones are dropped, but their breaks stay.
    static let kept = 200
    /// Maximum bytes of raw answers, over all decisions; the oldest are dropped first.
    static let bodyBytesKept = 16 << 20

    /// One break.
    struct Decision {
        /// Name of the break in the tracker, if the break has one part.
        var name: String
        /// Number of the marker break it fills; nil for VMAP.
        var marker: Int?
        var start: UnixTime
        /// What of `start` was added to the date of the media, because the dates of the stream step there.
        var shift = Duration.zero
        /// Where it starts in the stream; nil for VMAP where no dates step.
        var place: StreamTime?
        /// Position in the content, for macros.
        var position: VMAPSchedule.Position
        /// Media time available for the break; nil while it is unknown.
        var length: Duration?
        /// End of the pod, if the pod must end at a fixed time.
        var endsAt: UnixTime?
        var parts: [Part]
        var requestedAt: Moment
        /// Uptime at which the chain of wrappers is abandoned.
        var deadline: Duration
        var values: MacroValues
        var isPlaced = false
        /// Bytes of raw answers in the creatives of this break.
        var bodyBytes = 0
        var ads: [AdID] = []
    }

    /// One ad source of a break; VMAP may have several for one time.
    struct Part {
        var name: String
        /// Nil once placed, because documents are large.
        var resolution: WrapperResolution?
        var trips: [Int: Trip] = [:]
        /// Start of its pod, once placed.
        var start: UnixTime?
        var layout: PodLayout?
        var failures: [Failure] = []
        /// Tracking URLs of the VMAP break.
        var reports: BreakReports?
    }

    /// A failure with the URLs that receive its error code.
    struct Failure {
        var code: Int
        var message: String
        var urls: [String]
        var context: MacroExpander.Context

        /// The name of the "ad" that carries the error URLs. Journals identify those beacons by it, so it must not change:
        /// a restart after an update would send them again.
        var adName: String { "no ad \(code)" }
    }

    /// Tracking URLs of a VMAP break by event.
    struct BreakReports {
        var start: [String] = []
        var end: [String] = []
        var error: [String] = []
    }

    /// A request that was answered.
    struct Trip {
        var exchange: HTTPExchange
    }

    /// A request without an answer yet.
    struct OpenFetch {
        var decision: Int
        var part: Int
        var fetch: TagFetch
    }

    var decisions: [Int: Decision] = [:]
    var open: [RequestID: OpenFetch] = [:]
    /// Numbers of marker breaks whose ads were requested.
    var answeredMarkers: Set<Int> = []
    /// Numbers of marker breaks that were reported as missed.
    var missedMarkers: Set<Int> = []
    /// What is added to the dates of markers, by number, where the dates of the stream step with the break.
    private(set) var markerShifts: [Int: Duration] = [:]
    var creatives: [AdID: CreativeView] = [:]
    var vmap: VMAPPart
    var random: SplitMix64
    var hasSaidHowItIs = false
    /// Number of playlist reloads that were checked for ends of breaks.
    var reloadsFollowed = 0
    private var nextNumber = 0

    init(_ source: DecisionSource?, seed: UInt64) {
        var seeds = SplitMix64(seed: seed)
        vmap = VMAPPart(source, seed: seeds.next())
        random = seeds
    }

    /// Ads of a stitched break may keep the dates of their production. Ads of a tag are not in that media: their break starts with the
    /// date that the media before it reaches, so that they are on the clock of the pod that the step of the dates meets (TRK-30).
    /// - Parameter position: that of the viewer, who plays across the step.
    mutating func noteSteps(at markers: [TrackedBreak], ahead position: StreamTime, on timeline: Timeline) {
        for marker in markers where markerShifts[marker.number] == nil {
            guard let start = marker.start, let place = marker.startStream, position < place,
                !answeredMarkers.contains(marker.number),
                let date = timeline.dateBeforeStep(at: place, slack: TrackingPolicy().seamSlack)
            else { continue }
            markerShifts[marker.number] = date - start
        }
        // Numbers ascend: markers that the track dropped are not used again.
        guard markerShifts.count > BreakTrack.breakLimit, let first = markers.first?.number else { return }
        markerShifts = markerShifts.filter { $0.key >= first }
    }

    /// The viewer has passed the step before the ads came: their break has the dates of the media now.
    mutating func followDates(of decision: inout Decision) {
        decision.start = decision.start - decision.shift
        decision.shift = .zero
        if let marker = decision.marker { markerShifts[marker] = nil }
    }

    mutating func add(_ decision: Decision) -> Int {
        nextNumber += 1
        decisions[nextNumber] = decision
        while decisions.count > Self.kept, let oldest = decisions.filter({ $0.value.isPlaced }).keys.min() {
            decisions[oldest] = nil
        }
        return nextNumber
    }

    /// Numbers of decisions in the order in which they were opened.
    var numbers: [Int] { decisions.keys.sorted() }

    /// Uptime at which the next open chain is abandoned.
    var nextDeadline: Duration? { decisions.values.lazy.filter { !$0.isPlaced }.map(\.deadline).min() }

    /// Drops raw answers of the oldest breaks beyond the limit.
    mutating func trimBodies() {
        var total = decisions.values.reduce(0) { $0 + $1.bodyBytes }
        for number in numbers where total > Self.bodyBytesKept {
            guard let decision = decisions[number], decision.bodyBytes > 0 else { continue }
            total -= decision.bodyBytes
            decisions[number]?.bodyBytes = 0
            for ad in decision.ads { creatives[ad]?.dropBodies() }
        }
    }
}

extension CreativeView {
    fileprivate mutating func dropBodies() {
        for index in hops.indices where !hops[index].body.isEmpty {
            hops[index].body = []
            hops[index].isBodyCut = true
        }
    }
}
