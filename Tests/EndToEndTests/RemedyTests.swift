import TestSupport
import Testing

/// A remedy names what the verb has.
@Suite struct RemedyTests {
    private static let reason = "neither XDG_STATE_HOME nor HOME is an absolute path; set one, or"

    @Test(arguments: [[:], ["HOME": "relative"], ["XDG_STATE_HOME": "relative"]] as [[String: String]])
    func aReportWithoutAStateFolderNeedsAJournal(_ environment: [String: String]) async throws {
        let run = try await AdtopChild(["report"], environment: environment).end()
        #expect(run.status == 2 && run.errors == "adtop: no journal folder: \(Self.reason) name a journal\n")
    }

    @Test func aRunWithoutAStateFolderNeedsNoJournal() async throws {
        let arguments = ["http://127.0.0.1:9/live.m3u8", "--fire", "--dump", "--for", "1s"]
        let run = try await AdtopChild(arguments).end()
        #expect(run.status == 2 && run.errors == "adtop: no journal folder: \(Self.reason) use --no-journal\n")
    }

    @Test func aChainOfPublicAddressesNamesItsOption() async throws {
        let run = try await AdtopProcess.run(["vast", "resolve", "http://127.0.0.1:9/tag", "--public-only", "--json"])
        #expect(run.output.contains("omit --public-only") && !run.output.contains("--allow-"), "\(run.output)")
    }
}
