import ArgumentParser
import CreativeCache
import CreativeServer
import Live
import Ports
import VAST

/// `adtop zone`
struct ZoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone", abstract: "Preload rewarded zones: the ad response and one video each, kept for an hour.",
        discussion: """
            A zone is a VAST URL, or NAME=URL to give it a short name. The duration of this computer's last download \
            determines the rendition.

            Examples:
              adtop zone warm 9001=http://127.0.0.1:8080/ads/vast
              adtop zone preview 9001=http://127.0.0.1:8080/ads/vast
              adtop zone list --json
            """,
        subcommands: [Warm.self, Preview.self, List.self, Purge.self])

    struct Warm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "warm", abstract: "Request the ads of zones and download one video for each.",
            discussion: """
                Examples:
                  adtop zone warm 9001=https://ads.example.com/a 9002=https://ads.example.com/b

                Exit codes: 0 success, 1 a zone has no video to keep, 2 usage error, 3 network error, 4 unusable folder.
                """)

        @OptionGroup var zones: ZoneRunOptions

        func run() async throws {
            try await zones.run(isPreview: false)
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Show what warm would do: saved zones, requests and chosen renditions.",
            discussion: """
                Only the ad response is downloaded, and nothing is saved.

                Examples:
                  adtop zone preview 9001=https://ads.example.com/vast

                Exit codes: 0 success, 1 a zone has no video to keep, 2 usage error, 3 network error, 4 unusable folder.
                """)

        @OptionGroup var zones: ZoneRunOptions

        func run() async throws {
            try await zones.run(isPreview: true)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the saved zones.",
            discussion: """
                Examples:
                  adtop zone list

                Exit codes: 0 success, 2 usage error, 4 unusable folder.
                """)

        @OptionGroup var place: ZoneFolderOptions

        @Flag(help: "Print JSON (schema adtop-zones/1).")
        var json = false

        func run() throws {
            let now = SystemTimeSource().now().wall
            let reports = try place.existingStore().list().map { saved in
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
            commandName: "purge", abstract: "Remove all saved zones.",
            discussion: """
                Examples:
                  adtop zone purge

                Exit codes: 0 success, 2 usage error, 4 unusable folder.
                """)

        @OptionGroup var place: ZoneFolderOptions

        func run() throws {
            let count = try place.existingStore().removeAll()
            Output.line("\(count.counted("zone")) removed")
        }
    }
}

/// The arguments of warm and preview.
struct ZoneRunOptions: ParsableArguments {
    @Argument(help: "Zones: URL or NAME=URL.")
    var zones: [ZoneAddress]

    @OptionGroup var place: ZoneFolderOptions

    @Flag(help: "Print JSON (schema adtop-zones/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func validate() throws {
        let limit = ZoneAddress.maximumNameCharacters
        guard let long = zones.first(where: { $0.name != $0.url.text && $0.name.count > limit }) else { return }
        throw ValidationError("<zones>: a name has \(long.name.count) characters; give at most \(limit)")
    }

    func run(isPreview: Bool) async throws {
        try await ZoneRun(place: place, isPreview: isPreview, input: fetch.input).run(zones, json: json)
    }
}

/// A zone on the command line.
struct ZoneAddress: ExpressibleByArgument {
    /// Longest name, which identifies the zone on disk.
    static let maximumNameCharacters = 128

    /// The one that was given, or the URL.
    let name: String
    /// Without user and password.
    let url: WebURL
    /// As it was typed.
    let typed: WebURL

    init?(argument: String) {
        let hasName = !InputFile.isAddress(argument)
        let parts = hasName ? argument.split(separator: "=", maxSplits: 1).map(String.init) : [argument, argument]
        guard parts.count == 2, let url = try? WebURL(parts[1]) else { return nil }
        name = hasName ? parts[0] : url.withoutCredentials.text
        typed = url
        self.url = url.withoutCredentials
    }
}
