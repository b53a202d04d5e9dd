import Foundation
import Ports
import TestSupport
import Testing

/// `adtop zone` against the embedded origin, and `adtop choose` beside it (CACHE-15, CACHE-16).
@Suite struct ZoneVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func zone(_ arguments: String...) async throws -> AdtopProcess {
        try await AdtopProcess.run(["zone"] + arguments + ["--folder", folder.file("zones")])
    }

    private func files() -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.file("zones"))) ?? [])
    }

    @Test func aZoneIsPreviewedWarmedUsedAgainAndPurged() async throws {
        try await ServedZones.with { zones in
            let address = "9001=\(zones)?zone=rewarded-1"
            let preview = try await zone("preview", address, "--json")
            #expect(preview.status == 0, "\(preview.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("zones")))
            let plan = try #require(try preview.json()["zones"]?.arrayValue?.first)
            #expect(plan["hit"] == false && plan["missReason"] == "responseMissing" && plan["quality"] == "low")
            let warm = try await zone("warm", address)
            #expect(warm.status == 0 && files() == ["9001.json", "9001.mp4"], "\(warm.output)")
            let again = try await zone("warm", address)
            #expect(again.output.contains("from the cache"))
            // The history belongs to the computer, not to a zone: a fast download of the low quality allows the high
            // one.
            let next = try await zone("preview", "other=\(zones)?zone=rewarded-2", "--json").json()
            #expect(next["zones"]?.arrayValue?.first?["quality"] == "high")
            #expect(try await zone("list", "--json").json()["zones"]?.arrayValue?.count == 1)
            #expect(try await zone("purge").output == "1 zone removed\n")
            #expect(files().isEmpty)
        }
    }

    @Test func whatHasNoVideoSaysWhy() async throws {
        try await ServedZones.with { zones in
            for (unit, status, words) in [
                ("nothing", Int32(1), "no fill: the ad response is empty"),
                ("banner-1", 1, "the ad response is not a VAST document"),
                ("rewarded-error", 3, "the server answered 503"),
            ] {
                let run = try await zone("warm", "z=\(zones)?zone=\(unit)")
                #expect(run.status == status && run.output.contains(words), "\(run.output)")
            }
            #expect(files().isEmpty)
        }
        #expect(try await zone("warm", "z=http://127.0.0.1:9/").status == 3)
        #expect(try await zone("warm", "nonsense").status == 2)
        #expect(try await zone("list", "--quota", "0").errors.contains("--quota: 0 is not 1 to 1000000 MiB"))
        #expect(try await zone("list").output == "no saved zones\n")
    }

    @Test(arguments: ["list", "purge"])
    func aVerbThatSavesNothingMakesNoFolder(_ verb: String) async throws {
        let run = try await zone(verb)
        let place = folder.file("zones")
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors == "adtop: \(place): no such folder; check the name\n")
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    /// The table of CACHE-16 with its borders in the middle row.
    @Test(arguments: [
        ("1.999", "low", "high"), ("2", "low", "mid"), ("3", "low", "mid"), ("3.001", "low", "low"),
        ("2.999", "mid", "high"), ("3", "mid", "mid"), ("5", "mid", "mid"), ("5.001", "mid", "low"),
        ("4.999", "high", "high"), ("5", "high", "mid"), ("10", "high", "mid"), ("10.001", "high", "low"),
        ("-1", "high", "low"), ("nan", "mid", "low"), ("inf", "mid", "low"),
    ])
    func chooseFollowsTheLastDownload(_ time: String, _ quality: String, _ expected: String) async throws {
        let files = ["low": 596, "mid": 1_128, "high": 1_628].map { name, bitrate in
            """
            <MediaFile type="video/mp4" delivery="progressive" bitrate="\(bitrate)" width="\(bitrate)" height="480">\
            https://cdn.example/\(name).mp4</MediaFile>
            """
        }
        let document = """
            <VAST version="3.0"><Ad \
            id="a"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle><Impression/><Creatives><Creative>\
            <Linear><Duration>00:00:10</Duration><MediaFiles>\(files.joined())</MediaFiles></Linear></Creative></Creatives>\
            </InLine></Ad></VAST>
            """
        let run = try await AdtopProcess.run(
            ["choose", "-", "--last-time=\(time)", "--last-quality", quality], input: document)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("download \(expected):"), "\(run.output)")
        #expect(run.output.contains("  https://cdn.example/\(expected).mp4"))
    }
}
