import Fleet
import Testing

@testable import adtop

@Suite struct ChannelListTests {
    private static func list(_ files: [String: String], _ arguments: [String]) throws(CommandFailure) -> [FleetChannel]
    {
        try ChannelList(arguments) { path throws(CommandFailure) in
            guard let text = files[path] else { throw CommandFailure(.unreadable, path) }
            return Array(text.utf8)
        }.channels
    }

    private static func problem(_ text: String) -> String? {
        do throws(CommandFailure) {
            _ = try list(["list.txt": text], ["list.txt"])
            return nil
        } catch {
            return error.message
        }
    }

    @Test func readsChannels() throws {
        let channels = try Self.list(
            ["a": "ch7 https://a.example/7 viewers=3 regions=eu,us,eu labels=news,uk poll=4s header=A:1 header=B:2\n"],
            ["a", "https://a.example/8"])
        #expect(
            channels.first
                == FleetChannel(
                    name: "ch7", url: "https://a.example/7", options: ["poll": "4s", "header": "A:1\nB:2"],
                    labels: ["news", "uk"], regions: ["eu", "us"], viewers: 3))
        #expect(channels.last?.url == "https://a.example/8")
        #expect(channels.last?.regions == [""])
    }

    @Test func namesFileAndLine() {
        #expect(
            Self.problem("a https://x.example/\n\na https://y.example/") == "list.txt:3: the name 'a' is used on line 1"
        )
        #expect(
            Self.problem("a https://x.example/ viewers=1001")
                == "list.txt:1: viewers: '1001' is not a number from 0 to 1000")
        #expect(Self.problem("a https://x.example/ regions=")?.hasPrefix("list.txt:1: regions: empty") == true)
        #expect(Self.problem("a https://x.example/ poll=4x")?.hasPrefix("list.txt:1: --poll: '4x'") == true)
        #expect(
            Self.problem("a https://x.example/ count=3")?.hasPrefix(
                "list.txt:1: unknown option 'count'; known options: labels, regions, viewers,") == true)
        #expect(Self.problem("a htp:/x")?.hasPrefix("list.txt:1: 'htp:/x'") == true)
        #expect(Self.problem("# nothing\n") == "list.txt: no channels; write one URL on each line")
    }

    @Test func urlsOfOneNameAreTwoChannels() throws {
        let channels = try Self.list([:], ["https://a.example/news.m3u8", "https://b.example/news.m3u8"])
        #expect(channels.map(\.name) == ["news", "news-2"])
        #expect(channels.map(\.url) == ["https://a.example/news.m3u8", "https://b.example/news.m3u8"])
    }

    @Test func aNameIsInOneFile() {
        #expect(throws: CommandFailure.self) {
            try Self.list(["a": "x https://a.example/", "b": "x https://b.example/"], ["a", "b"])
        }
    }

    /// A header is as secret as a URL: the list is printed for people.
    @Test func outputMasksWhatMayBeSecret() {
        let channel = FleetChannel(
            name: "a", url: "https://a.example/?token=s3cret",
            options: [
                "header": "Authorization: Bearer s3cret\nX-Token: s3cret", "cookie": "id=s3cret", "poll": "4s",
                "vast": "https://v.example/?token=s3cret",
            ])
        let text = ChannelLine.text(ChannelLine.masked(channel))
        #expect(!text.contains("s3cret"))
        #expect(text.contains("poll=4s") && text.contains("Authorization") && text.contains("X-Token"))
    }

    /// Names that a line has to quote, or whose marks are not its own.
    @Test(arguments: [
        "a", "a b", "say \"hi\"", "\"", "a\\", "a b\\", "a b\\\\", "\\\"", "# a", "a#b", "x \"\u{301}", "\u{301} x",
        "\u{A0}",
    ])
    func everyNameIsReadAsItIsPrinted(_ name: String) throws {
        let channel = FleetChannel(name: name, url: "https://a.example/7", options: [:], labels: [], regions: [""])
        let read = try Self.list(["a": ChannelLine.text(channel)], ["a"])
        #expect(read.map { Array($0.name.unicodeScalars) } == [Array(name.unicodeScalars)])
    }

    /// Names are keys of the store, which has no room for all.
    @Test func rejectsNamesThatNobodyCanRead() throws {
        for name in ["a\u{1B}[2J", "a\0", "a\u{7F}", "a\u{FFFD}"] {
            #expect(
                Self.problem("\(name) https://a.example/7")
                    == "list.txt:1: the name '\(name)' has control characters, or is no UTF-8")
        }
        let longest = String(repeating: "é", count: 200)
        #expect(try Self.list(["a": "\(longest) https://a.example/7"], ["a"]).map(\.name) == [longest])
        #expect(Self.problem("\(longest)x https://a.example/7") == "list.txt:1: the name has more than 200 characters")
    }

    /// Which of them counts, nobody could tell.
    @Test func rejectsWhatALineGivesTwice() {
        #expect(Self.problem("https://a.example/7 viewers=2 viewers=3") == "list.txt:1: 'viewers' is given twice")
    }

    /// The variable is one of the agents' machines, so that its name alone is checked.
    @Test func namesAVariableOfTheAgents() throws {
        for name in ["TESTS_HAVE_NO_SUCH_VARIABLE", "_t0"] {
            let channels = try Self.list(["a": "https://a.example/7 bearer-env=\(name)"], ["a"])
            #expect(channels.map(\.options) == [["bearer-env": name]])
        }
        for name in ["", "1st", "a-b", "tökén"] {
            #expect(
                Self.problem("https://a.example/7 bearer-env=\(name)")
                    == "list.txt:1: bearer-env: '\(name)' is no name of an environment variable")
        }
    }

    @Test func printsWhatItReads() throws {
        let channel = FleetChannel(
            name: "ch 7", url: "https://a.example/7", options: ["poll": "4s", "header": "A: 1\nB:2"], labels: ["a b"],
            regions: ["eu"], viewers: 0)
        #expect(try Self.list(["a": ChannelLine.text(channel)], ["a"]) == [channel])
    }
}
