import AdTracking
import Fleet
import HLS
import Ports
import Testing

@testable import Monitoring
@testable import Session

/// The store's names of beacons and ads: every agent of every version computes the same. The values were computed by another program.
@Suite struct BeaconIdentityTests {
    private static func beacon(_ url: String) -> JournalBeacon {
        JournalBeacon(
            session: "s", breakName: "=b", adName: "=a", adStart: UnixTime(microseconds: 5_000_000), type: "start",
            start: UnixTime(microseconds: 5_000_000), url: url)
    }

    @Test func aBeaconIsItsTypeAndURL() {
        let id = BeaconIdentity.beacon(Self.beacon("https://t.example/1"))
        #expect(id == BeaconID(high: 0xab68_2269_5bf1_a9d8, low: 0x873f_bbbf_6a02_2caa))
    }

    @Test func aURLWithMacrosIsABeaconOfItsAd() {
        let id = BeaconIdentity.beacon(Self.beacon("https://t.example/1?cb=[CACHEBUSTING]"))
        #expect(id == BeaconID(high: 0x1b08_cfe1_576f_bacc, low: 0x476d_169f_c073_939a))
    }

    /// A space or a letter beyond ASCII is sent as an escape, so both spellings are one beacon: that of the escapes, which stores have. Braces and
    /// others were sent as written once, and their hashes stay.
    @Test(arguments: ["https://t.example/a%20b?x=%C3%A9|{y}", "https://t.example/a b?x=é|{y}"])
    func bothSpellingsOfAnEscapeAreOneBeacon(url: String) {
        let id = BeaconIdentity.beacon(Self.beacon(url))
        #expect(id == BeaconID(high: 0xc150_11a2_18d4_4ee1, low: 0xa431_55e6_ea38_fca6))
        #expect(BeaconIdentity.due(Self.beacon(url), of: 7, at: UnixTime(microseconds: 9)).host == "t.example")
    }

    @Test(arguments: ["https://t.example/a%20b?cb=[CACHEBUSTING]", "https://t.example/a b?cb=[CACHEBUSTING]"])
    func soAreThoseOfAURLWithMacros(url: String) {
        let id = BeaconIdentity.beacon(Self.beacon(url))
        #expect(id == BeaconID(high: 0x0f54_789a_f13f_3839, low: 0x3d55_e482_e43f_1e01))
    }

    @Test func anAdIsItsNamesAndFirstStart() {
        #expect(BeaconIdentity.ad(Self.beacon("u")).id == Int64(bitPattern: 0xfcaa_206c_2e8e_0df1))
    }

    @Test func aBeaconComesBackAsItWas() throws {
        let beacon = Self.beacon("https://t.example/1")
        let due = BeaconIdentity.due(beacon, of: 7, round: 1, attempt: 2, at: UnixTime(microseconds: 9))
        #expect(due.host == "t.example" && due.key.viewer == 7 && due.key.round == 1 && due.key.attempt == 2)
        #expect(BeaconIdentity.journal(due, session: SessionKey("s")) == beacon)
    }

    /// It is requested with its escapes, and named by what is written.
    @Test func aBeaconWhoseURLLacksEscapesHasAHost() {
        let due = BeaconIdentity.due(Self.beacon("https://t.example/a b"), of: 7, at: UnixTime(microseconds: 9))
        #expect(due.host == "t.example" && due.url == "https://t.example/a b")
    }

    /// A ping has no due time: it is kept with the place of its viewer, which is no date of the ping.
    @Test func aBeaconWithoutADateHasThatOfItsViewer() {
        let never = UnixTime(microseconds: 0)
        let ping = JournalBeacon(
            session: "ping", breakName: "=ping/x", adName: "=start 0", adStart: never, type: "ping", start: never,
            url: "https://t.example/p")
        let due = BeaconIdentity.due(ping, of: 1, at: UnixTime(microseconds: 9))
        #expect(due.key.due == .microseconds(9))
        #expect(!BeaconIdentity.hasDate(ClaimRequest(due, epoch: 1, number: 1)))
    }
}

/// A beacon without a date that is tried again keeps its place in the store.
@Suite struct UndatedBeaconsTests {
    private static func key(_ number: Int, at second: Int, attempt: Int = 1, round: Int = 0) -> ClaimKey {
        ClaimKey(
            viewer: 1, due: .seconds(second), beacon: BeaconID(low: UInt64(number)), round: round, attempt: attempt)
    }

    @Test func theNextAttemptIsOfTheSameClaim() {
        var beacons = UndatedBeacons()
        beacons.claimed(Self.key(7, at: 100))
        #expect(beacons.key(of: Self.key(7, at: 130, attempt: 2)) == Self.key(7, at: 100, attempt: 2))
        for other in [
            Self.key(7, at: 130), Self.key(7, at: 130, attempt: 2, round: 1), Self.key(8, at: 130, attempt: 2),
        ] {
            #expect(beacons.key(of: other) == other)
        }
        beacons.claimed(Self.key(7, at: 140))
        #expect(beacons.key(of: Self.key(7, at: 150, attempt: 2)).due == .seconds(140))
    }

