import ArgumentParser
import Ports
import TestSupport
import Testing

@testable import adtop

@Suite struct SessionListTests {
    private func list(_ text: String) throws(CommandFailure) -> [SessionList.Entry] {
        try SessionList(text, path: "list.txt").entries
    }

    private func problem(_ text: String) -> String? {
        do throws(CommandFailure) {
            _ = try list(text)
            return nil
        } catch {
            #expect(error.status == .unreadable)
            return error.message
        }
    }

    @Test func aLineIsANameAURLAndOptions() throws {
        let entries = try list(
            """
            # channels of the north
            ch7 https://cdn.example/ch7/master.m3u8 mode=observe poll=2s   # the loud one

            https://cdn.example/live/sport.m3u8#frag allow-host=a.example allow-host=b.example
            ch9\thttps://cdn.example/ch9/index.m3u8 user-agent="player 1.0" macro=A=1 macro=B=2
            """)
        #expect(entries.map(\.name) == ["ch7", "sport", "ch9"])
        #expect(entries.map(\.line) == [2, 4, 5])
        #expect(entries[0].options == [.mode: "observe", .poll: "2s"])
        #expect(entries[0].url.text == "https://cdn.example/ch7/master.m3u8")
        #expect(entries[1].options == [.allowHost: "a.example,b.example"])
        #expect(entries[2].options == [.userAgent: "player 1.0", .macro: "A=1\nB=2"])
    }

    @Test func aByteOrderMarkIsNoPartOfTheFirstLine() throws {
        let text = "\u{FEFF}ch7 http://a.example/x.m3u8\r\nhttp://b.example/y.m3u8\r\n"
        #expect(try list(text).map(\.name) == ["ch7", "y"])
        #expect(try list("\u{FEFF}http://a.example/x.m3u8").map(\.name) == ["x"])
        #expect(problem("\"\" http://a.example/x")?.hasPrefix("list.txt:1: the name is empty; write ") == true)
    }

    @Test func countMakesManyOfOne() throws {
        let entries = try list("load http://127.0.0.1/live/master.m3u8 count=100 poll=1s")
        #expect(entries.count == 100)
        #expect(entries.first?.name == "load-001" && entries.last?.name == "load-100")
        #expect(entries.allSatisfy { $0.options == [.poll: "1s"] })
    }

    @Test func madeUpNamesGiveWay() throws {
        let entries = try list(
            """
            http://a.example/ch7/index.m3u8
            ch7 http://b.example/x.m3u8
            http://c.example/ch7/index.m3u8
            """)
        #expect(entries.map(\.name) == ["ch7-2", "ch7", "ch7-3"])
    }

    @Test(arguments: [
        ("", "list.txt: no sessions; write one URL on each line"),
        ("# nothing", "list.txt: no sessions; write one URL on each line"),
        ("http://a.example/\nch7", "list.txt:2: no URL after 'ch7'; write [NAME] URL [option=value …]"),
        ("ch7 http://a.example/ poll", "list.txt:1: 'poll' is not option=value"),
        (
            "ch7 http://a.example/ theme=paper",
            "list.txt:1: 'theme' applies to all sessions; give it as --theme"
        ),
        ("ch7 http://a.example/ count=0", "list.txt:1: count: '0' is not a number from 1 to 5000"),
        ("ch7 http://a.example/ poll=1s poll=2s", "list.txt:1: 'poll' is given twice"),
        ("ch7 http://a.example/ user-agent=\"x", "list.txt:1: unclosed quotation mark"),
        ("a http://a.example/\n\na http://b.example/", "list.txt:3: the name 'a' is used on line 1"),
        (
            "a http://a.example/ count=5000\nb http://b.example/",
            "list.txt:2: more than 5000 sessions; run a second adtop for the rest"
        ),
    ])
    func badLinesAreNamed(_ text: String, _ expected: String) {
        #expect(problem(text) == expected)
    }

    @Test func whatIsNoURLAndWhatIsNoOptionIsExplained() {
        #expect(problem("ftp://a.example/x")?.hasPrefix("list.txt:1: 'ftp://a.example/x' ") == true)
        #expect(
            problem("http://a.example/ pol=2s")?.hasPrefix(
                "list.txt:1: unknown option 'pol'; known options: count, provider, mode, ") == true)
    }

    /// Such a file is read after the list.
    @Test func aFileThatALineNamesIsReportedWithTheLine() async throws {
        let folder = try TemporaryFolder()
        try folder.write("http://127.0.0.1:1/a\nhttp://127.0.0.1:1/b auction=/nonexistent\n", to: "list.txt")
        let command = try MonitorCommand.parse([folder.file("list.txt"), "--dump", "--no-journal"])
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        let start = "\(folder.file("list.txt")):2: --auction: "
        #expect(failure?.status == .usage && failure?.message.hasPrefix(start) == true, "\(failure?.message ?? "")")
    }

    @Test func standardInputIsCalledSo() {
        #expect(throws: CommandFailure(.unreadable, "standard input:1: 'x' is not option=value")) {
            try SessionList("http://a.example/ x", path: "-")
        }
    }
}
