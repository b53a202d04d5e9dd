import HLS
import Ports
import Testing

/// Switching to another variant without moving the timeline (HLS-14).
@Suite struct TimelineVariantsTests {
    private var follower = PlaylistFollower(prefersLowLatency: true)
    private var clock = 0.0

    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    private mutating func take(_ playlist: MediaPlaylist) -> Reload {
        clock += 1
        return follower.noteParsed(
            ParsedPlaylist(uri: "u", kind: .media(playlist), findings: []), ReloadExchange(requested: moment(clock)))
    }

    /// The playlist of another encoder: the same dates as `steady(first)`, other sequence numbers.
    private func other(_ first: Int, number: Int, edit: (inout MediaPlaylist) -> Void = { _ in }) -> MediaPlaylist {
        listing(number, Array(repeating: 6, count: 6), date: Double(first) * 6, edit: edit)
    }

    @Test mutating func datesKeepTheirPlaces() throws {
        _ = take(steady(100))
        let before = follower.timeline
        follower.variantChanged(to: "v", at: moment(2))
        let reload = take(other(101, number: 7))
        #expect(reload.outcome == .changed && reload.findings.isEmpty && !reload.isReset)
        let after = follower.timeline
        #expect(after.epoch == before.epoch)
        #expect(after.window?.firstSequence == 7)
        #expect(after.window?.start == .second(6) && after.window?.end == .second(42))
        for seconds in [600.0, 607, 620, 635] {
            #expect(after.position(of: .second(seconds)) == before.position(of: .second(seconds)))
        }
        #expect(after.date(at: .second(3)) == .second(603), "what left the window keeps its date")
        #expect(take(other(102, number: 8)).findings.isEmpty, "numbers count on from there")
        #expect(follower.timeline.window?.end == .second(48))
    }

    /// A delta update, readable or not, has nothing to be merged into.
    @Test(arguments: [true, false]) mutating func aVariantBeginsWithAWholePlaylist(isReadable: Bool) {
        _ = take(steady(100))
        follower.variantChanged(to: "v", at: moment(2))
        let delta = other(101, number: 7) { playlist in
            if isReadable { playlist.skip = SkippedSegments(count: 2) }
            playlist.hasUnreadableSkip = !isReadable
        }
        #expect(take(delta).outcome == .deltaIncomplete)
        #expect(follower.timeline.window?.firstSequence == 100)
        #expect(take(other(101, number: 7)).outcome == .changed)
        #expect(follower.timeline.window?.firstSequence == 7)
    }

    @Test mutating func aVariantThatIsBehindDoesNotCountAsGrown() {
        _ = take(steady(100))
        let advance = follower.schedule.lastAdvance
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(other(99, number: 7))
        #expect(follower.timeline.window?.end == .second(30))
        #expect(follower.timeline.window?.start == .second(-6))
        #expect(follower.schedule.lastAdvance == advance)
    }

    @Test mutating func segmentsNeedNotBeCutAlike() {
        _ = take(steady(100))
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(listing(7, [4, 4, 4, 4], date: 620, target: 6))
        #expect(follower.timeline.window?.start == .second(20))
        #expect(follower.timeline.window?.end == .second(36))
        #expect(follower.timeline.segment(at: .second(19))?.sequence == 103, "cut where the other one begins")
        #expect(follower.timeline.segment(at: .second(21))?.sequence == 7)
    }

    @Test mutating func withoutDatesTheEndsCoincide() {
        _ = take(listing(50, [6, 6, 6], date: nil))
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(listing(9, [6, 6], date: nil))
        #expect(follower.timeline.window?.start == .second(6))
        #expect(follower.timeline.window?.end == .second(18))
    }

    @Test mutating func aVariantWithoutDatesHasThoseOfItsPlace() {
        _ = take(steady(100))
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(listing(7, Array(repeating: 6, count: 6), date: nil))
        #expect(follower.timeline.window?.start == .zero)
        #expect(follower.timeline.window?.startDate == .second(600))
        #expect(follower.timeline.window?.endDate == .second(636))
    }

