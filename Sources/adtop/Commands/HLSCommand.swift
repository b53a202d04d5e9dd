import AdTracking
import ArgumentParser
import Foundation
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

    struct TimelineOf: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "timeline", abstract: "Play recorded reloads against a clock and print the timeline.",
            discussion: """
                The folder holds meta.json (schema adtop-hls-sequence/1) and the playlists it names. Prints JSON (schema adtop-hls-timeline/1).

                Example:
                  adtop hls timeline ./s01-live-steady

                Exit codes: 0 fine, 4 unreadable input.
                """)

        @Argument(help: "Folder of a recorded sequence.")
        var folder: String

        func run() throws {
            var files: [String: [UInt8]] = [:]
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            guard names.contains("meta.json") else {
                throw CommandFailure(.unreadable, "\(folder): there is no meta.json in it")
            }
            do {
                for name in names {
                    files[name] = try FileText.read("\(folder)/\(name)", maximumBytes: Limits.playlistBytes)
                }
                let meta = try JSONReader.read(files["meta.json"] ?? [])
                let sequence = try PlaybackSequence(meta: meta, files: files)
                Output.write(SequenceReplay.timeline(of: sequence).text(indented: true) + "\n")
            } catch {
                throw CommandFailure(.unreadable, "\(folder): \(error)")
            }
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
