package import Ports

/// Where the newest document has an event, as far as the identity of its beacons depends on it.
package struct EventPlacement: Hashable, Sendable {
    /// The ad of an event. Its events share one.
    package final class Ad: Hashable, Sendable {
        let id: AdID
        let length: Duration
        let breakStart: UnixTime
        let breakLength: Duration
        let track: AdTrack

        init(_ id: AdID, length: Duration, breakStart: UnixTime, breakLength: Duration, track: AdTrack) {
            (self.id, self.length, self.track) = (id, length, track)
            (self.breakStart, self.breakLength) = (breakStart, breakLength)
        }

        package static func == (left: Ad, right: Ad) -> Bool {
            left === right
                || left.id == right.id && left.length == right.length && left.breakStart == right.breakStart
                    && left.breakLength == right.breakLength && left.track == right.track
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(length)
            hasher.combine(breakStart)
            hasher.combine(breakLength)
            hasher.combine(track)
        }

        /// One of which nothing is known.
        fileprivate static let unknown = Ad(
            AdID(0), length: .zero, breakStart: UnixTime(microseconds: 0), breakLength: .zero, track: .primary)
    }

    /// Media date at which the event is due, on the clock of `track`.
    package var start: UnixTime
    let place: Ad
    /// Whether the newest document lists the event, its ad and its break.
    package var isPresent: Bool

    /// An event of which only the time is known.
    package init(start: UnixTime) { self.init(start: start, of: .unknown, isPresent: true) }

    init(start: UnixTime, of place: Ad, isPresent: Bool) {
        (self.start, self.place, self.isPresent) = (start, place, isPresent)
    }

    /// Stitched length of the ad; zero where it is not known.
    package var adLength: Duration { place.length }
    /// Zero where it is not known.
    package var breakLength: Duration { place.breakLength }
    package var track: AdTrack { place.track }
    /// Two events of one ad are never one, unless they are due together.
    package var ad: AdID { place.id }
}

/// One showing of a beacon: what must be sent at most once, whatever the events are called that ask for it.
///
/// A server that changes its ids, or whose instances take turns, makes a new event of every poll; all of them are
/// members of one insertion. Times are kept as small as they may be, and what is small comes last, so that there is no gap between: a
/// session has thousands of these.
struct Insertion: Sendable {
    /// Media date. Until something was claimed that of the newest member; then it moves with that member's node only,
    /// so that a chain of guesses cannot carry it along the stream.
    var start: UnixTime
    /// Further events than ``member``.
    var others: [EventID] = []
    /// The ad of ``member``; zero where it is not known.
    private(set) var ad: AdID
    /// What was claimed, or nil.
    var sent: Sent?
    /// The first event that asks for it; nil for what was restored, or is remembered after its events are forgotten.
    var member: EventID?
    /// Milliseconds: length of the break at first sight.
    private var breakMilliseconds: UInt32
    /// Milliseconds: length of the ad.
    private var adMilliseconds: UInt32
    /// Hash of the names of break and ad; zero where the ad has none.
    var names: UInt32
    /// Number of the document since which all list it, and of the last one before it was absent; 0 for what a journal restored.
    var listedSince: UInt32 = 0
    var lastListed: UInt32 = 0
    /// Hash of the track; nil for what a journal restored, which knows none.
    var track: UInt32?

    /// Events of one ad, of one type and with one URL that are due this close to each other are one (PRV-8): a server computed the
    /// time twice.
    static let sameMoment: Duration = .milliseconds(10)
    /// The place of no insertion.
    static let none: Int32 = -1

    /// What became of it, for events that find it later.
    struct Sent: Hashable, Sendable {
        var state: DeliveryState
        var round: Int32
        /// Media date at which it was due when it was claimed, wherever documents list it since.
        var start: UnixTime
    }

