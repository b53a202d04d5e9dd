import Foundation
import Monitoring
import Ports
import Session
import TestSupport
import Testing

@testable import Live

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

    private func write(
        _ redaction: RecordingRedaction.Setting = .none, maximumBytes: Int = RecordingFile.maximumBytes
    ) async throws -> String? {
        let file = try RecordingFile(
            path: folder.file("r"), configuration: configuration, redaction: redaction, maximumBytes: maximumBytes)
        for input in inputs { file.record(input) }
        return await file.finish()
    }

    @Test func writtenEntriesAreReadBack() async throws {
        #expect(try await write() == nil)
        #expect(try RecordingFile.read(folder.file("r")) == Recording(configuration: configuration, inputs: inputs))
    }

    /// Any gzip program can read it.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gzip"), "there is no /usr/bin/gzip"))
    func theFileIsGzip() async throws {
        _ = try await write()
        let output = try #require(try await Tool.run("/usr/bin/gzip", ["-dc", folder.file("r")]))
        let text = String(decoding: output, as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix(#"{"format":"adtop-recording/2","redaction":"none","configuration":{"mediaUrl":"#))
    }

    /// Wherever a crash cuts the file, the earlier inputs are readable in order, or the error reports that there are
    /// none.
    @Test func everyCutKeepsTheInputsBeforeIt() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        let data = try Data(contentsOf: url)
        var most = 0
        for length in 0..<data.count {
            try data.prefix(length).write(to: url)
            do {
                let recording = try RecordingFile.read(folder.file("r"))
                #expect(recording.isTruncated, "\(length) bytes")
                #expect(recording.inputs == Array(inputs.prefix(recording.inputs.count)), "\(length) bytes")
                #expect(recording.inputs.count >= most)
                most = recording.inputs.count
            } catch {
                #expect(most == 0, "\(length) bytes: \(error)")
            }
        }
        #expect(most == inputs.count)
    }

    /// What stands behind the first member of gzip counts: further members (RFC 1952 section 2.2), and what is none. Zeros may fill a block.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gzip"), "there is no /usr/bin/gzip"))
    func whatFollowsTheFirstMemberIsRead() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        let data = try Data(contentsOf: url)
        let text = try #require(try await Tool.run("/usr/bin/gzip", ["-dc", folder.file("r")]))
        for place in [1, 100, text.count - 1] {
            let members = try [text.prefix(place), text.dropFirst(place)].map { part in
                let writer = try #require(GzipWriter())
                return writer.append(Array(part)) + writer.finish()
            }
            try Data(members.joined()).write(to: url)
            #expect(try RecordingFile.read(folder.file("r")) == Recording(configuration: configuration, inputs: inputs))
        }
        for (rest, isTruncated) in [(Data(count: 512), false), (Data("more".utf8), true)] {
            try (data + rest).write(to: url)
            let recording = try RecordingFile.read(folder.file("r"))
            #expect(recording.inputs == inputs && recording.isTruncated == isTruncated)
        }
        // Another recording is no part of this one.
        try (data + data).write(to: url)
        #expect(throws: FileProblem.self) { try RecordingFile.read(folder.file("r")) }
    }

    @Test func aDamagedFileIsAProblem() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        var data = try Data(contentsOf: url)
        // The first byte of the compressed data: a block of an invalid type.
        data[10] = 0x07
        try data.write(to: url)
        #expect(throws: FileProblem(path: folder.file("r"), reason: .malformed("is damaged after line 0"))) {
            try RecordingFile.read(folder.file("r"))
        }
    }

    /// Wherever a byte is damaged, the inputs before it are kept, and it is reported.
    @Test func damageKeepsTheInputsBeforeIt() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        let data = try Data(contentsOf: url)
        var kept: Set<Int> = []
        for place in data.indices.dropFirst(10).dropLast(8) {
            var damaged = data
            damaged[place] ^= 0xFF
            try damaged.write(to: url)
            guard let recording = try? RecordingFile.read(folder.file("r")) else { continue }
            kept.insert(recording.inputs.count)
            #expect(recording.isTruncated && recording.inputs.count <= inputs.count, "byte \(place)")
        }
        // Damage in the last part of the file costs the last input alone.
        #expect(kept.contains(inputs.count - 1), "\(kept)")
    }

    @Test func aCutBeforeTheFirstLineIsNoEmptyFile() async throws {
        _ = try await write()
        let url = URL(fileURLWithPath: folder.file("r"))
        let data = try Data(contentsOf: url)
        try data.prefix(10).write(to: url)
        #expect(throws: FileProblem(path: folder.file("r"), reason: .malformed("is truncated before its first line"))) {
            try RecordingFile.read(folder.file("r"))
        }
    }

    @Test func plainTextIsReadToo() throws {
        let text =
            RecordingFormat.header(configuration) + "\n{\"wallUs\":1,\"uptimeUs\":2,\"input\":{\"kind\":\"woke\"}}\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("r")))
        #expect(try RecordingFile.read(folder.file("r")).inputs.map(\.input) == [.woke])
        try Data((text + "{\"wallUs\":1,\"upt").utf8).write(to: URL(fileURLWithPath: folder.file("r")))
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.inputs.map(\.input) == [.woke])
        #expect(recording.isTruncated)
    }

    @Test func aBadLineInTheMiddleIsAProblemWithItsNumber() throws {
        let text = RecordingFormat.header(configuration) + "\n{\"wallUs\":0,\"input\":{\"kind\":\"woke\"}}\n{}\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("r")))
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
                reason: .malformed(
                    "line 1 has the format adtop-recording/9, not adtop-recording/1 or adtop-recording/2"))
        ) { try RecordingFile.read(folder.file("r")) }
        try Data().write(to: URL(fileURLWithPath: folder.file("e")))
        #expect(throws: FileProblem(path: folder.file("e"), reason: .malformed("is empty"))) {
            try RecordingFile.read(folder.file("e"))
        }
        try Data([0x00, 0xFF, 0x0A, 0x17]).write(to: URL(fileURLWithPath: folder.file("x")))
        #expect(throws: FileProblem.self) { try RecordingFile.read(folder.file("x")) }
    }

    @Test func theLimitCutsTheRecordingAfterAWholeInput() async throws {
        _ = try await write()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("r"))).count
        #expect(try await write(maximumBytes: whole - 40) == "the recording is not complete: it reached its limit")
        let recording = try RecordingFile.read(folder.file("r"))
        #expect((1...2).contains(recording.inputs.count))
        #expect(recording.inputs == Array(inputs.prefix(recording.inputs.count)))
        #expect(recording.isTruncated)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func whereNothingCanBeWrittenNoRecordingBegins() throws {
        #expect(throws: FileProblem(path: "/dev/full", reason: .system("no space left on device"))) {
            try RecordingFile(path: "/dev/full", configuration: configuration)
        }
    }

    @Test func aFailureIsReportedImmediatelyAndOnce() async throws {
        let header = try await headerBytes()
        let file = try RecordingFile(
            path: folder.file("r"), configuration: configuration, redaction: .none, maximumBytes: header + 30)
        for input in inputs + inputs { file.record(input) }
        var told: [String] = []
        for await problem in file.failures { told.append(problem) }
        #expect(told == ["it reached its limit"])
        #expect(await file.finish() == "the recording is not complete: it reached its limit")
    }

    /// Inputs hold whole answers: on a disk that stands still they would fill the memory.
    @Test func aDiskThatStandsStillEndsTheRecording() async throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reading = open(path, O_RDONLY | O_NONBLOCK)
        try #require(reading >= 0 && fcntl(reading, F_SETFL, 0) == 0)
        defer { close(reading) }
        var random = SplitMix64(seed: 7)
        // More than a pipe holds, however it is compressed.
        let body = (0..<1 << 20).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let large = RecordedInput(input: .fetched(RequestID(2), HTTPExchange(body: body)), at: inputs[0].at)
        let reader: Task<[UInt8], Never>
        do {
            let file = try RecordingFile(
                path: path, configuration: configuration, redaction: .none, maximumWaiting: 3)
            for input in [large] + Array(repeating: inputs[2], count: 5) { file.record(input) }
            var told: [String] = []
            for await problem in file.failures { told.append(problem) }
            #expect(told == ["its disk does not keep up"])
            reader = Task.detached { Self.bytes(from: reading) }
            #expect(await file.finish() == "the recording is not complete: its disk does not keep up")
        }
        // The file is closed now.
        try await Data(reader.value).write(to: URL(fileURLWithPath: folder.file("r")))
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.inputs.map(\.at) == [large.at, inputs[2].at, inputs[2].at])
        #expect(recording.isTruncated)
    }

    private static func bytes(from descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    /// A session that ends does not wait for its recording, which is whole without a wait for it; what comes later is not in it.
    @Test func anEndedRecordingIsWhole() async throws {
        let file = try RecordingFile(path: folder.file("r"), configuration: configuration, redaction: .none)
        for input in inputs { file.record(input) }
        file.end()
        file.record(inputs[0])
        for await problem in file.failures { Issue.record("reported \(problem)") }
        #expect(try RecordingFile.read(folder.file("r")) == Recording(configuration: configuration, inputs: inputs))
        #expect(await file.finish() == nil)
        #expect(try RecordingFile.read(folder.file("r")) == Recording(configuration: configuration, inputs: inputs))
    }

    @Test func aCompleteRecordingReportsNoFailure() async throws {
        let file = try RecordingFile(path: folder.file("r"), configuration: configuration)
        let failures = file.failures
        for input in inputs { file.record(input) }
        #expect(await file.finish() == nil)
        for await problem in failures { Issue.record("reported \(problem)") }
    }

    /// A file with only its first line.
    private func headerBytes() async throws -> Int {
        let file = try RecordingFile(path: folder.file("h"), configuration: configuration, redaction: .none)
        file.record(inputs[0])
        _ = await file.finish()
        return try Data(contentsOf: URL(fileURLWithPath: folder.file("h"))).count
    }

    @Test func secretsAreReplacedByDefault() async throws {
        let secret = "0123456789abcdef"
        let address = try WebURL("http://127.0.0.1/live.m3u8?sessid=\(secret)")
        let file = try RecordingFile(path: folder.file("r"), configuration: MonitorConfiguration(mediaURL: address))
        #expect(await file.finish() == nil)
        #expect(try RecordingFile.read(folder.file("r")).configuration.mediaURL.query == "sessid=a000000000000001")
    }
}
