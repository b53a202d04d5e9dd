import AdTracking
import ArgumentParser
import Foundation
import Live
import Ports

extension HLSCommand {
    /// `adtop hls timeline DIR|URL`
    struct TimelineOf: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "timeline", abstract: "Follow a live playlist, or recorded reloads, and print the timeline.",
            discussion: """
                A URL is followed as a viewer would: reloads at the times the rules give, low latency where the server \
                offers it, until EXT-X-ENDLIST or so many reloads. A folder holds meta.json (schema \
                adtop-hls-sequence/1) and the playlists it names, played against a virtual clock. Prints JSON (schema \
                adtop-hls-timeline/1); while it follows, a line per reload goes to standard error unless --json is given.

                Examples:
                  adtop hls timeline https://example.com/live/master.m3u8 --reloads 10
                  adtop hls timeline ./s01-live-steady

                Exit codes: 0 fine, 3 network, 4 unreadable input.
                """)

        /// What `--reloads` may be.
        static let reloadRange = 1...100_000

        @Argument(help: "URL, or folder of a recorded sequence.")
        var place: String

        @Option(help: ArgumentHelp("Reloads of a URL.", valueName: "number"))
        var reloads = 5

        @Flag(help: "Poll plainly, whatever the server offers.")
        var noLowLatency = false

        @Flag(help: "JSON only, no lines while it follows.")
        var json = false

        func validate() throws {
            guard Self.reloadRange.contains(reloads) else {
                throw ValidationError(
                    "--reloads must be between \(Self.reloadRange.lowerBound) and \(Self.reloadRange.upperBound)")
            }
        }

        func run() async throws {
            let timeline: JSONValue
            if place.hasPrefix("http://") || place.hasPrefix("https://") {
                let isQuiet = json
                let following = PlaylistFollowing(reloads: reloads, isLowLatency: !noLowLatency) { line in
                    if !isQuiet { Output.note(line) }
                }
                timeline = try await following.timeline(of: place)
            } else {
                timeline = try recorded()
            }
            Output.write(timeline.text(indented: true) + "\n")
        }

        private func recorded() throws(CommandFailure) -> JSONValue {
            var files: [String: [UInt8]] = [:]
            // A folder that cannot be listed has no meta.json either.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            guard names.contains("meta.json") else {
                throw CommandFailure(.unreadable, "\(place): there is no meta.json in it")
            }
            do {
                for name in names {
                    files[name] = try FileText.read("\(place)/\(name)", maximumBytes: Limits.playlistBytes)
                }
                let meta = try JSONReader.read(files["meta.json"] ?? [])
                return SequenceReplay.timeline(of: try PlaybackSequence(meta: meta, files: files))
            } catch {
                throw CommandFailure(.unreadable, "\(place): \(error)")
            }
        }
    }
}