    @Test func theOldestAreForgotten() {
        var beacons = UndatedBeacons()
        for number in 0...UndatedBeacons.limit { beacons.claimed(Self.key(number, at: 100)) }
        #expect(beacons.key(of: Self.key(0, at: 130, attempt: 2)).due == .seconds(130))
        #expect(beacons.key(of: Self.key(1, at: 130, attempt: 2)).due == .seconds(100))
    }
}

/// What metadata listed goes with the ads that claims name.
@Suite struct ListedAdsTests {
    private static func note(_ ad: String, at seconds: Int64) -> JournalNote.Content {
        let start = UnixTime(microseconds: seconds * 1_000_000)
        return .ad(
            JournalNote.Ad(
                breakName: "=b", name: ad, firstStart: start, start: start, duration: .seconds(15), hasVanished: false,
                events: []))
    }

    private static func note(breakAt seconds: Int64) -> JournalNote.Content {
        .adBreak(
            JournalNote.Break(
                name: "=b", start: UnixTime(microseconds: seconds * 1_000_000), duration: .seconds(60),
                source: "metadata", hasVanished: false))
    }

    private static func ad(_ name: String, at seconds: Int64) -> ClaimedAd {
        BeaconIdentity.ad(breakName: "=b", name: name, firstStart: UnixTime(microseconds: seconds * 1_000_000))
    }

    /// The name of the break is used twice.
    @Test func anAdHasItsBreak() {
        var listed = ListedAds()
        for start in [Int64(100), 900] {
            listed.add(Self.note(breakAt: start))
            listed.add(Self.note("=a", at: start + 5))
        }
        for start in [Int64(100), 900] {
            let listing = listed.completed(Self.ad("=a", at: start + 5)).listing
            #expect(listing?.breakStart == .seconds(start) && listing?.breakDuration == .seconds(60))
            #expect(listing?.duration == .seconds(15) && listing?.source == "metadata")
        }
        #expect(listed.completed(Self.ad("=c", at: 105)).listing == nil)
    }

    @Test func theOldestAdsAreForgotten() {
        var listed = ListedAds()
        for start in 0...Int64(ListedAds.limit) { listed.add(Self.note("=a", at: start)) }
        #expect(listed.completed(Self.ad("=a", at: 0)).listing == nil)
        #expect(listed.completed(Self.ad("=a", at: 1)).listing == AdListing(duration: .seconds(15)))
    }
}

/// What is handed on decides whether a successor may send what an earlier session reached.
@Suite struct HandedSessionTests {
    private static let first = HandedSession(session: "x", reached: reached(5))

    private static func reached(_ hours: Int64...) -> DateStretches {
        var dates = DateStretches()
        for hour in hours { dates.reach(UnixTime(milliseconds: hour * 3_600_000)) }
        return dates
    }

    @Test func itIsReadAsItWasWritten() throws {
        #expect(HandedSession(Self.first.bytes) == Self.first)
        #expect(HandedSession(HandedSession().bytes) == HandedSession())
        var whole = Self.first
        whole.leftAt = UnixTime(microseconds: 7)
        let url = try WebURL("https://a.example/live.m3u8?sessid=S1")
        whole.running = RunningSession(
            mediaURL: url, provider: "harmonic",
            addresses: SessionAddresses(
                manifestURL: url, metadataURL: url, path: .get, sessionID: "S1", isRecognised: true),
            answers: [
                HTTPExchange(failure: HTTPFailure(.timeout, "no answer in time")),
                HTTPExchange(
                    hops: [HTTPExchange.Hop(url: url.text, status: 200, fields: [HTTPField("content-type", "text/x")])],
                    body: [0x7B, 0xFF, 0x7D]),
            ],
            anchor: TimelineAnchor(sequence: 7, start: StreamTime(microseconds: 9), date: UnixTime(microseconds: 11)))
        #expect(HandedSession(whole.bytes) == whole)
        whole.running?.delivered = [.metadata]
        #expect(HandedSession(whole.bytes) == whole)
        whole.running?.anchor?.dateOfZero = UnixTime(microseconds: 13)
        #expect(HandedSession(whole.bytes) == whole)
        whole.running?.provider = nil
        whole.running?.anchor = nil
        whole.running?.addresses = SessionAddresses(manifestURL: url, metadataURL: nil, path: .manifest)
        #expect(HandedSession(whole.bytes) == whole)
    }

