import AdTracking
import HLS
import Ports
import Testing

/// Joining and commands (HLS-10, HLS-13 and HLS-15).
@Suite struct PlayheadTests {
    @Test func nothingPlaysBeforeThePlaylist() {
        var viewer = Viewer()
        viewer.tick(5)
        viewer.note(viewer.playhead.seekLive(at: .second(6), on: viewer.timeline))
        #expect(viewer.reading == PlayheadReading(state: .idle))
        #expect(viewer.segments.isEmpty && viewer.changes.isEmpty)
        #expect(viewer.playhead.nextWake == nil)
    }

    @Test(
        "where playback begins in a window of 36 s",
        arguments: [
            (Playhead.Start.automatic, "", false, 18.0),
            (.automatic, "#EXT-X-START:TIME-OFFSET=-10", false, 26),
            (.automatic, "#EXT-X-START:TIME-OFFSET=4.5", false, 4.5),
            (.automatic, "#EXT-X-START:TIME-OFFSET=-100", false, 0),
            (.automatic, "#EXT-X-START:TIME-OFFSET=100", false, 36),
            (.automatic, "", true, 0),
            (.automatic, "#EXT-X-START:TIME-OFFSET=12", true, 12),
            (.automatic, "#EXT-X-PLAYLIST-TYPE:VOD", false, 0),
            (.live, "#EXT-X-START:TIME-OFFSET=4.5", false, 18),
            (.offset(.seconds(-30)), "", false, 6),
            (.offset(.seconds(7)), "", false, 7),
            (.date(.second(20)), "", false, 20),
            (.date(.second(-20)), "", false, 0),
            (.continuing(.second(20)), "", false, 20),
            (.continuing(.second(-20)), "", false, 18),
            (.resuming(.second(20), at: .seconds(36)), "", false, 20),
            (.resuming(.second(-20), at: .seconds(10)), "", false, 0),
            (.resuming(.second(-30), at: .seconds(10)), "", false, 18),
        ])
    func joins(_ start: Playhead.Start, _ tags: String, _ isComplete: Bool, _ expected: Double) {
        var viewer = Viewer(start: start)
        viewer.reload(playlistText(0, tags: tags, isComplete: isComplete), at: 36.5)
        #expect(viewer.playhead.position == .second(expected))
        #expect(viewer.kinds.first == .joined(.second(expected)))
    }

    @Test(arguments: ["", "#EXT-X-START:TIME-OFFSET=4.5"])
    func joinsWhereTheMultivariantPlaylistWantsIt(_ tags: String) {
        var viewer = Viewer()
        viewer.follower.startFound(StartPoint(timeOffset: .seconds(-10)))
        viewer.reload(playlistText(0, tags: tags), at: 36.5)
        #expect(viewer.kinds.first == .joined(.second(26)))
    }

    /// What the viewer watched before the playlist was there is played, with the moments at which it was.
    @Test func aResumedViewerHasWatchedSince() {
        var viewer = Viewer(start: .resuming(.second(14), at: .seconds(32)))
        viewer.reload(playlistText(0), at: 36.5)
        viewer.tick(36.5)
        #expect(viewer.playhead.position == .second(18.5))
        #expect(viewer.ranges.map(\.fromStream) == [.second(14)] && viewer.ranges.map(\.toStream) == [.second(18.5)])
        #expect(viewer.ranges.map(\.fromMoment.uptime) == [.seconds(32)])
        viewer.tick(40)
        #expect(viewer.playhead.position == .second(22))
        #expect(viewer.reading.drift == .zero)
    }

