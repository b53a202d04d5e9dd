import Ports
import ScriptedServers
import TestSupport
import Testing

/// Verbs that read a document of a server, in the encoding that its header names (VAST-27).
@Suite(.serialized) struct EncodedAnswerTests {
    /// A letter that ISO-8859-1 and windows-1252 write with a byte that is not UTF-8.
    private static let letter = "\u{E9}"

    private static func answer(_ text: String, _ charset: String) -> [ScriptedServer.Step] {
        let bytes: [UInt8] =
            charset == "UTF-16"
            ? [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            : text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=\(charset)\r\nContent-Length: \(bytes.count)\r\n\r\n"
        return [.text(head), .send(bytes)]
    }

    private static func run(_ arguments: [String], on text: String, _ charset: String) async throws -> AdtopProcess {
        let server = try await ScriptedServer { _ in answer(text, charset) }
        let run = try await AdtopProcess.run(arguments.map { $0.replacing("%", with: server.url("/a")) })
        try await server.stop()
        return run
    }

    private static let vast = """
        <VAST version="3.0"><Ad id="7"><InLine><AdTitle>\(letter)</AdTitle><Impression>https://t.example/</Impression>
        <Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="596" width="426" height="240">https://c.example/l.mp4</MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """

    private static let vmap = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak breakId="\(letter)" breakType="linear"
        timeOffset="00:00:10"><vmap:AdSource><vmap:VASTAdData>\(vast)</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
        """

    @Test(arguments: ["ISO-8859-1", "windows-1252", "UTF-16"]) func theHeaderNamesTheEncoding(charset: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let rewarded = try await Self.run(["rewarded", "%", "--json"], on: Self.vast, charset)
        #expect(try rewarded.json()["ads"]?.arrayValue?.first?["title"] == .string(Self.letter))
        let zone = try await Self.run(
            ["zone", "preview", "z=%", "--folder", folder.file("zones"), "--json"], on: Self.vast, charset)
        let plan = try zone.json()["zones"]?.arrayValue?.first
        #expect(zone.status == 0 && plan?["quality"] == "low", "\(zone.output)")
        let parsed = try await Self.run(
            ["metadata", "parse", "%", "--provider", "vmap", "--json"], on: Self.vmap, charset)
        #expect(try parsed.json()["breaks"]?.arrayValue?.first?["id"] == .string(Self.letter))
    }
}