    init(_ placement: EventPlacement, names: UInt32, track: UInt32?, member: EventID?) {
        start = placement.start
        breakMilliseconds = Self.milliseconds(placement.breakLength)
        adMilliseconds = Self.milliseconds(placement.adLength)
        self.names = names
        self.track = track
        self.member = member
        ad = member == nil ? AdID(0) : placement.ad
    }

    var members: [EventID] { (member.map { [$0] } ?? []) + others }
    var breakLength: Duration { .milliseconds(Int64(breakMilliseconds)) }
    var adLength: Duration { .milliseconds(Int64(adMilliseconds)) }

    mutating func add(_ event: EventID) {
        if member == nil { member = event } else { others.append(event) }
    }

    mutating func remove(_ events: Set<EventID>) {
        others.removeAll { events.contains($0) }
        guard let member, events.contains(member) else { return }
        self.member = others.isEmpty ? nil : others.removeFirst()
        ad = AdID(0)
    }

    /// Whether both are of one ad, if each has a single member of a known ad; else nil.
    func isOfSameAd(as other: Insertion) -> Bool? {
        guard others.isEmpty, other.others.isEmpty, ad != AdID(0), other.ad != AdID(0) else { return nil }
        return ad == other.ad
    }

    /// A member is somewhere else, or longer, than before.
    mutating func refresh(_ placement: EventPlacement, movedBy distance: Duration) {
        start = sent == nil ? placement.start : start + distance
        breakMilliseconds = max(breakMilliseconds, Self.milliseconds(placement.breakLength))
        adMilliseconds = max(adMilliseconds, Self.milliseconds(placement.adLength))
    }

    /// Whether metadata named break and ad of both, and alike.
    func hasNames(of other: Insertion) -> Bool { names != 0 && names == other.names }

    func distance(to other: Insertion) -> Duration {
        (start - other.start).magnitude
    }

    /// Starts and lengths are rounded, and encoded ads are some frames longer or shorter than announced: ads that overlap by no more
    /// follow each other. One that overlaps by more may be the same one, moved, and must not be reported again.
    fileprivate static let meeting: Duration = .milliseconds(100)

    /// Whether both ads would be on the air together. A journal does not know the length of its ads.
    func playsBeside(_ other: Insertion) -> Bool {
        let shorter = [adLength, other.adLength].filter { $0 > .zero }.min() ?? .zero
        return distance(to: other) < shorter - min(shorter / 2, Self.meeting)
    }

    /// Whether documents listed it at least twice before it was absent.
    var wasToldAgain: Bool { listedSince > 0 && lastListed > listedSince }

    /// Whether it starts no earlier than when the break of a beacon at the same place of another break is over. A journal does not know
    /// the length of its breaks: they are taken to be alike.
    func follows(_ earlier: Insertion) -> Bool {
        let length = earlier.breakLength > .zero ? earlier.breakLength : breakLength
        return length > .zero && start + Self.meeting >= earlier.start + length
    }

    /// Two that a document lists side by side are one showing only where they would play at the same time.
    func overlaps(_ other: Insertion) -> Bool {
        Self.overlap(distance(to: other), adLength, other.adLength)
    }

    /// Whether two starts are closer than half the shorter ad.
    fileprivate static func overlap(_ distance: Duration, _ left: Duration, _ right: Duration) -> Bool {
        distance == .zero || distance * 2 < min(left, right)
    }

    private static func milliseconds(_ length: Duration) -> UInt32 {
        UInt32(clamping: length.inMicroseconds / 1_000)
    }
}

extension EventPlacement {
    /// Whether the break starts no earlier than when another one is over, but for what is rounded.
    func breakFollows(_ earlier: EventPlacement) -> Bool {
        earlier.breakLength > .zero
            && place.breakStart + Insertion.meeting >= earlier.place.breakStart + earlier.breakLength
    }

    /// Whether the ad would play for the most part when the other one does.
    func overlaps(_ other: EventPlacement) -> Bool {
        Insertion.overlap((start - other.start).magnitude, adLength, other.adLength)
    }
}
