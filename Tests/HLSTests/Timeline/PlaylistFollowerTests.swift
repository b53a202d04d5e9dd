import HLS
import Ports
import Testing

/// One call per answer updates timeline, schedule and breaks together.
@Suite struct PlaylistFollowerTests {
    private var follower = PlaylistFollower()

    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    private func parsed(_ kind: ParsedPlaylist.Kind) -> ParsedPlaylist {
        ParsedPlaylist(uri: "https://cdn.example.com/live/media.m3u8", kind: kind, findings: [])
    }

    @Test mutating func answersAreCountedAndFolded() {
        let first = follower.noteParsed(parsed(.media(steady(0))), ReloadExchange(requested: moment(36)))
        let second = follower.noteParsed(
            parsed(.media(steady(1))), ReloadExchange(requested: moment(42), answered: moment(43)))
        #expect([first.index, second.index] == [0, 1])
        #expect(follower.timeline.window?.lastSequence == 6)
        #expect(follower.schedule.nextReload == moment(48))
        #expect(follower.reloadCount == 2)
    }

    @Test mutating func whatIsNoPlaylistLeavesTheTimelineAlone() {
        _ = follower.noteParsed(parsed(.media(steady(0))), ReloadExchange(requested: moment(36)))
        let timeline = follower.timeline
        let invalid = follower.noteParsed(parsed(.invalid(rule: "no-extm3u")), ReloadExchange(requested: moment(42)))
        let other = follower.noteParsed(
            parsed(.multivariant(MultivariantPlaylist(uri: "https://cdn.example.com/main.m3u8"))),
            ReloadExchange(requested: moment(43)))
        #expect(invalid.outcome == .invalid && invalid.findings.map(\.rule) == ["invalid-playlist"])
        #expect(invalid.findings.first?.message.contains("no-extm3u") == true)
        #expect(other.outcome == .invalid)
        #expect(follower.timeline == timeline)
        #expect(follower.schedule.nextReload == moment(45), "the second error in a row")
    }

    @Test mutating func failuresSayWhatCame() {
        let unanswered = follower.noteFailure(
            status: nil, reason: "connection refused", ReloadExchange(requested: moment(0)))
        let gone = follower.noteFailure(status: 404, ReloadExchange(requested: moment(1), retryAfter: .seconds(20)))
        #expect(unanswered.outcome == .error)
        #expect(unanswered.findings.map(\.message) == ["connection refused"])
        #expect(gone.findings.map(\.message) == ["the playlist was answered with 404"])
        #expect(follower.schedule.nextReload == moment(21))
    }

    @Test mutating func stalenessComesWithTheAnswer() {
        _ = follower.noteParsed(parsed(.media(steady(0))), ReloadExchange(requested: moment(0)))
        let late = follower.noteFailure(status: 503, ReloadExchange(requested: moment(22)))
        #expect(late.findings.map(\.rule) == ["http-error", "playlist-stuck"] && late.isStale)
    }

    @Test mutating func deltaUpdatesNeedWhatTheySkip() {
        func delta(_ first: Int) -> MediaPlaylist {
            var delta = listing(first + 3, [6, 6, 6, 6], date: nil)
            delta.mediaSequence = first
            delta.skip = SkippedSegments(count: 3)
            return delta
        }
        _ = follower.noteParsed(parsed(.media(steady(0))), ReloadExchange(requested: moment(36)))
        let merged = follower.noteParsed(parsed(.media(delta(1))), ReloadExchange(requested: moment(42)))
        #expect(merged.outcome == .changed && merged.findings.isEmpty)
        #expect(follower.timeline.window?.end == .second(48))
        #expect(follower.timeline.window?.endDate == .second(48), "dates go on from the skipped segments")
        let torn = follower.noteParsed(parsed(.media(delta(20))), ReloadExchange(requested: moment(48)))
        #expect(torn.outcome == .deltaIncomplete)
        #expect(torn.findings.map(\.rule) == ["delta-update-incomplete"])
        #expect(follower.timeline.window?.end == .second(48))
        #expect(follower.schedule.nextReload == moment(48), "at once, for a complete one")
    }

    @Test mutating func breaksAreFollowed() {
        let out = CuePoint(kind: .out, tag: "EXT-X-CUE-OUT", sequence: 3)
        let back = CuePoint(kind: .in, tag: "EXT-X-CUE-IN", sequence: 6)
        _ = follower.noteParsed(
            parsed(.media(steady(0) { $0.cuePoints = [out] })), ReloadExchange(requested: moment(36)))
        _ = follower.noteFailure(status: 500, ReloadExchange(requested: moment(42)))
        _ = follower.noteParsed(
            parsed(.media(steady(1) { $0.cuePoints = [out, back] })),
            ReloadExchange(requested: moment(43)))
        #expect(follower.breaks.breaks.map(\.end) == [.second(36)])
        #expect(follower.breaks.breaks.map(\.endedReload) == [2])
    }
}
