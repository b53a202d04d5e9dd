import AdTracking
import Ports
import VAST

/// Breaks that the session fills itself: which tags were asked for, and what came of them.
struct DecisionPart {
    /// Media time before a break at which its ads are asked for, where the break is known that early. Longer than a chain
    /// of wrappers may take.
    static let lead: Duration = .seconds(30)
    /// A post-roll lies at the end of the content, so its length must be known before.
    static let postRollLead: Duration = .seconds(120)
    /// A break that began longer ago is on air already when it is first seen: the viewer joined in the middle.
    static let lateOpening: Duration = .seconds(2)
    /// An ad may begin that much late.
    static let lateStart: Duration = .seconds(1)
    /// Decisions remembered; the oldest placed ones are forgotten, their breaks stay.
    static let kept = 200
    /// Of raw answers, over all decisions; the oldest go first.
    static let bodyBytesKept = 16 << 20

    /// One break.
    struct Decision {
        /// Of the break in the tracker, where a break has one part.
        var name: String
        /// Number of the marker break it fills; nil for VMAP.
        var marker: Int?
        var start: UnixTime
        /// Place in the content, for macros.
        var position: VMAPSchedule.Position
        /// Media time that the break has; nil where nobody knows.
        var length: Duration?
        /// The pod is laid so that it ends here.
        var endsAt: UnixTime?
        var parts: [Part]
        var requestedAt: Moment
        /// Uptime at which the chain is given up.
        var deadline: Duration
        var values: MacroValues
        var isPlaced = false
        /// Bytes of raw answers that creatives of this break hold.
        var bodyBytes = 0
        var ads: [AdID] = []
    }

    /// One ad source of a break; VMAP may have several for one moment.
    struct Part {
        var name: String
        /// Nil once placed: documents are large.
        var resolution: WrapperResolution?
        var cookies = CookieJar()
        var trips: [Int: Trip] = [:]
        /// Where its pod lies, once placed.
        var start: UnixTime?
        var layout: PodLayout?
        var failures: [Failure] = []
        /// What VMAP wants to be told.
        var reports: BreakReports?
    }

    /// What went wrong on the way, with who is to be told.
    struct Failure {
        var code: Int
        var message: String
        var urls: [String]
        var context: MacroExpander.Context
    }

    /// URLs of a VMAP break by its events.
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
    /// Marker breaks that were dealt with, by number.
    var answeredMarkers: Set<Int> = []
    /// Marker breaks that were said to be missed.
    var missedMarkers: Set<Int> = []
    var creatives: [AdID: CreativeView] = [:]
    var vmap: VMAPPart
    var random: SplitMix64
    var hasSaidHowItIs = false
    /// Answers to playlist reloads that ends of breaks were looked for in.
    var reloadsFollowed = 0
    private var nextNumber = 0

    init(_ source: DecisionSource?, seed: UInt64) {
        var seeds = SplitMix64(seed: seed)
        vmap = VMAPPart(source, seed: seeds.next())
        random = seeds
    }

    mutating func add(_ decision: Decision) -> Int {
        nextNumber += 1
        decisions[nextNumber] = decision
        while decisions.count > Self.kept, let oldest = decisions.filter({ $0.value.isPlaced }).keys.min() {
            decisions[oldest] = nil
        }
        return nextNumber
    }

    /// In the order in which they were opened.
    var numbers: [Int] { decisions.keys.sorted() }

    /// Uptime at which an open chain is given up.
    var nextDeadline: Duration? { decisions.values.lazy.filter { !$0.isPlaced }.map(\.deadline).min() }

    /// Frees raw answers of the oldest breaks beyond the limit.
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
