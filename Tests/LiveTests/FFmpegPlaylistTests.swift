import Foundation
import HLS
import Ports
import TestSupport
import Testing

/// Playlists of another program are read without error findings, alone and as reloads of one stream.
@Suite(.enabled(if: Tool.ffmpeg != nil, "ffmpeg is not installed"))
struct FFmpegPlaylistTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Options of the HLS muxer.
        var options: [String]
        var type: PlaylistType?
        var hasEndList: Bool
        var hasByteRanges = false
        var hasMap = false
    }

    static let cases = [
        Case(
            testDescription: "live", options: ["-hls_flags", "program_date_time+omit_endlist+delete_segments"],
            hasEndList: false),
        Case(
            testDescription: "EVENT",
            options: ["-hls_playlist_type", "event", "-hls_flags", "program_date_time+omit_endlist"], type: .event,
            hasEndList: false),
        Case(
            testDescription: "fMP4 live",
            options: ["-hls_segment_type", "fmp4", "-hls_flags", "program_date_time+omit_endlist+delete_segments"],
            hasEndList: false, hasMap: true),
        Case(
            testDescription: "fMP4 VOD", options: ["-hls_segment_type", "fmp4", "-hls_playlist_type", "vod"],
            type: .vod, hasEndList: true, hasMap: true),
        Case(
            testDescription: "byte ranges",
            options: ["-hls_flags", "single_file", "-hls_playlist_type", "vod", "-hls_list_size", "0"], type: .vod,
            hasEndList: true, hasByteRanges: true),
        Case(
            testDescription: "fMP4 byte ranges",
            options: ["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_playlist_type", "vod"],
            type: .vod, hasEndList: true, hasByteRanges: true, hasMap: true),
    ]

    /// Encodes `seconds` of media into `folder` at full speed; returns the bytes of the playlist.
    private static func encode(
        _ seconds: Int, _ options: [String], in folder: TemporaryFolder
    ) async throws -> [UInt8] {
        let ffmpeg = try #require(Tool.ffmpeg)
        let source = ["-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25"]
        let output = ["-t", "\(seconds)", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-f", "hls"]
        let list = options.contains("-hls_list_size") ? [] : ["-hls_list_size", "6"]
        let result = try await Tool.run(
            ffmpeg,
            source + output + ["-hls_time", "1"] + list + options
                + ["-hls_fmp4_init_filename", "init.mp4", folder.file("media.m3u8")])
        try #require(result != nil, "ffmpeg failed")
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("media.m3u8"))))
    }

    private static func parse(_ text: [UInt8]) -> ParsedPlaylist {
        PlaylistParser.parse(text, uri: "http://127.0.0.1/media.m3u8")
    }

    private static func errors(_ findings: [Finding]) -> [String] {
        findings.filter { $0.severity == .error }.map { "\($0.rule): \($0.message)" }
    }

    @Test(arguments: cases) func reads(_ given: Case) async throws {
        let parsed = Self.parse(try await Self.encode(8, given.options, in: TemporaryFolder()))
        let playlist = try #require(parsed.media)
        #expect(Self.errors(parsed.findings).isEmpty)
        #expect(playlist.playlistType == given.type && playlist.hasEndList == given.hasEndList)
        #expect(playlist.segments.count == (given.testDescription.hasSuffix("live") ? 6 : 8))
        #expect(playlist.segments.allSatisfy { ($0.byteRange != nil) == given.hasByteRanges })
        #expect(playlist.segments.allSatisfy { ($0.map != nil) == given.hasMap })
        #expect(playlist.segments.allSatisfy { $0.duration == .seconds(1) })
    }

    /// The first seconds of a longer encoding equal its earlier playlist: states of one live stream.
    @Test(arguments: [[], ["-hls_segment_type", "fmp4"]]) func aSlidingWindowIsFollowed(_ more: [String]) async throws {
        var follower = PlaylistFollower()
        var findings: [Finding] = []
        for seconds in [4, 6, 9, 12] {
            let text = try await Self.encode(
                seconds, more + ["-hls_flags", "omit_endlist+delete_segments"], in: TemporaryFolder())
            let parsed = Self.parse(text)
            findings += parsed.findings + Self.take(parsed, at: seconds, &follower)
        }
        #expect(Self.errors(findings).isEmpty)
        #expect(follower.timeline.window?.firstSequence == 6)
        #expect(follower.timeline.window?.end == StreamTime(microseconds: 12_000_000))
    }

    /// A restarted encoder continues its playlist after a discontinuity.
    @Test func anEncoderThatStartsAgainIsFollowed() async throws {
        let folder = try TemporaryFolder()
        let options = ["-hls_list_size", "0", "-hls_playlist_type", "event", "-hls_flags", "omit_endlist+append_list"]
        var follower = PlaylistFollower()
        var findings: [Finding] = []
        for round in 1...3 {
            let parsed = Self.parse(try await Self.encode(4, options, in: folder))
            findings += parsed.findings + Self.take(parsed, at: 4 * round, &follower)
        }
        #expect(Self.errors(findings).isEmpty)
        #expect(follower.timeline.window?.end == StreamTime(microseconds: 12_000_000))
        #expect(follower.timeline.listed.map(\.isDiscontinuity).filter { $0 }.count >= 2)
    }

    private static func take(
        _ parsed: ParsedPlaylist, at seconds: Int, _ follower: inout PlaylistFollower
    ) -> [Finding] {
        let moment = Moment(
            wall: UnixTime(milliseconds: 1_800_000_000_000) + .seconds(seconds), uptime: .seconds(seconds))
        return follower.noteParsed(parsed, ReloadExchange(requested: moment)).findings
    }

    @Test func aMultivariantPlaylistReads() async throws {
        let folder = try TemporaryFolder()
        let ffmpeg = try #require(Tool.ffmpeg)
        let result = try await Tool.run(
            ffmpeg,
            [
                "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25", "-f", "lavfi",
                "-i", "sine", "-t", "4", "-map", "0:v", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset",
                "ultrafast", "-g", "25", "-b:v:0", "300k", "-b:v:1", "100k", "-c:a", "aac", "-f", "hls", "-hls_time",
                "1", "-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a,language:en", "-master_pl_name",
                "main.m3u8", folder.file("v%v.m3u8"),
            ])
        try #require(result != nil, "ffmpeg failed")
        let parsed = Self.parse(Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("main.m3u8")))))
        let playlist = try #require(parsed.multivariant)
        #expect(Self.errors(parsed.findings).isEmpty)
        #expect(playlist.variants.count == 3 && playlist.renditions.count == 1)
        #expect(VariantChoice(playlist)?.current.number == 1)
    }
}

extension Tool {
    static let ffmpeg = ["/usr/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg", "/usr/local/bin/ffmpeg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}
