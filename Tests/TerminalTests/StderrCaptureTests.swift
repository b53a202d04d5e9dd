import Foundation
import Testing

@testable import Terminal

/// The capture of standard error, on a descriptor of the test's own.
@Suite(.timeLimit(.minutes(1))) struct StderrCaptureTests {
    /// A file in place of the terminal, and the capture of what is written to it.
    private final class Captured {
        let file: FileHandle
        let capture: StderrCapture

        init(watches: Bool = true) throws {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("capture-\(UUID().uuidString)")
            #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
            file = try FileHandle(forUpdating: url)
            try FileManager.default.removeItem(at: url)
            capture = try #require(StderrCapture(of: file.fileDescriptor, watches: watches))
        }

        func write(_ text: String) { file.write(Data(text.utf8)) }

        /// What reached the descriptor after the end of the capture.
        func printed() throws -> String {
            try file.seek(toOffset: 0)
            return String(decoding: file.availableData, as: UTF8.self)
        }
    }

    @Test func aLineArrivesWhenItIsWritten() async throws {
        let captured = try Captured()
        var lines = captured.capture.lines.makeAsyncIterator()
        captured.write("first\nsecond, unfin")
        #expect(await lines.next() == "first")
        captured.write("ished\n")
        #expect(await lines.next() == "second, unfinished")
        captured.capture.finish()
        #expect(await lines.next() == nil)
        #expect(try captured.printed() == "first\nsecond, unfinished\n")
    }

    @Test func aLongLineIsCut() async throws {
        let captured = try Captured()
        var lines = captured.capture.lines.makeAsyncIterator()
        captured.write(String(repeating: "x", count: StderrCapture.lineLimit + 1) + "\n")
        #expect(await lines.next() == String(repeating: "x", count: StderrCapture.lineLimit) + "…")
        captured.capture.finish()
    }

    @Test func aFloodLeavesASmallFileAndIsReportedOnce() async throws {
        let captured = try Captured(watches: false)
        let chunk = String(repeating: "x\n", count: StderrCapture.sizeLimit)
        for _ in 0..<16 {
            captured.write(chunk)
            captured.capture.passOn()
            #expect(captured.capture.size == 0)
        }
        captured.write("the end\n")
        captured.capture.passOn()
        captured.capture.finish()
        let lines = await Array(captured.capture.lines)
        #expect(lines == ["more than 1 MiB at once; the text that was not read yet is dropped", "the end"])
    }

    /// Text that was passed on goes from the file, even if an unfinished line is always at its end.
    @Test(arguments: ["x\n", "x\nx"]) func passedOnTextDoesNotPileUp(end: String) async throws {
        let captured = try Captured(watches: false)
        let text = String(repeating: "x", count: 1_022) + end
        for _ in 0..<16 {
            for _ in 0..<512 { captured.write(text) }
            captured.capture.passOn()
            #expect(captured.capture.size <= 2 * StderrCapture.sizeLimit + 512 * 1_025)
        }
        captured.capture.finish()
        var longest = 0
        for await line in captured.capture.lines { longest = max(longest, line.utf8.count) }
        #expect(longest >= 1_023)
    }

    /// The thread copes with a flood, too: it ends with the file emptied and the last line passed on or dropped.
    @Test func theWatchedFileStaysSmallInAFlood() throws {
        let captured = try Captured()
        let chunk = String(repeating: "x\n", count: StderrCapture.sizeLimit)
        for _ in 0..<16 { captured.write(chunk) }
        captured.capture.passOn()
        #expect(captured.capture.size <= 2 * StderrCapture.sizeLimit)
        captured.capture.finish()
    }

    @Test func aFullQueueReportsThatLinesAreMissing() async throws {
        let captured = try Captured(watches: false)
        captured.write(String(repeating: "x\n", count: StderrCapture.waitingLimit + 500))
        captured.capture.passOn()
        captured.capture.finish()
        let lines = await Array(captured.capture.lines)
        #expect(lines.count == StderrCapture.waitingLimit)
        #expect(lines.last == "lines come faster than they are read; some are dropped")
        #expect(lines.count { $0 != "x" } == 1)
    }

    @Test func linesBeyondTheLimitAreDroppedAndReportedOnce() async throws {
        let captured = try Captured()
        var lines = captured.capture.lines.makeAsyncIterator()
        for _ in 0..<StderrCapture.lineCountLimit / 500 {
            captured.write(String(repeating: "x\n", count: 500))
            for _ in 0..<500 { #expect(await lines.next() == "x") }
        }
        captured.write(String(repeating: "y\n", count: 500))
        #expect(await lines.next() == "more than 10000 lines; later ones are dropped")
        captured.capture.passOn()
        captured.capture.finish()
        #expect(await lines.next() == nil)
    }
}

extension Array {
    /// Everything that an ended stream holds.
    fileprivate init(_ stream: AsyncStream<Element>) async {
        self = []
        for await element in stream { append(element) }
    }
}
