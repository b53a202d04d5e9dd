import Foundation
import Ports
import TestSupport
import Testing

@testable import Live

@Suite struct FileReplacementTests {
    /// A reader sees the old bytes until the new ones are whole, and a write that fails costs neither.
    @Test func theOldFileStaysUntilTheNewOneIsWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "report.html")
        let path = folder.file("report.html")
        for failure in [ENOSPC, nil] {
            let file = try FileReplacement(of: path, mode: 0o644)
            let written = WholeWrite.write(Array("new".utf8), to: file.descriptor)
            #expect(try written == nil && String(contentsOfFile: path, encoding: .utf8) == "old")
            do throws(FileProblem) {
                try file.finish(failure)
                #expect(failure == nil)
            } catch {
                #expect(error == FileProblem(path: path, code: ENOSPC))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.html"])
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    }

    @Test func aFileThatOthersMayNotReadStaysSo() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "report.html")
        let path = folder.file("report.html")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try FileReplacement(of: path, mode: 0o666).finish(nil)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }
}
