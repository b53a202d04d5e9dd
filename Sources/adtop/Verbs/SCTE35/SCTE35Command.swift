import ArgumentParser
import HLS
import Ports

/// `adtop scte35 PAYLOAD…`
struct SCTE35Command: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scte35", abstract: "Decode SCTE-35 messages.",
        discussion: """
            A payload is base64, or hexadecimal with or without 0x. For a media playlist (file, URL, or - for stdin) \
            all its markers are decoded; for any other file or stdin, all payloads in it.

            Examples:
              adtop scte35 /DARAAAAAAAAAP///wAAAE8lM5Y=
              adtop scte35 --json 0xFC301100000000000000FFFFFF0000004F253396
              adtop scte35 https://example.com/live/1080p.m3u8

            Exit codes: 0 success, 1 a message with a wrong CRC or an unreadable descriptor, 2 usage error, 3 network \
            error, 4 a payload that cannot be decoded.
            """)

    @Argument(help: ArgumentHelp("Payloads, files or playlists.", valueName: "payload"), completion: .file())
    var payloads: [String]

    @Flag(help: "Print JSON (schema adtop-scte35/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    /// Most complaints that are printed: a file may be anything.
    private static let complaintsShown = 10

    func run() async throws {
        var results: [SCTE35Result] = []
        for payload in payloads {
            results += try await SCTE35Input.read(payload, from: fetch.input).map(SCTE35Result.init)
        }
        if json {
            let vectors = results.compactMap(\.json)
            Output.write(
                (["schema": "adtop-scte35/1", "vectors": .array(vectors)] as JSONValue).text(indented: true) + "\n")
        } else {
            var complaints = 0
            for result in results {
                result.lines.forEach { Output.line($0) }
                guard let complaint = result.complaint else { continue }
                complaints += 1
                if complaints <= Self.complaintsShown { Output.error(complaint) }
            }
            let others = complaints - Self.complaintsShown
            if others > 0 { Output.error("\(others) more that cannot be decoded") }
        }
        if results.contains(where: { $0.complaint != nil }) { throw ExitStatus.unreadable.code }
        if results.contains(where: \.isDamaged) { throw ExitStatus.findings.code }
    }
}
