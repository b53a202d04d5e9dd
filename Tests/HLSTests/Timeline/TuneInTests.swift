import HLS
import Ports
import Testing

/// Catching up with an old playlist from a cache (rfc8216bis-22 appendix C).
@Suite struct TuneInTests {
    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    private func timeline(first: Int = 10, parts: Int, target: Double = 1) -> Timeline {
        var timeline = Timeline(prefersLowLatency: true)
        _ = timeline.fold(
            listing(first, [4, 4, 4, 4], date: Double(first) * 4, target: 4) {
                $0.partTarget = .seconds(target)
                $0.serverControl = ServerControl(canBlockReload: true)
                $0.trailingParts = (0..<parts).map {
                    PartialSegment(sequence: first + 4, index: $0, uri: "p\($0)", duration: .seconds(target))
                }
            })
        return timeline
    }

    @Test func asksForWhatWasMadeSince() throws {
        let timeline = timeline(parts: 2)
        let tuneIn = try #require(TuneIn(age: .seconds(5), timeline: timeline, at: moment(0)))
        let atOnce = try #require(tuneIn.aim(timeline, at: moment(0)))
        #expect([atOnce.sequence, atOnce.part] == [15, 2], "parts 14.2 14.3 15.0 15.1 15.2 are five seconds")
        let later = try #require(tuneIn.aim(timeline, at: moment(1.5)))
        #expect([later.sequence, later.part] == [15, 3], "time goes on meanwhile")
    }

    @Test func isDoneWhenThePlaylistHasGrownByItsAge() throws {
        let tuneIn = try #require(TuneIn(age: .seconds(4), timeline: timeline(parts: 0), at: moment(0)))
        var grown = timeline(parts: 0)
        _ = grown.fold(
            listing(11, [4, 4, 4, 4], date: 44, target: 4) {
                $0.partTarget = .seconds(1)
                $0.serverControl = ServerControl(canBlockReload: true)
            })
        #expect(tuneIn.aim(grown, at: moment(0.5)) == nil)
        #expect(tuneIn.aim(grown, at: moment(1)) != nil, "the next part is due")
    }

    @Test func ageCountsInWholeSeconds() {
        #expect(TuneIn(age: .seconds(1), timeline: timeline(parts: 1, target: 2), at: moment(0)) == nil)
        let short = timeline(parts: 1, target: 0.5)
        #expect(TuneIn(age: .zero, timeline: short, at: moment(0))?.aim(short, at: moment(0)) != nil)
    }

    @Test func onlyABlockingServerCanBeTunedInto() {
        var plain = Timeline(prefersLowLatency: true)
        _ = plain.fold(listing(0, [4, 4, 4], date: 0) { $0.partTarget = .seconds(1) })
        #expect(TuneIn(age: .seconds(9), timeline: plain, at: moment(0)) == nil)
        #expect(TuneIn(age: .seconds(9), timeline: Timeline(prefersLowLatency: true), at: moment(0)) == nil)
    }

    @Test func theFollowerGivesUpAfterSomeRounds() {
        var follower = PlaylistFollower(prefersLowLatency: true)
        var requests = 0
        let stuck = timeline(parts: 1).playlist
        for round in 0..<10 {
            let directives = follower.directives(at: moment(Double(round)))
            if round > 0, !follower.isTuningIn { break }
            requests += 1
            let parsed = ParsedPlaylist(
                uri: "u", kind: stuck.map { .media($0) } ?? .invalid(rule: ""), findings: [])
            _ = follower.noteParsed(
                parsed,
                ReloadExchange(
                    requested: moment(Double(round)), directives: directives, age: .seconds(round == 0 ? 9 : 0)))
        }
        #expect(requests == 1 + TuneIn.roundLimit)
    }
}
