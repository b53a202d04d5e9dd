import Foundation
import Live
import Monitoring
import Ports
import TestSupport
import Testing

@Suite struct RecordingFileTests {
    private let folder: TemporaryFolder
    private let configuration: MonitorConfiguration
    private let inputs: [RecordedInput]

    init() throws {
        folder = try TemporaryFolder()
        configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
        let start = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .zero)
        let exchange = HTTPExchange(
            hops: [.init(url: "http://127.0.0.1/live.m3u8", status: 200, fields: [HTTPField("Content-Type", "x/y")])],
            body: Array("#EXTM3U\n\u{0}\u{202E}".utf8), timings: .init(wait: 12, total: 34))
        inputs = [
            RecordedInput(input: .started, at: start),
            RecordedInput(input: .fetched(RequestID(1), exchange), at: start.advanced(by: .milliseconds(5))),
            RecordedInput(input: .woke, at: start.advanced(by: .seconds(1))),
        ]
    }

    private func write(maximumBytes: Int = RecordingFile.maximumBytes) async throws -> String? {
        let file = try RecordingFile(path: folder.file("r"), configuration: configuration, maximumBytes: maximumBytes)
        for input in inputs { file.record(input) }
        return await file.finish()
    }

    @Test func whatIsWrittenComesBack() async throws {
        #expect(try await write() == nil)
        #expect(try RecordingFile.read(folder.file("r")) == Recording(configuration: configuration, inputs: inputs))
    }

    @Test func aTruncatedTailIsTolerated() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        let data = try Data(contentsOf: url)
        try data.dropLast(10).write(to: url)
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.isTruncated)
        #expect(recording.inputs == Array(inputs.dropLast()))
    }

    @Test func aBadLineInTheMiddleIsAProblemWithItsNumber() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[1] = "{\"wallUs\":0}"
        try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
        #expect(
            throws: FileProblem(path: folder.file("r"), reason: .malformed("line 2 has no whole number 'uptimeUs'"))
        ) {
            try RecordingFile.read(folder.file("r"))
        }
    }

    @Test func otherFilesAreNotRecordings() throws {
        try Data("{\"format\":\"adtop-recording/9\"}\n".utf8).write(to: URL(fileURLWithPath: folder.file("r")))
        #expect(
            throws: FileProblem(
                path: folder.file("r"),
                reason: .malformed("line 1 has the format adtop-recording/9, not adtop-recording/1"))
        ) { try RecordingFile.read(folder.file("r")) }
        try Data().write(to: URL(fileURLWithPath: folder.file("e")))
        #expect(throws: FileProblem(path: folder.file("e"), reason: .malformed("is empty"))) {
            try RecordingFile.read(folder.file("e"))
        }
    }

    @Test func theLimitEndsTheRecordingAtAWholeLine() async throws {
        let header = RecordingFormat.header(configuration).utf8.count + 1
        #expect(try await write(maximumBytes: header + 100)?.contains("was cut") == true)
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.inputs == [inputs[0]])
        #expect(!recording.isTruncated)
    }
}