    @Test func aPauseHoldsAndPlayResumes() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.note(viewer.playhead.pause(at: .second(38), on: viewer.timeline))
        viewer.note(viewer.playhead.pause(at: .second(39), on: viewer.timeline))
        viewer.tick(40)
        #expect(viewer.reading.state == .paused)
        #expect(viewer.playhead.position == .second(20))
        #expect(viewer.playhead.nextWake == nil)
        viewer.note(viewer.playhead.play(at: .second(41), on: viewer.timeline))
        viewer.tick(42)
        #expect(viewer.playhead.position == .second(21))
        #expect(viewer.kinds == [.joined(.second(18)), .paused, .played])
        #expect(viewer.ranges.count == 1, "a pause does not interrupt the played range")
        #expect(viewer.reading.drift == .seconds(3))
    }

    @Test func seeksAreClampedAndCloseTheRange() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(38)
        viewer.note(viewer.playhead.seek(by: .seconds(-10), at: .second(40), on: viewer.timeline))
        #expect(viewer.playhead.position == .second(12))
        viewer.tick(41)
        viewer.note(viewer.playhead.seek(to: .second(-5), at: .second(41), on: viewer.timeline))
        #expect(viewer.playhead.position == .zero)
        viewer.note(viewer.playhead.seek(toDate: .second(500), at: .second(41), on: viewer.timeline))
        #expect(viewer.playhead.position == .second(36))
        #expect(viewer.reading.state == .stalled)
        viewer.note(viewer.playhead.seekLive(at: .second(42), on: viewer.timeline))
        #expect(viewer.reading.state == .playing)
        viewer.tick(43)
        #expect(viewer.ranges.map(\.fromStream) == [.second(18), .second(12), .second(18)])
        #expect(viewer.ranges.map(\.toStream) == [.second(22), .second(13), .second(19)])
        #expect(viewer.segments.map(\.isContinuous) == [false, true, false, false])
    }

    @Test func aSeekToWhereItIsClosesTheRangeToo() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(38)
        viewer.note(viewer.playhead.seek(to: viewer.playhead.position, at: .second(38), on: viewer.timeline))
        viewer.tick(39)
        #expect(viewer.ranges.count == 2)
    }

    @Test func ratesAreClampedAndExact() {
        var viewer = Viewer(start: .offset(.zero))
        viewer.reload(playlistText(0), at: 36)
        viewer.note(viewer.playhead.setRate(2, at: .second(37), on: viewer.timeline))
        viewer.tick(40)
        #expect(viewer.playhead.position == .second(7))
        #expect(viewer.playhead.nextWake == .seconds(54.5), "29 s at double speed")
        viewer.note(viewer.playhead.setRate(1_000, at: .second(40), on: viewer.timeline))
        #expect(viewer.playhead.rate == 16)
        viewer.note(viewer.playhead.setRate(-1, at: .second(40), on: viewer.timeline))
        #expect(viewer.playhead.rate == 0.1)
        viewer.note(viewer.playhead.setRate(.nan, at: .second(40), on: viewer.timeline))
        #expect(viewer.playhead.rate == 0.1)
        #expect(viewer.segments.map(\.rate) == [1, 2])
        #expect(viewer.ranges.count == 1, "a change of speed is not a jump")
    }

    @Test func muteChangesNoPosition() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.note(viewer.playhead.setMuted(true, at: .second(37), on: viewer.timeline))
        viewer.note(viewer.playhead.setMuted(true, at: .second(38), on: viewer.timeline))
        viewer.note(viewer.playhead.setMuted(false, at: .second(39), on: viewer.timeline))
        #expect(viewer.kinds == [.joined(.second(18)), .muted, .unmuted])
        #expect(viewer.playhead.position == .second(21))
    }

    @Test func aPausedViewerBehindTheWindowJumpsOnPlay() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.note(viewer.playhead.pause(at: .second(36), on: viewer.timeline))
        viewer.reload(playlistText(4), at: 60)
        viewer.reload(playlistText(5), at: 66)
        #expect(viewer.kinds.filter { $0 == .fellBehind }.count == 1, "reported once")
        #expect(viewer.reading.date == .second(18), "its date is still known")
        viewer.note(viewer.playhead.play(at: .second(67), on: viewer.timeline))
        #expect(viewer.playhead.position == .second(48))
    }
}
