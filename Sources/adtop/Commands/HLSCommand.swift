import ArgumentParser
import HLS
import Live
import Ports

/// `adtop hls parse|timeline|schedule`
struct HLSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hls", abstract: "Read playlists: values, findings, timelines, schedules.",
        subcommands: [Parse.self, TimelineOf.self, ScheduleOf.self])

    struct Parse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse", abstract: "Parse a playlist and report what is wrong with it.",
            discussion: """
                Examples:
                  adtop hls parse live.m3u8
                  adtop hls parse https://example.com/live/master.m3u8 --json
                  adtop hls parse media.m3u8 --base https://example.com/live/media.m3u8 --var token=abc

                Exit codes: 0 fine, 1 findings of severity error, 3 network, 4 unreadable input.
                """)

        @Argument(help: "File, - or URL.")
        var playlist: String

        @Option(help: ArgumentHelp("URI that relative URIs are resolved against.", valueName: "uri"))
        var base: String?

        @Option(
            name: .customLong("var"),
            help: ArgumentHelp("Variable offered to EXT-X-DEFINE:IMPORT (repeatable).", valueName: "name=value"))
        var variables: [String] = []

        @Flag(help: "Print JSON (schema adtop-hls-golden/1).")
        var json = false

        func run() async throws {
            let variables = try NameValue.pairs(variables, flag: "--var")
            let content = try await InputSource.read(playlist, limit: Limits.playlistBytes)
            let parsed = PlaylistParser.parse(content.bytes, uri: base ?? content.uri, variables: variables)
            if json {
                Output.write(parsed.json.text(indented: true) + "\n")
            } else {
                PlaylistSummary.lines(of: parsed).forEach { Output.line($0) }
                parsed.findings.forEach { Output.line(Report.finding($0, place: playlist)) }
            }
            if parsed.findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }

    struct ScheduleOf: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schedule", abstract: "Print the interstitial schedule of a VOD playlist.",
            discussion: """
                Prints JSON (schema adtop-hls-schedule/1).

                Example:
                  adtop hls schedule movie.m3u8

                Exit codes: 0 fine, 3 network, 4 unreadable input.
                """)

        @Argument(help: "File, - or URL.")
        var playlist: String

        @Option(help: ArgumentHelp("URI that relative URIs are resolved against.", valueName: "uri"))
        var base: String?

        @Flag(help: "Print JSON, as without it: there is no other form.")
        var json = false

        func run() async throws {
            let content = try await InputSource.read(playlist, limit: Limits.playlistBytes)
            let uri = base ?? content.uri
            guard let media = PlaylistParser.parse(content.bytes, uri: uri).media else {
                throw CommandFailure(.unreadable, "\(playlist): is not a media playlist (see adtop hls parse)")
            }
            var timeline = Timeline()
            _ = timeline.fold(media)
            Output.write(InterstitialSchedule(timeline).json(playlistURI: uri).text(indented: true) + "\n")
        }
    }
}
