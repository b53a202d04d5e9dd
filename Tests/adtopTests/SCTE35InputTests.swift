import Ports
import TestSupport
import Testing

@testable import adtop

/// The messages of an argument of `adtop scte35`, and its output.
@Suite struct SCTE35InputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let insert = "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg=="
    private static let null = "0xFC301100000000000000FFFFFF0000004F253396"

    private func results(_ name: String, _ text: String) async throws -> (place: String, results: [SCTE35Result]) {
        try folder.write(text, to: name)
        let path = folder.file(name)
        return (path, try await SCTE35Input.read(path, from: Settings().input).map(SCTE35Result.init))
    }

    @Test("a text that is not the name of a file is a payload")
    func payload() async throws {
        let inputs = try await SCTE35Input.read(Self.insert, from: Settings().input)
        #expect(inputs.map(\.payload) == [Self.insert])
        #expect(inputs.allSatisfy { $0.marker == nil })
        #expect(SCTE35Result(inputs[0]).json?["expect"]?["command"] != nil)
    }

    @Test(
        "what does not begin as a message may be a mistyped file, and the error names both",
        arguments: [
            ("nofile", "'nofile': no such file, and not a message: the first byte is not 0xFC"),
            ("live.m3u8", "'live.m3u8': no such file, and not a message: neither base64 nor hexadecimal"),
            ("0xFC3011", "'0xFC3011': cut off at byte 3"),
        ])
    func mistypedFile(argument: String, complaint: String) async throws {
        let inputs = try await SCTE35Input.read(argument, from: Settings().input)
        #expect(inputs.map(SCTE35Result.init).map(\.complaint) == [complaint])
    }

    @Test("a byte order mark is no part of a payload, and a file that is no text is named once")
    func whatIsNoText() async throws {
        #expect(try await results("bom", "\u{FEFF}\(Self.insert)\n").results.map(\.complaint) == [nil])
        let error = try await #require(throws: CommandFailure.self) { _ = try await results("zero", "a\u{0} b c") }
        #expect(error.message.hasSuffix("zero: not a text; give base64, hexadecimal or a playlist"))
    }

    @Test("a playlist gives all its markers in the order of their lines, including those without a message")
    func playlist() async throws {
        let (place, results) = try await results(
            "live.m3u8",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:00:00Z
            #EXT-X-DATERANGE:ID="d1",START-DATE="2026-11-21T12:00:06Z",SCTE35-OUT=\(Self.null)
            #EXTINF:6,
            1.ts
            #EXT-OATCLS-SCTE35:\(Self.insert)
            #EXT-X-CUE-OUT:30
            #EXTINF:6,
            2.ts

            """)
        let heads = results.flatMap(\.lines).filter { !$0.hasPrefix(" ") }
        #expect(
            heads == [
                "\(place):4: SCTE35-OUT of d1", "\(place):7: EXT-OATCLS-SCTE35",
                "\(place):8: EXT-X-CUE-OUT: no message",
            ])
        #expect(results.compactMap(\.complaint).isEmpty)
        let vectors = results.compactMap(\.json)
        #expect(vectors.map { $0["marker"]?["line"]?.integerValue } == [4, 7])
        #expect(vectors.map { $0["input"]?.stringValue?.hasPrefix("0xFC30") } == [true, true])
        #expect(vectors.allSatisfy { $0["expect"]?.objectValue != nil })
    }

    @Test("a message of a marker that cannot be decoded is a failure, not a marker without a message")
    func undecodableMarkers() async throws {
        let (place, results) = try await results(
            "damaged.m3u8",
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:00:00Z
            #EXT-X-DATERANGE:ID="d1",START-DATE="2026-11-21T12:00:06Z",SCTE35-OUT=0xFC30
            #EXTINF:6,
            1.ts
            #EXT-OATCLS-SCTE35:AAAA
            #EXT-X-SCTE35:CUE="zz!",CUE-OUT=YES
            #EXT-X-SPLICEPOINT-SCTE35:AAAA
            #EXTINF:6,
            2.ts

            """)
        #expect(
            results.flatMap(\.lines) == [
                "\(place):4: SCTE35-OUT of d1", "\(place):7: EXT-OATCLS-SCTE35", "\(place):8: EXT-X-SCTE35",
                "\(place):9: EXT-X-SPLICEPOINT-SCTE35",
            ])
        #expect(
            results.map(\.complaint) == [
                "\(place):4: cut off at byte 1", "\(place):7: the first byte is not 0xFC",
                "\(place):8: neither base64 nor hexadecimal", "\(place):9: the first byte is not 0xFC",
            ])
        let vectors = results.compactMap(\.json)
        #expect(vectors.map { $0["error"]?.stringValue } == ["truncated", "table_id", "transport", "table_id"])
        #expect(vectors.map { $0["input"]?.stringValue } == ["0xFC30", "AAAA", "zz!", "AAAA"])
    }

    @Test("any other file holds payloads, and the error quotes a text that is not a payload")
    func payloads() async throws {
        let (_, results) = try await results("messages.txt", "\(Self.null)\nzz!\n")
        #expect(results.map(\.complaint) == [nil, "'zz!': neither base64 nor hexadecimal"])
        #expect(results.map(\.isDamaged) == [false, false])
        #expect(results[1].json?["error"]?.stringValue == "transport")
    }

    @Test("a multivariant playlist has no markers")
    func multivariant() async throws {
        await #expect(throws: CommandFailure.self) {
            _ = try await results("master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
        }
    }
}
