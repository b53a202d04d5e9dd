import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import adtop

/// Files that a run writes.
@Suite struct WrittenFilesTests {
    @Test func noTwoAreOneFile() throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.file("a"), folder.file("b"))
        try folder.write("", to: "a")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try WrittenFiles.check(["--record": file, "--events": folder.file("c"), "--log-file": nil])
        try WrittenFiles.check(["--record": "/dev/null", "--events": "/dev/null", "--log-file": nil])
        for other in [file, link, folder.path + "/./a"] {
            let message = "--events: \(other) is the file of --record, too; name another file"
            #expect(throws: CommandFailure(.usage, message)) {
                try WrittenFiles.check(["--record": file, "--events": other])
            }
        }
    }

    @Test func aReportDoesNotReplaceItsJournal() throws {
        let folder = try TemporaryFolder()
        let journal = folder.file("j.sqlite")
        let form = try ReportForm.parse(["--output", journal])
        #expect(throws: CommandFailure(.usage, "--output: \(journal) is the journal; name another file")) {
            try form.rejectOutput(to: journal)
        }
        try ReportForm.parse(["--output", folder.file("r.html")]).rejectOutput(to: journal)
    }
}
