import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache list`
struct CacheListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the creatives, newest first.",
        discussion: """
            Examples:
              adtop cache list
              adtop cache list --json

            Exit codes: 0 success, 2 usage error, 4 unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions

    @Flag(help: "Print JSON (schema adtop-cache/1).")
    var json = false

    func run() throws {
        let report = try place.existingShelf().report()
        if json {
            var object = JSONObject([JSONObject.Member(name: "schema", value: "adtop-cache/1")])
            for member in report.json.objectValue?.members ?? [] { object.append(member.name, member.value) }
            Output.write(JSONValue.object(object).text(indented: true) + "\n")
            return
        }
        let now = SystemTimeSource().now().wall
        for record in report.records {
            let left = Duration.seconds((record.expiresAt - now).inMilliseconds / 1_000)
            Output.line(
                [
                    record.id.text, record.kind.rawValue, "\(record.byteCount) B", "expires in \(left.text)",
                    record.origin.bidder, record.origin.auction,
                ].compactMap { $0 }.joined(separator: "  "))
        }
        let used = "\(report.diskBytes.grouped) of \((report.diskLimit ?? 0).grouped) bytes used"
        Output.line("\(report.count.counted("creative")), \(used)")
    }
}

/// `adtop cache rm`
struct CacheRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove creatives.",
        discussion: """
            Examples:
              adtop cache rm 0a6f0a3e 3d9c3d61

            Exit codes: 0 success, 1 no such creative, 2 usage error, 4 unusable folder.
            """)

    @Argument(help: "Ids of the creatives.")
    var ids: [CreativeID]

    @OptionGroup var place: CacheFolderOptions

    func run() throws {
        let shelf = try place.existingShelf()
        let missing = ids.filter { !shelf.remove($0) }
        guard missing.isEmpty else {
            throw CommandFailure(.findings, "no such creative: \(missing.map(\.text).joined(separator: ", "))")
        }
    }
}

/// `adtop cache purge`
struct CachePurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Remove all creatives.",
        discussion: """
            Examples:
              adtop cache purge

            Exit codes: 0 success, 2 usage error, 4 unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions

    func run() throws {
        let count = try place.existingShelf().removeAll()
        Output.line("\(count.counted("creative")) removed")
    }
}
