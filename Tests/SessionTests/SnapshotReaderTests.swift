import AdTracking
import Ports
import Testing

@testable import Session

@Suite struct SnapshotReaderTests {
    private static let now = Moment(wall: UnixTime(milliseconds: 1_795_355_628_000), uptime: .seconds(100))

    /// A snapshot with something in every part that is read.
    private static var sample: Snapshot {
        var snapshot = Snapshot.empty(at: now, named: "ch7")
        snapshot.session.mediaURL = "https://cdn.example.net/ch7/master.m3u8"
        snapshot.session.phase = .running
        snapshot.session.mode = .fire
        snapshot.session.playlistHealth = FeedHealth(
            state: .good, status: 200, took: .milliseconds(38), bytes: 2_100, lastGoodAt: now, consecutiveFailures: 0)
        snapshot.playhead.state = .playing
        snapshot.playhead.date = now.wall - .seconds(12)
        snapshot.playhead.latency = .seconds(12)
        var url = URLView(id: "u1", url: "https://t.example/i?cb=[CACHEBUSTING]", state: .acknowledged, attempts: [])
        url.requested = "https://t.example/i?cb=1"
        url.late = .milliseconds(41)
        url.attempts = [
            AttemptView(
                at: now.advanced(by: .seconds(-3)),
                exchange: BeaconAnswer(
                    HTTPExchange(
                        hops: [HTTPExchange.Hop(url: "https://t.example/i?cb=1", status: 204, fields: [])],
                        timings: HTTPExchange.Timings(connect: 900, wait: 30_000, total: 37_000))))
        ]
        let event = EventView(
            id: "e1", event: "impression", start: now.wall - .seconds(15), duration: .zero, state: .done,
            isUserTriggered: false, urls: [url])
        let ad = AdView(
            id: "a1", name: "ad-1", label: "A1", start: now.wall - .seconds(15), duration: .seconds(30), isOnAir: true,
            hasVanished: false, events: [event], extras: [ExtraView(name: "AdTitle", value: "Shoes")])
        snapshot.breaks = [
            BreakView(
                id: "b1", name: "break-1", label: "B1", start: now.wall - .seconds(15), duration: .seconds(60),
                plannedEnd: now.wall + .seconds(45), source: "metadata", isOnAir: true, hasEnded: false,
                hasVanished: false, ads: [ad])
        ]
        snapshot.breaks[0].problem = "answered 404"
        (snapshot.counters.beaconsSent, snapshot.counters.retries) = (7, 3)
        snapshot.counters.events = [.done: 1]
        snapshot.activity.beaconsPerSecond = [0, 1, 0]
        snapshot.log.append(
            LogEntry(
                number: 3, at: now, level: .warning, message: "metadata late",
                adBreak: LogEntry.Break(name: "break-1", start: now.wall - .seconds(15))))
        let place = FindingView.Place(
            place: FindingPlace(
                adBreak: "break-1", start: now.wall - .seconds(15), ad: "ad-1", event: "impression"),
            message: "a duration", count: 2, last: now)
        snapshot.findings = [
            FindingView(
                finding: Finding(rule: "L03", severity: .warning, message: "a duration"), count: 2, first: now,
                last: now, places: [place]),
            FindingView(
                finding: Finding(rule: "L35", severity: .warning, message: "late"), count: 1, first: now, last: now,
                date: now.wall - .seconds(12)),
        ]
        return snapshot
    }

    /// What is read back is written as it was.
    @Test func whatIsWrittenIsRead() throws {
        let json = SnapshotJSON(isRedacted: false).value(of: Self.sample)
        // Each beacon once, as in the header.
        #expect(json["counters"]?["beaconsSent"]?.integerValue == 4)
        let read = try #require(SnapshotReader.read(json, age: .zero, now: Self.now))
        #expect(SnapshotJSON(isRedacted: false).value(of: read) == json)
        #expect(read.breaks == Self.sample.breaks)
        #expect(read.findings == Self.sample.findings)
    }