    /// After a kill the viewer goes on from the playhead that was saved last, if its session does.
    @Test func aSuccessorGoesBackToTheSavedPlayhead() throws {
        let url = try WebURL("https://a.example/live.m3u8")
        var handed = Self.first
        handed.running = RunningSession(
            mediaURL: url, provider: nil,
            addresses: SessionAddresses(manifestURL: url, metadataURL: nil, path: .manifest))
        var viewer = StoreAnswer.TakenViewer(
            id: ViewerEpoch(viewer: 1, epoch: 2), dueFrom: nil, playhead: .seconds(1_000))
        viewer.playedSince = .seconds(20)
        func start(_ session: [UInt8]) -> StartOption {
            viewer.session = session
            var configuration = MonitorConfiguration(mediaURL: url)
            configuration.take(over: viewer, at: Moment(wall: UnixTime(microseconds: 0), uptime: .seconds(50)))
            return configuration.start
        }
        #expect(start(handed.bytes) == .resuming(UnixTime(microseconds: 980_000_000), at: .seconds(30)))
        handed.leftAt = UnixTime(microseconds: 995_000_000)
        #expect(start(handed.bytes) == .resuming(UnixTime(microseconds: 995_000_000), at: .seconds(45)))
        #expect(start([]) == .resuming(UnixTime(microseconds: 1_000_000_000), at: .seconds(50)))
    }

    /// A session whose address is damaged is not continued; that another one must not send is still known.
    @Test(arguments: ["mediaUrl", "manifestUrl", "metadataUrl", "path", "answers", "anchor"])
    func aDamagedAddressIsNotContinued(name: String) throws {
        #expect(try Self.handed(Self.running(), with: "::", as: name) == Self.first)
    }

    /// An earlier version does not say what its session had, and a later one may name more.
    @Test(arguments: [nil, .null, [], ["metadata", "chapters", 7], "metadata"] as [JSONValue?])
    func whatWasDeliveredMayBeUnknown(delivered: JSONValue?) throws {
        var whole = try Self.running()
        let handed = try Self.handed(whole, with: delivered, as: "delivered")
        whole.running?.delivered = delivered?.arrayValue?.contains("metadata") == true ? [.metadata] : []
        #expect(handed == whole)
    }

    private static func running() throws -> HandedSession {
        let url = try WebURL("https://a.example/live.m3u8")
        var whole = first
        whole.running = RunningSession(
            mediaURL: url, provider: nil, addresses: SessionAddresses(manifestURL: url, metadataURL: url, path: .get))
        return whole
    }

    /// What a successor reads of `session` if one member of its running session has another value, or none.
    private static func handed(
        _ session: HandedSession, with value: JSONValue?, as name: String
    ) throws -> HandedSession {
        var json = try #require(JSONReader.read(session.bytes).objectValue)
        var running = try #require(json["running"]?.objectValue)
        running[name] = value
        json["running"] = .object(running)
        return HandedSession(Array(JSONValue.object(json).text().utf8))
    }

    @Test(arguments: ["", "{}", "[1]", #"{"schema":"adtop-handover/2","session":"x"}"#])
    func whatCannotBeReadIsNobodys(text: String) {
        #expect(HandedSession(Array(text.utf8)) == HandedSession())
    }

    @Test func theSameSessionGoesOn() {
        #expect(Self.first.next("x", claimed: Self.reached(9)) == Self.first)
    }

    @Test func anotherSessionSendsNothingThatWasReached() {
        let next = Self.first.next("y", claimed: Self.reached(9))
        #expect(next == HandedSession(session: "y", reached: Self.reached(5, 9)))
        #expect(Self.first.next("y", claimed: DateStretches()).reached == Self.reached(5))
    }

    /// Where dates stepped back by more than the viewer was followed, what lies between was not reached.
    @Test func datesBetweenTwoClocksWereNotReached() {
        let handed = HandedSession(Self.first.next("y", claimed: Self.reached(48)).bytes)
        for (hour, isReached) in [(3, false), (5, true), (6, false), (46, false), (48, true), (49, false)] {
            #expect(handed.reached.contains(UnixTime(milliseconds: Int64(hour) * 3_600_000)) == isReached)
        }
    }

    /// An older agent knows only the newest date: nothing before it is sent. What it hands on has that date alone.
    @Test(arguments: ["", #","reachedUs":[[5,6]]"#, #","reachedUs":[[7,5]]"#, #","reachedUs":1"#])
    func anOlderAgentReachedAllBefore(members: String) {
        let text = #"{"schema":"adtop-handover/1","session":"x","sendsAfterUs":7\#(members)}"#
        let handed = HandedSession(Array(text.utf8))
        for (date, isReached) in [(Int64.min, true), (7, true), (8, false)] {
            #expect(handed.reached.contains(UnixTime(microseconds: date)) == isReached)
        }
        #expect(HandedSession(handed.bytes) == handed)
    }
}
