import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// Which poll brought a break, what each later one changed, and how late that was.
@Suite struct BreakGrowthTests {
    private static let first = FakeOrigin.Ad("a1", start: 80_000, duration: 10_000)
    private static let second = FakeOrigin.Ad("a2", start: 90_000, duration: 15_000)

    /// A session in which a break of one ad gets a second one with the documents from `milliseconds` of media time on.
    private static func session(secondAt milliseconds: Int64) throws -> MonitorHarness {
        var origin = FakeOrigin(breaks: [.init(id: "b1", ads: [first, second])])
        let grown = origin
        var small = origin
        small.breaks = [.init(id: "b1", ads: [first])]
        origin.override = { [small] request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let isGrown = now.wall >= FakeOrigin.start + .milliseconds(milliseconds)
            return FakeOrigin.text(
                (isGrown ? grown : small).metadata(at: now), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        return session
    }

    /// Steps are kept as bytes.
    @Test func aStepComesBackAsItWas() {
        let at = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .nanoseconds(7_200_000_000_001))
        let empty = GrowthStep(poll: nil, at: at)
        var full = GrowthStep(poll: 18, ping: 3, at: at)
        full.newAds = ["a1", "", "Käse"]
        (full.newAdCount, full.newEventCount, full.vanishedCount) = (9, 300, 1)
        (full.returnedCount, full.changedURLCount) = (2, 70_000)
        (full.moved, full.length, full.late) = (.seconds(-1), .init(from: .zero, to: .seconds(25)), .milliseconds(1))
        var grown = GrowthStep(poll: 19, at: at)
        grown.length = .init(from: nil, to: .seconds(10))
        var growth = BreakGrowth()
        #expect(growth.steps.isEmpty)
        growth.steps = [empty, full, grown]
        #expect(growth.steps == [empty, full, grown])
        growth.steps[1].ping = nil
        full.ping = nil
        #expect(growth.steps == [empty, full, grown])
        growth.steps = []
        #expect(growth == BreakGrowth())
    }

    @Test func eachPollThatChangedABreakIsAStep() throws {
        var session = try Self.session(secondAt: 86_000)
        session.run(untilEdge: 130_000)
        let growth = try #require(session.snapshot().breaks.first).growth
        try #require(growth.steps.count == 2, "\(growth.steps)")
        let (brought, grew) = (growth.steps[0], growth.steps[1])
        #expect(brought.newAds == ["a1"] && brought.newAdCount == 1 && brought.late == nil)
        #expect(brought.length == .init(from: nil, to: .seconds(10)))
        #expect(grew.newAds == ["a2"] && grew.length == .init(from: .seconds(10), to: .seconds(25)))
        // The viewer is behind the edge, so the second ad was there in time.
        #expect(grew.late == nil)
        #expect(grew.at.wall >= FakeOrigin.start + .seconds(86) && grew.at.wall < FakeOrigin.start + .seconds(91))
        let polls = try #require(brought.poll)
        #expect(try #require(grew.poll) > polls && polls > 1)
        #expect(session.snapshot().counters.metadataPolls > grew.poll ?? .max)
    }

    /// How far the viewer was beyond its start, by the clock of the poll.
    @Test func whatComesAfterItsStartIsLate() throws {
        var session = try Self.session(secondAt: 112_000)
        session.run(untilEdge: 140_000)
        let grew = try #require(session.snapshot().breaks.first?.growth.steps.last)
        let late = try #require(grew.late)
        let latency = try #require(session.snapshot().playhead.latency)
        let viewer = grew.at.wall - latency
        #expect(late == viewer - (FakeOrigin.start + .seconds(90)), "\(late)")
        #expect(late > .seconds(2) && late < .seconds(15))
        let json = SnapshotJSON().value(of: session.snapshot())["breaks"]?.arrayValue?.first?["growth"]?.arrayValue
        #expect(json?.last?["lateMs"]?.integerValue == late.roundedMilliseconds)
        #expect(json?.first?["lateMs"] == .null && json?.first?["fromDurationMs"] == .null)
    }

    /// A break that every poll changes has its beginning and its newest steps.
    @Test func theNumberOfStepsIsLimited() throws {
        var origin = FakeOrigin(breaks: [.init(id: "b1", ads: [Self.first])])
        let base = origin
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            var grown = base
            grown.breaks[0].ads[0].duration += Int64(count) * 500
            return FakeOrigin.text(grown.metadata(at: now), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 260_000)
        let growth = try #require(session.snapshot().breaks.first).growth
        #expect(growth.steps.count == GrowthPart.stepsKept && growth.omitted > 10)
        #expect(growth.steps[0].length?.from == nil && growth.steps[0].newAds == ["a1"])
        let polls = growth.steps.compactMap(\.poll)
        #expect(polls == polls.sorted() && polls.count == growth.steps.count)
        let lengths = growth.steps.dropFirst().compactMap(\.length)
        #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0.to == $1.from })
    }

    /// A session that another replaces begins with nothing.
    @Test func whatIsNotListedByADocumentHasNone() throws {
        var session = try MonitorHarness(FakeOrigin(hasSession: false))
        session.start()
        session.run(untilEdge: 90_000)
        #expect(session.snapshot().breaks.allSatisfy { $0.growth == BreakGrowth() })
    }
}
