import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports
import VAST

/// `adtop zone`
struct ZoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone", abstract: "Load rewarded zones ahead: their answer and one video each, kept for an hour.",
        discussion: """
            A zone is a VAST URL, or NAME=URL to call it something shorter. Which rendition is taken follows from how long the \
            last download of this computer took.

            Examples:
              adtop zone warm 9001=http://127.0.0.1:8080/ads/vast
              adtop zone preview 9001=http://127.0.0.1:8080/ads/vast
              adtop zone list --json
            """,
        subcommands: [Warm.self, Preview.self, List.self, Purge.self])

    struct Warm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "warm", abstract: "Ask for the zones' ads and download a video of each.",
            discussion: """
                Examples:
                  adtop zone warm 9001=https://ads.example.com/vast 9002=https://ads.example.com/other

                Exit codes: 0 all are warm, 1 one has no video to keep, 2 wrong usage, 3 network, 4 unusable folder.
                """)

        @OptionGroup var zones: ZoneRunOptions

        func run() async throws {
            try await zones.run(isPreview: false)
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Say what warm would do: what is saved, what is asked, what is taken.",
            discussion: """
                Nothing is downloaded but the answer, and nothing is saved.

                Examples:
                  adtop zone preview 9001=https://ads.example.com/vast

                Exit codes: 0 fine, 1 there is no video to keep, 2 wrong usage, 3 network, 4 unusable folder.
                """)

        @OptionGroup var zones: ZoneRunOptions

        func run() async throws {
            try await zones.run(isPreview: true)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what is saved.",
            discussion: """
                Examples:
                  adtop zone list

                Exit codes: 0 fine, 2 wrong usage, 4 unusable folder.
                """)

        @OptionGroup var place: ZoneFolderOptions

        @Flag(help: "Print JSON (schema adtop-zones/1).")
        var json = false

        func run() throws {
            let now = SystemTimeSource().now().wall
            let reports = try place.store().list().map { saved in
                let presence = ZonePresence(
                    zone: saved.record.zone, age: now - saved.record.storedAt, hasResponse: true,
                    hasMedia: saved.hasMedia)
                return ZoneReport(saved: saved.record, verdict: presence.verdict(for: saved.record.zone), at: now)
            }
            ZoneReport.print(reports, json: json)
        }
    }

    struct Purge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge", abstract: "Remove everything that is saved.",
            discussion: """
                Examples:
                  adtop zone purge

                Exit codes: 0 fine, 4 unusable folder.
                """)

        @OptionGroup var place: ZoneFolderOptions

        func run() throws {
            Output.line("\(try place.store().removeAll()) zones removed")
        }
    }
}

/// What warming and its preview take.
struct ZoneRunOptions: ParsableArguments {
    @Argument(help: "Zones: URL or NAME=URL.")
    var zones: [ZoneAddress]

    @OptionGroup var place: ZoneFolderOptions

    @Flag(help: "Print JSON (schema adtop-zones/1).")
    var json = false

    func run(isPreview: Bool) async throws {
        try await ZoneRun(place: place, isPreview: isPreview).run(zones, json: json)
    }
}

/// The folder of the zones.
struct ZoneFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the zones; default $XDG_CACHE_HOME/adtop/zones.", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("Room for videos; those not used for the longest time go first.", valueName: "MiB"))
    var quota = ZonePlan.defaultQuota >> 20

    private static let quotas = 1...1_000_000

    func store() throws(CommandFailure) -> ZoneStore {
        guard Self.quotas.contains(quota) else {
            throw CommandFailure(
                .usage, "--quota \(quota) is not \(Self.quotas.lowerBound) to \(Self.quotas.upperBound) MiB")
        }
        guard let store = try Self.store(in: folder, quota: quota << 20) else {
            throw CommandFailure(
                .usage, "neither XDG_CACHE_HOME nor HOME names a folder for zones; set one, or use --folder")
        }
        return store
    }

    /// The zones of that folder, else of the usual one; nil where there is none.
    static func store(
        in folder: String?, quota: Int = ZonePlan.defaultQuota
    ) throws(CommandFailure) -> ZoneStore? {
        let usual = CacheFolder.path("zones", environment: ProcessInfo.processInfo.environment)
        guard let path = folder.map(CacheFolderOptions.absolute) ?? usual else { return nil }
        do throws(FileProblem) {
            return ZoneStore(folder: try PlainFolder(making: path), quota: quota)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }
}

/// A zone on the command line.
struct ZoneAddress: ExpressibleByArgument {
    let name: String
    let url: WebURL

    init?(argument: String) {
        let hasName = !argument.hasPrefix("http://") && !argument.hasPrefix("https://")
        let parts = hasName ? argument.split(separator: "=", maxSplits: 1).map(String.init) : [argument, argument]
        guard parts.count == 2, let url = try? WebURL(parts[1]) else { return nil }
        name = parts[0]
        self.url = url
    }
}
