import Foundation
import Ports
import TestSupport
import Testing

@testable import Live

@Suite struct CookieJarFileTests {
    private let now = UnixTime(milliseconds: 1_800_000_000_000)

    private func jar(_ value: String) throws -> CookieJar {
        var jar = CookieJar()
        jar.store([HTTPField("Set-Cookie", "id=\(value); Max-Age=60")], from: try WebURL("https://h.test/"), at: now)
        return jar
    }

    @Test func whatIsWrittenComesBack() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("jar.txt")
        #expect(try CookieJarFile.read(path, at: now).isEmpty)
        try CookieJarFile.write(jar("1"), to: path, at: now)
        try CookieJarFile.write(jar("2"), to: path, at: now)
        #expect(try CookieJarFile.read(path, at: now).cookies == jar("2").cookies)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["jar.txt"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aLinkStaysALink() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real.txt")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.txt"), withDestinationPath: "real.txt")
        try CookieJarFile.write(jar("1"), to: folder.file("link.txt"), at: now)
        #expect(try CookieJarFile.read(folder.file("real.txt"), at: now).cookies.count == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.txt")) == "real.txt")
    }

    @Test func problemsNameTheFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("h.test\tTRUE\tSECRET\n", to: "bad.txt")
        let bad = #expect(throws: FileProblem.self) { try CookieJarFile.read(folder.file("bad.txt"), at: now) }
        #expect(
            bad?.description
                == "\(folder.file("bad.txt")): is not a file of cookies in Netscape's form: line 1: 3 fields, not 7 with tabs between"
        )
        let missing = folder.file("no/jar.txt")
        // Before the first request as after the last.
        let problem = FileProblem(creating: missing, code: ENOENT)
        #expect(problem.description == "\(missing): there is no such folder; name another file")
        #expect(throws: problem) { try CookieJarFile.write(jar("1"), to: missing, at: now) }
        #expect(throws: problem) { try CookieJarFile.read(missing, at: now) }
    }
}
