import ArgumentParser
import HLS
import Live
import Ports

/// `adtop hls parse|timeline|schedule`
struct HLSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hls", abstract: "Read HLS playlists: values, findings, timelines and schedules.",
        discussion: """
            Examples:
              adtop hls parse live.m3u8
              adtop hls timeline https://example.com/live/master.m3u8 --reloads 10
              adtop hls schedule movie.m3u8
            """,
        subcommands: [Parse.self, TimelineOf.self, ScheduleOf.self])

    struct Parse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse", abstract: "Parse a playlist and report its findings.",
            discussion: """
                Examples:
                  adtop hls parse live.m3u8
                  adtop hls parse https://example.com/live/master.m3u8 --json
                  adtop hls parse media.m3u8 --base https://example.com/live/ --var token=abc

                Exit codes: 0 success, 1 findings of severity error, 2 usage error, 3 network error, 4 unreadable input.
                """)

        @Argument(help: "Playlist: file, URL, or - for stdin.", completion: .files("m3u8", "m3u"))
        var playlist: String

        @Option(help: ArgumentHelp("Base of relative URIs (default: where the playlist was read).", valueName: "uri"))
        var base: String?

        @Option(
            name: .customLong("var"),
            help: ArgumentHelp("Variable for EXT-X-DEFINE:IMPORT (repeatable).", valueName: "name=value"))
        var variables: [String] = []

        @Flag(help: "Print JSON (schema adtop-hls-golden/1).")
        var json = false

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            let variables = try NameValue.pairs(variables, flag: "--var")
            let content = try await fetch.input.read(playlist, limit: Limits.playlistBytes)
            var parsed = PlaylistParser.parse(content.bytes, uri: base ?? content.uri, variables: variables)
            // What is no playlist at all has its own finding; a server that names no type contradicts nothing.
            if parsed.media != nil || parsed.multivariant != nil,
                let finding = content.exchange.flatMap({ $0.contentType == nil ? nil : PlaylistContentType.finding($0) }
                )
            {
                parsed.findings.append(finding)
            }
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
                The output is JSON (schema adtop-hls-schedule/1). Asset lists are not requested: an interstitial \
                lasts as long as its tag states (DURATION, END-DATE, PLANNED-DURATION, X-PLAYOUT-LIMIT). Where it \
                states nothing, its end and all times that follow from it are null.

                Examples:
                  adtop hls schedule movie.m3u8

                Exit codes: 0 success, 2 usage error, 3 network error, 4 unreadable input.
                """)

        @Argument(help: "Playlist: file, URL, or - for stdin.", completion: .files("m3u8", "m3u"))
        var playlist: String

        @Option(help: ArgumentHelp("Base of relative URIs (default: where the playlist was read).", valueName: "uri"))
        var base: String?

        @Flag(help: "No effect: the output is always JSON.")
        var json = false

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            let content = try await fetch.input.read(playlist, limit: Limits.playlistBytes)
            let uri = base ?? content.uri
            guard let media = PlaylistParser.parse(content.bytes, uri: uri).media else {
                throw CommandFailure(.unreadable, "\(playlist): not a media playlist (see adtop hls parse)")
            }
            var timeline = Timeline()
            _ = timeline.fold(media)
            Output.write(InterstitialSchedule(timeline).json(playlistURI: uri).text(indented: true) + "\n")
        }
    }
}
