import AdTracking
import ArgumentParser
import Foundation
import Live
import Ports

extension HLSCommand {
    /// `adtop hls timeline DIR|URL`
    struct TimelineOf: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "timeline", abstract: "Follow a live playlist, or recorded reloads, and print its timeline.",
            discussion: """
                A URL is followed as a player would: it is reloaded at the times that RFC 8216 gives, with low \
                latency when the server offers it, until EXT-X-ENDLIST or the number of --reloads. A folder holds \
                meta.json (schema adtop-hls-sequence/1) and the playlists that it names; they are replayed on a \
                virtual clock. The output is JSON (schema adtop-hls-timeline/1). Each reload prints one line to \
                stderr unless --json is given.

                Examples:
                  adtop hls timeline https://example.com/live/master.m3u8 --reloads 10
                  adtop hls timeline ./s01-live-steady

                Exit codes: 0 success, 2 usage error, 3 network error, 4 unreadable input.
                """)

        /// Allowed values of `--reloads`.
        static let reloadRange = 1...100_000

        @Argument(help: "URL, or folder of a recorded sequence.", completion: .directory)
        var place: String

        @Option(help: ArgumentHelp("Number of reloads of a URL.", valueName: "number"))
        var reloads = 5

        @Flag(help: "Do not use low-latency features, even if the server offers them.")
        var noLowLatency = false

        @Flag(help: "Print only JSON: no line for each reload.")
        var json = false

        func validate() throws {
            guard Self.reloadRange.contains(reloads) else {
                throw ValidationError(
                    "--reloads: \(reloads) is not \(Self.reloadRange.lowerBound) to \(Self.reloadRange.upperBound)")
            }
        }

        @OptionGroup var fetch: FetchOptions

        func run() async throws {
            let timeline: JSONValue
            if InputFile.isAddress(place) {
                let isQuiet = json
                let following = PlaylistFollowing(
                    reloads: reloads, isLowLatency: !noLowLatency, input: fetch.input
                ) { line in
                    if !isQuiet { Output.note(line) }
                }
                timeline = try await following.timeline(of: place)
            } else {
                timeline = try recorded()
            }
            Output.write(timeline.text(indented: true) + "\n")
        }

        private func recorded() throws(CommandFailure) -> JSONValue {
            try InputFile.checkScheme(of: place)
            var files: [String: [UInt8]] = [:]
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
                throw CommandFailure(.unreadable, "\(place): no such folder; check the name")
            }
            guard isFolder.boolValue else {
                throw CommandFailure(.unreadable, "\(place): is a file; give its folder, or see adtop hls parse")
            }
            // A folder that cannot be listed has no meta.json either.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            guard names.contains("meta.json") else {
                throw CommandFailure(.unreadable, "\(place): no meta.json in this folder")
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