    /// Pictures of earlier agents have no dates of findings.
    @Test func findingsOfEarlierAgentsAreRead() throws {
        var json = try #require(SnapshotJSON().value(of: Self.sample).objectValue)
        json["findings"] = [["rule": "L35", "severity": "warning", "message": "late"]]
        let read = try #require(SnapshotReader.read(.object(json), age: .zero, now: Self.now))
        #expect(
            read.findings == [
                FindingView(
                    finding: Finding(rule: "L35", severity: .warning, message: "late"), count: 0, first: Self.now,
                    last: Self.now)
            ])
    }

    /// What a session asks for about prefetched ads is in snapshots and in pictures.
    @Test(arguments: [("news 1", nil), (nil, "MANIFEST"), ("news 1", "MANIFEST"), (nil, nil)] as [(String?, String?)])
    func prefetchingIsRead(stream: String?, mode: String?) throws {
        var snapshot = Self.sample
        snapshot.session.service = ServiceView(mode: "client")
        snapshot.session.service?.prefetch = ProviderStatus.Prefetch(stream: stream, mode: mode)
        let json = SnapshotJSON().value(of: snapshot)
        let written = try #require(json["session"]?["service"]?["prefetch"])
        #expect((written == .null) == (stream == nil && mode == nil))
        let read = try #require(SnapshotReader.read(json, age: .zero, now: Self.now))
        #expect(read.session.service?.prefetch == snapshot.session.service?.prefetch)
    }

    /// A picture may be minutes old, so the times of requests that it plans are not read. That none follows is.
    @Test func plannedRequestsAreNotRead() throws {
        var snapshot = Self.sample
        snapshot.session.service = ServiceView(interval: .seconds(4))
        for reason in PollReason.allCases {
            let isLast = reason == .complete
            snapshot.session.service?.next = NextPollView(at: isLast ? nil : Self.now, reason: reason)
            let json = SnapshotJSON().value(of: snapshot)
            let next = try #require(json["session"]?["service"]?["next"])
            #expect(next["reason"]?.stringValue == reason.rawValue)
            #expect(next["atMs"]?.integerValue == (isLast ? nil : Self.now.wall.milliseconds))
            let read = try #require(SnapshotReader.read(json, age: .zero, now: Self.now))
            #expect(read.session.service?.next == (isLast ? NextPollView(at: nil, reason: .complete) : nil))
        }
    }

    /// Moments are on our uptime, so that ages are right whatever the two wall clocks show.
    @Test func momentsAreOnOurUptime() throws {
        let json = SnapshotJSON().value(of: Self.sample)
        let later = Moment(wall: Self.now.wall + .seconds(3_600), uptime: .seconds(500))
        let read = try #require(SnapshotReader.read(json, age: .seconds(7), now: later))
        #expect(read.at.uptime == .seconds(493))
        #expect(read.at.wall == Self.now.wall)
        #expect(read.log.last?.at.uptime == .seconds(493))
    }

    @Test func anotherSchemaIsNone() {
        #expect(SnapshotReader.read(["schema": "adtop-snapshot/2", "atMs": 1], age: .zero, now: Self.now) == nil)
        #expect(SnapshotReader.read([], age: .zero, now: Self.now) == nil)
        #expect(
            SnapshotReader.read(["schema": "adtop-snapshot/1", "atMs": 9e300], age: .zero, now: Self.now) == nil)
    }

    /// Each leaf replaced by nonsense: the rest is read, and nothing traps.
    @Test func nonsenseIsLeftOut() throws {
        let json = SnapshotJSON().value(of: Self.sample)
        let nonsense: [JSONValue] = [
            nil, "x", true, [], 1e300, -1, .integer(.max), .integer(.min), ["a": 1], "\u{1B}[31m",
        ]
        for value in nonsense {
            for changed in Self.replacingLeaves(of: json, with: value) {
                guard let read = SnapshotReader.read(changed, age: .zero, now: Self.now) else { continue }
                _ = SnapshotJSON().value(of: read).text()
            }
        }
    }

    /// The value with each of its leaves replaced, one after the other.
    private static func replacingLeaves(of value: JSONValue, with leaf: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let object):
            return object.members.flatMap { member in
                replacingLeaves(of: member.value, with: leaf).map { changed in
                    var copy = object
                    copy[member.name] = changed
                    return .object(copy)
                }
            }
        case .array(let values):
            return [leaf]
                + values.indices.flatMap { index in
                    replacingLeaves(of: values[index], with: leaf).map { changed in
                        var copy = values
                        copy[index] = changed
                        return .array(copy)
                    }
                }
        default: return [leaf]
        }
    }
}
