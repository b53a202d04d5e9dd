import Foundation
import Live
import Ports
import TestSupport
import Testing

@Suite struct FileTextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func readsAllBytes() throws {
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try data.write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(try FileText.read(folder.file("a"), maximumBytes: 200_000) == Array(data))
    }

    @Test func theLimitIsAProblem() throws {
        try Data(count: 101).write(to: URL(fileURLWithPath: folder.file("a")))
        #expect(throws: FileProblem(path: folder.file("a"), reason: .tooLong(limit: 100))) {
            try FileText.read(folder.file("a"), maximumBytes: 100)
        }
    }

    @Test func anEmptyPathIsSeen() {
        #expect(FileProblem(path: "", reason: .missing).description == "'': no such file; check the name")
    }

    @Test func problemsNamePathAndReason() throws {
        #expect(throws: FileProblem(path: "/no/such", reason: .missing)) {
            try FileText.read("/no/such", maximumBytes: 1)
        }
        #expect(throws: FileProblem(path: folder.path, reason: .isFolder)) {
            try FileText.read(folder.path, maximumBytes: 1)
        }
        #expect(FileProblem(path: "/no/such", reason: .missing).description == "/no/such: no such file; check the name")
        #expect(FileProblem(path: "a", reason: .tooLong(limit: 9)).description == "a: longer than 9 bytes")
    }

    @Test func stateFolderFollowsTheEnvironment() {
        #expect(StateFolder.path(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/adtop")
        #expect(StateFolder.path(environment: ["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/adtop")
        #expect(StateFolder.path(environment: [:]) == nil)
    }
}
