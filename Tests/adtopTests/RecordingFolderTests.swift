import Foundation
import Live
import Monitoring
import Ports
import Session
import Testing

@testable import adtop

@Suite struct RecordingFolderTests {
    private let place = NSTemporaryDirectory() + "adtop-recordings-\(UUID().uuidString)"

    private func session(_ name: String) throws -> (name: String, configuration: MonitorConfiguration) {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live/\(name)/master.m3u8"))
        configuration.name = name
        return (name, configuration)
    }

    @Test func filesAreNamedAfterTheirSessions() {
        #expect(
            RecordingFolder.fileNames(["ch7", "news at 9", "../x"]) == ["ch7.adtop", "news-at-9.adtop", "---x.adtop"])
        #expect(
            RecordingFolder.fileNames(["a/b", "a b", "A-B", "", "a-b-2"])
                == ["a-b.adtop", "a-b-2.adtop", "A-B-3.adtop", "session.adtop", "a-b-2-2.adtop"])
    }

    @Test(arguments: ["tonight", "tonight/"]) func theFilesAreInTheFolder(path: String) {
        let order = RecordingOrder(path: path, redaction: .standard)
        #expect(order.paths(of: ["a/b", "a b"]) == ["tonight/a-b.adtop", "tonight/a-b-2.adtop"])
    }

    @Test func eachSessionGetsARecordingThatReplayReads() async throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        let folder = try RecordingFolder(RecordingOrder(path: place, redaction: .standard))
        let files = try folder.recordings(of: [session("ch7"), session("ch8")])
        for file in files {
            file.record(
                RecordedInput(
                    input: .started, at: Moment(wall: UnixTime(milliseconds: 1_000), uptime: .seconds(1))))
            #expect(await file.finish() == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["ch7.adtop", "ch8.adtop"])
        let recording = try RecordingFile.read("\(place)/ch8.adtop")
        #expect(recording.configuration.name == "ch8" && recording.inputs.count == 1)
    }

    @Test func aFileInThePlaceOfTheFolderIsAClearError() throws {
        defer { try? FileManager.default.removeItem(atPath: place) }
        try Data().write(to: URL(fileURLWithPath: place))
        #expect {
            try RecordingFolder(RecordingOrder(path: place, redaction: .standard))
        } throws: { error in
            guard let failure = error as? CommandFailure else { return false }
            return failure.status == .usage
                && failure.message
                    == "--record \(place): a file; give a folder for the recordings of many sessions"
        }
    }
}
