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

    #if os(Linux)
        /// Whether the file system of a folder has files without names, by a path of its own.
        private static func hasUnnamedFiles(_ folder: String) -> Bool {
            let descriptor = open(folder, O_WRONLY | O_DIRECTORY | 0o20_000_000, 0o600)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }

        /// A process that is ended in between leaves nothing: until the file is whole there is no name to leave.
        @Test(arguments: [true, false]) func nothingIsBesideTheFileWhileItIsWritten(_ isThere: Bool) throws {
            let folder = try TemporaryFolder()
            let path = folder.file("report.html")
            if isThere { try folder.write("old", to: "report.html") }
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let file = try FileReplacement(of: path, mode: 0o644)
            #expect(WholeWrite.write(Array("new".utf8), to: file.descriptor) == nil)
            if Self.hasUnnamedFiles(folder.path) {
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
            }
            try file.finish(nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.html"])
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        }
    #endif

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none/report.html")
        #expect(throws: FileProblem(creating: path, code: ENOENT)) { try FileReplacement(of: path, mode: 0o666) }
    }

    @Test func aLinkStaysOneAndItsFileIsReplaced() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "real.html")
        let link = folder.file("link.html")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("real.html"))
        let file = try FileReplacement(of: link, mode: 0o644)
        #expect(WholeWrite.write(Array("new".utf8), to: file.descriptor) == nil)
        try file.finish(nil)
        #expect(try String(contentsOfFile: folder.file("real.html"), encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file("real.html"))
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