    @Test(arguments: [nil, 300] as [Double?]) mutating func withoutDatesADiscontinuityAligns(knownDate: Double?) {
        func playlist(_ first: Int, _ durations: [Double], cut: Int, date: Double? = nil) -> MediaPlaylist {
            listing(first, durations, date: date) {
                $0.segments[cut].isDiscontinuity = true
                for index in cut..<durations.count { $0.segments[index].discontinuitySequence = 4 }
            }
        }
        _ = take(playlist(50, [6, 6, 6], cut: 1, date: knownDate))
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(playlist(9, [6, 6, 6, 6], cut: 1))
        #expect(follower.timeline.window?.start == .zero)
        #expect(follower.timeline.window?.end == .second(24))
    }

    @Test mutating func breaksThatWereSeenAreNotFoundAgain() {
        func cues(_ offset: Int) -> (inout MediaPlaylist) -> Void {
            return { playlist in
                playlist.cuePoints = [
                    CuePoint(kind: .out, tag: "EXT-X-CUE-OUT", sequence: playlist.mediaSequence + offset),
                    CuePoint(kind: .in, tag: "EXT-X-CUE-IN", sequence: playlist.mediaSequence + offset + 2),
                ]
            }
        }
        _ = take(steady(100, edit: cues(2)))
        follower.variantChanged(to: "v", at: moment(2))
        _ = take(other(101, number: 7, edit: cues(1)))
        _ = take(other(102, number: 8, edit: cues(0)))
        #expect(follower.breaks.breaks.map(\.startStream) == [.second(12)])
        _ = take(other(106, number: 12, edit: cues(2)))
        #expect(follower.breaks.breaks.map(\.startStream) == [.second(12), .second(48)], "a new one is")
    }

    @Test mutating func variantsThatDifferWhereTheyMustNotAreReported() {
        _ = take(steady(100))
        follower.variantChanged(to: "v", at: moment(2))
        let reload = take(
            other(101, number: 7) {
                $0.targetDuration = .seconds(8)
                $0.serverControl = ServerControl(holdBack: .seconds(24))
            })
        #expect(
            reload.findings.map { "\($0.rule) \($0.message)" } == [
                "variant-mismatch the variants differ in EXT-X-TARGETDURATION, EXT-X-SERVER-CONTROL"
            ])
    }

    @Test mutating func aDeltaOrNothingIsNotTakenForTheVariant() {
        _ = take(steady(100))
        follower.variantChanged(to: "v", at: moment(2))
        var delta = other(101, number: 7)
        delta.skip = SkippedSegments(count: 2)
        #expect(take(delta).outcome == .deltaIncomplete)
        #expect(take(listing(7, [], date: nil)).outcome == .unchanged)
        #expect(follower.timeline.awaitsVariant)
        #expect(follower.timeline.window?.lastSequence == 105)
    }

    @Test mutating func theReportOfTheOtherVariantTellsWhereItIs() {
        _ = take(
            steady(100) {
                $0.partTarget = .seconds(1)
                $0.serverControl = ServerControl(canBlockReload: true)
                $0.trailingParts = [PartialSegment(sequence: 106, index: 0, uri: "p", duration: .seconds(1))]
                $0.renditionReports = [RenditionReport(uri: "https://b.example.com/v.m3u8", lastSequence: 31)]
            })
        follower.variantChanged(to: "https://b.example.com/v.m3u8?token=1", at: moment(2))
        #expect(follower.directives(at: moment(2)).text == "_HLS_msn=31&_HLS_part=0")
        #expect(follower.schedule.nextReload == moment(2))
        follower.variantChanged(to: "https://c.example.com/v.m3u8", at: moment(3))
        #expect(follower.directives(at: moment(3)).isEmpty)
    }
}
