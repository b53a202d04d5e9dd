import AdTracking
import HLS
import Ports
import Testing

@testable import Session

/// What answers mean for the playlist alone, with nothing but a desk.
@Suite struct PlaylistAnswersTests {
    private static let url = "http://127.0.0.1/live.m3u8"
    private static let undated = PlaylistPart.Dating(ofRecordings: false, ofLiveStreams: false)

    /// A playlist and its desk; the clock moves by a second with each answer.
    private struct Course {
        var playlist: PlaylistPart
        var desk: Desk
        var now = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(10))

        init(_ change: (inout MonitorConfiguration) -> Void = { _ in }) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL(PlaylistAnswersTests.url))
            change(&configuration)
            playlist = PlaylistPart(configuration, seed: 1)
            desk = Desk(configuration, seed: 1)
        }

        mutating func answered(_ status: Int, _ text: String = "") -> PlaylistPart.Answer {
            now = now.advanced(by: .seconds(1))
            return playlist.answered(exchange(status, text), requested: now, &desk, at: now)
        }

        func exchange(_ status: Int, _ text: String = "") -> HTTPExchange {
            HTTPExchange(
                hops: [.init(url: PlaylistAnswersTests.url, status: status, fields: [])], body: Array(text.utf8),
                timings: .init(total: 20_000))
        }

        /// Takes a text as the session does.
        mutating func take(
            _ text: String, isManifest: Bool = true, _ dating: PlaylistPart.Dating = PlaylistAnswersTests.undated
        ) throws -> PlaylistPart.Taken {
            guard case .text(let parsed) = answered(200, text) else { throw CourseProblem() }
            let taken = playlist.take(
                parsed, exchange(200, text), isManifest: isManifest, dating: dating, requested: now, &desk, at: now)
            if case .media(let reload) = taken {
                playlist.succeeded(exchange(200, text), reload, &desk, at: now)
            }
            return taken
        }

        var log: [String] { desk.log.view.suffix(100).map(\.message) }
    }

    private struct CourseProblem: Error {}

    private static func media(_ first: Int = 0, ends: Bool = false) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + (first..<first + 4).map { "#EXTINF:4.0,\nseg\($0).ts\n" }.joined() + (ends ? "#EXT-X-ENDLIST\n" : "")
    }

    @Test func aTextGoesOnTheTimelineAndPlansTheNextReload() throws {
        var course = try Course()
        guard case .media = try course.take(Self.media()) else { throw CourseProblem() }
        #expect(course.playlist.follower.timeline.listed.count == 4 && course.playlist.isKnown)
        #expect(course.playlist.nextAt.map { $0 > course.now.uptime } == true)
        #expect(course.playlist.record.health.state == .good && course.desk.opening == nil)
        #expect(course.desk.counters.playlistReloads == 1)
        #expect(course.log.contains { $0.hasPrefix("playlist: live, 4 segments") })
    }

    /// It counts before that of the media playlist, for each variant (HLS-10).
    @Test func theMultivariantPlaylistNamesTheStart() throws {
        func multivariant(_ tag: String) -> String { "#EXTM3U\n\(tag)#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n" }
        let media = Self.media() + "#EXT-X-START:TIME-OFFSET=2\n"
        for (tag, start) in [("#EXT-X-START:TIME-OFFSET=-13\n", -13), ("", 2)] {
            var course = try Course()
            _ = try course.take(multivariant(tag))
            _ = try course.take(media, isManifest: false)
            #expect(course.playlist.follower.timeline.startPoint?.timeOffset == .seconds(start))
        }
    }

    // MARK: Streams without dates

    private static let dated = PlaylistPart.Dating(ofRecordings: true, ofLiveStreams: true)

    /// A packager that has just begun lists no segment yet: the dates of the stream are those of the first one.
    @Test(arguments: [false, true]) func anEmptyPlaylistCostsNoDates(ends: Bool) throws {
        var course = try Course()
        _ = try course.take("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n", Self.dated)
        #expect(course.playlist.isKnown && course.playlist.follower.timeline.segments.isEmpty)
        _ = try course.take(Self.media(ends: ends), Self.dated)
        let end = ends ? UnixTime(microseconds: 16_000_000) : course.now.wall
        #expect(course.playlist.follower.timeline.window?.endDate == end)
    }

    /// Each variant of a recording counts from its start.
    @Test func anotherVariantOfARecordingHasItsDates() throws {
        var course = try Course()
        _ = try course.take(Self.media(ends: true), Self.dated)
        course.playlist.follower.variantChanged(to: "http://127.0.0.1/low.m3u8", at: course.now)
        _ = try course.take(Self.media(100, ends: true), Self.dated)
        let timeline = course.playlist.follower.timeline
        #expect(timeline.variantChanges == 1 && timeline.window?.start == StreamTime.zero)
        #expect(
            timeline.listed.map(\.date) == [0, 4, 8, 12].map { UnixTime(microseconds: $0 * 1_000_000) })
    }

    @Test func aLiveStreamThatEndsKeepsItsDates() throws {
        var course = try Course()
        _ = try course.take(Self.media(), Self.dated)
        let end = course.now.wall
        _ = try course.take(Self.media(1, ends: true), Self.dated)
        #expect(course.playlist.follower.timeline.window?.endDate == end + .seconds(4))
    }

    // MARK: Answers without a playlist

    /// A cache in front of the server.
    @Test func anUnchangedPlaylistIsNoFailure() throws {
        var course = try Course()
        guard case .failed("answered 304") = course.answered(304) else { throw CourseProblem() }
        _ = try course.take(Self.media())
        guard case .unchanged = course.answered(304) else { throw CourseProblem() }
    }

    @Test(arguments: [
        (404, "", "answered 404"), (200, "<html>", "not a playlist: "),
        (200, "<?xml version=\"1.0\"?><MPD/>", "DASH manifest"),
    ])
    func whatIsOfNoUseHasAReason(_ status: Int, _ text: String, _ beginning: String) throws {
        var course = try Course()
        let problem: String
        switch course.answered(status, text) {
        case .failed(let reason): problem = reason
        case .unchanged: throw CourseProblem()
        case .text:
            guard case .failed(let reason) = try course.take(text) else { throw CourseProblem() }
            problem = reason
        }
        #expect(problem.hasPrefix(beginning), "\(problem)")
        #expect(!course.playlist.isKnown && course.playlist.follower.timeline.playlist == nil)
    }

    @Test func aMultivariantPlaylistLeadsToAVariant() throws {
        var course = try Course()
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nlow.m3u8\n"
        guard case .awaitsMedia = try course.take(text) else { throw CourseProblem() }
        #expect(course.playlist.isKnown && course.playlist.variantURL?.text == "http://127.0.0.1/low.m3u8")
        guard case .failed(let problem) = try course.take(text, isManifest: false) else { throw CourseProblem() }
        #expect(problem == "received a multivariant playlist instead of a media playlist")
    }

    /// Ads need a place: which streams get dates is decided by the session.
    @Test func onlyStreamsThatNeedDatesGetThem() throws {
        for (isDated, ends) in [(false, false), (true, false), (false, true), (true, true)] {
            var course = try Course()
            _ = try course.take(
                Self.media(ends: ends), PlaylistPart.Dating(ofRecordings: isDated, ofLiveStreams: isDated))
            let end = course.playlist.follower.timeline.window?.endDate
            #expect((end != nil) == isDated, "complete: \(ends)")
            if isDated, !ends { #expect(end == course.now.wall) }
        }
    }

    /// A failure is noted apart: what the timeline shows comes before it in the log.
    @Test func aFailureIsNotedOnce() throws {
        var course = try Course()
        _ = try course.take(Self.media())
        let lines = course.log.count
        for _ in 0..<2 {
            guard case .failed(let problem) = course.answered(503) else { throw CourseProblem() }
            let failure = course.playlist.failed(
                course.exchange(503), problem, requested: course.now, &course.desk, at: course.now)
            #expect(failure.load == .counts && failure.next.map { $0 > course.now.uptime } == true)
            course.playlist.note(failure, &course.desk, at: course.now)
        }
        #expect(course.log.dropFirst(lines).filter { $0.hasPrefix("playlist: answered 503") }.count == 1)
        #expect(course.playlist.record.isFailing && course.playlist.record.health.consecutiveFailures == 2)
    }

    /// An ended channel that is looked at in vain is no error.
    @Test func aLookInVainIsNoError() throws {
        var course = try Course()
        _ = try course.take(Self.media())
        _ = try course.take(Self.media(4, ends: true))
        #expect(course.playlist.ended.isLooking)
        course.playlist.lookFailed(course.exchange(404), "answered 404", &course.desk, at: course.now)
        #expect(!course.playlist.record.isFailing && course.playlist.nextAt != nil)
        #expect(course.playlist.ended.wantsManifest)
    }
}
