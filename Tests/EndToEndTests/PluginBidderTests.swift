import Foundation
import Ports
import TestSupport
import Testing

/// A bidder in another language takes part in auctions: `adtop auction run --live --plugins`, and `--auction` beside a
/// stream.
@Suite(.serialized) struct PluginBidderTests {
    /// One auction for each mood of the plugin, which it tells by the placement.
    private static let moods = ["home", "lie", "home", "die", "home", "flood", "home", "hang"]

    static func auction(_ mood: String, id: String, tmax: Int = 1_000, every: Int? = nil) -> String {
        """
        {"auctionId": "\(id)", "placement": {"id": "\(mood)", "sizes": [[320, 50]]}, "auction": {"tmaxMs": \(tmax)},
         "everyS": \(every.map(String.init) ?? "null"),
         "events": ["display"], "lineItems": [{"id": "li", "cpm": "0.50", "creative": {"html": "<i>own</i>"}}],
         "plugins": [{"plugin": "py", "name": "Python"}]}
        """
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try PythonPlugin.folder()
        let cases = Self.moods.enumerated().map { number, mood in
            "{\"id\": \"\(number)-\(mood)\", \"input\": \(Self.auction(mood, id: "a\(number)"))}"
        }
        try folder.write("{\"cases\": [\(cases.joined(separator: ","))]}", to: "cases.auctions")
        try folder.write(Self.auction("home", id: "beside"), to: "one.auction")
        return folder
    }

    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func aPythonBidderWinsAndItsFailuresAreReasons() async throws {
        let folder = try folder()
        let run = try await AdtopProcess.run([
            "auction", "run", folder.file("cases.auctions"), "--live", "--no-warm", "--plugins", folder.path, "--fire",
            "--no-journal", "--json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let auctions = try run.json()["auctions"]?.arrayValue ?? []
        try #require(auctions.count == Self.moods.count)
        for (mood, auction) in zip(Self.moods, auctions) {
            let won = auction["winner"]?["source"]?.stringValue
            #expect(won == (mood == "home" ? "bidder" : "direct"), "\(mood): \(auction.text())")
        }
        #expect(auctions[0]["winner"]?["cpm"] == "0.75" && auctions[0]["markup"] == "<p>From Python</p>")
        func why(_ index: Int) -> String { auctions[index]["nonBids"]?.arrayValue?.first?["detail"]?.stringValue ?? "" }
        #expect(auctions[1]["losers"]?.arrayValue?.first?["reason"] == "incompleteAdapter", "\(auctions[1].text())")
        #expect(why(3) == "the plugin ended with status 3")
        #expect(why(5).contains("200 lines"))
        #expect(why(7) == "no answer")
        // It is told how each auction ended that it lived to see.
        let told = try String(contentsOfFile: folder.file("finished.txt"), encoding: .utf8).split(separator: "\n")
        #expect(
            told.first == "won primarySDKLostBidCompetition,bidderWinningAdMarkup,primarySDKDisplayedBidderAd",
            "\(told)")
    }

    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func itBidsBesideAStreamAndInTheReplay() async throws {
        let folder = try folder()
        let recording = folder.file("session.adtop")
        let run = try await AdtopProcess.run([
            "demo", "--seed", "1", "--dump", "--format", "json", "--for", "3s", "--record", recording, "--auction",
            folder.file("one.auction"), "--plugins", folder.path,
        ])
        #expect(run.status == 0, "\(run.errors)")
        let auction = try run.json()["auction"]
        #expect(auction?["asked"] == 1 && auction?["answered"] == 1)
        #expect(auction?["result"]?["winner"]?["source"] == "bidder", "\(auction?.text() ?? "none")")
        let replay = try await AdtopProcess.run(["replay", recording, "--at", "2900ms", "--dump", "--format", "json"])
        #expect(try replay.json()["auction"]?["result"] == auction?["result"])
    }

    /// The third unanswered request in a row ends the plugin, by a kill if needed; the next auction has another process.
    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func aBidderThatHangsIsGoneAfterwards() async throws {
        let folder = try PythonPlugin.folder()
        let moods = ["hang", "home", "home", "home", "stuck", "home", "home", "home"]
        let cases = moods.enumerated().map { number, mood in
            "{\"id\": \"\(number)\", \"input\": \(Self.auction(mood, id: "a\(number)", tmax: 300))}"
        }
        try folder.write("{\"cases\": [\(cases.joined(separator: ","))]}", to: "cases.auctions")
        let run = try await AdtopProcess.run([
            "auction", "run", folder.file("cases.auctions"), "--live", "--no-warm", "--plugins", folder.path, "--json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let auctions = try run.json()["auctions"]?.arrayValue ?? []
        let details = auctions.map { $0["nonBids"]?.arrayValue?.first?["detail"]?.stringValue ?? "bid" }
        let end = ["no answer", "no answer", "the plugin did not answer 3 requests in a row", "bid"]
        #expect(details == end + end)
        let hung = PythonPlugin.hung(in: folder)
        #expect(hung.count == 2 && hung.allSatisfy { $0.isGone }, "\(hung)")
    }

    @Test(arguments: [
        (["--live"], "--plugins DIR"), (["--live", "--plugins", "nowhere"], "no such plugin folder"),
    ])
    func whatCannotBidIsSaid(flags: [String], words: String) async throws {
        let folder = try folder()
        let run = try await AdtopProcess.run(["auction", "run", folder.file("one.auction"), "--no-warm"] + flags)
        #expect(run.status != 0 && run.errors.contains(words), "\(run.errors)")
        let unasked = try await AdtopProcess.run(["auction", "run", folder.file("one.auction"), "--json"])
        let nonBids = try unasked.json()["auctions"]?.arrayValue?.first?["nonBids"]
        #expect(nonBids?.arrayValue?.first?["reason"] == "notAsked")
    }
}
