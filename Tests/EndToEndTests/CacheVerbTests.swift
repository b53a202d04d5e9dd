import Foundation
import Ports
import TestSupport
import Testing

/// The verbs of `adtop cache`, as a person runs them (docs/cache.md).
@Suite struct CacheVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func cache(_ arguments: String..., input: String = "") async throws -> AdtopProcess {
        try await AdtopProcess.run(["cache"] + arguments + ["--folder", folder.file("creatives")], input: input)
    }

    @Test func aCreativeGoesInComesOutAndLeaves() async throws {
        let bid = #"{"id": "b1", "adm": "<b>one</b>"}"#
        try folder.write(bid, to: "bid.json")
        let put = try await cache("put", "-", "--id", "a-1", "--bid", folder.file("bid.json"), input: "<b>one</b>")
        #expect(put.status == 0 && put.output == "a-1\n", "\(put.errors)")
        #expect(try await cache("get", "a-1").output == "<b>one</b>")
        #expect(try await cache("get", "a-1", "--bid").output == bid)
        let list = try await cache("list", "--json").json()
        #expect(
            list["schema"] == "adtop-cache/1" && list["count"] == 1
                && list["disk"]?["bytes"] == .optional(10 + bid.utf8.count))
        let text = try await cache("list").output
        #expect(text.contains("\n1 creative, ") && text.contains(" bytes used\n"), "\(text)")
        let entry = try #require(list["creatives"]?.arrayValue?.first)
        let (stored, ends) = (entry["storedAtMs"]?.integerValue ?? 0, entry["expiresAtMs"]?.integerValue ?? 0)
        #expect(entry["id"] == "a-1" && entry["kind"] == "banner" && ends - stored == 300_000)
        let kept = try await cache("put", "-", "--id", "a-1", "--keep", input: "<b>two</b>")
        #expect(kept.status == 1 && kept.errors.contains("a valid creative with this id exists"))
        #expect(try await cache("rm", "a-1").status == 0)
        let gone = try await cache("get", "a-1")
        #expect(gone.status == 1 && gone.errors.contains("a-1: no such creative"))
        #expect(try await cache("rm", "a-1").status == 1)
    }

    @Test func aFileOverTheLimitIsTooLarge() async throws {
        try folder.write(String(repeating: "x", count: (2 << 20) + 1), to: "large.html")
        let put = try await cache("put", folder.file("large.html"), "--json")
        #expect(put.status == 1 && put.errors.contains("too large"))
        #expect(try put.json()["outcome"] == "tooLarge")
    }

    /// What it is follows from how it begins, unless somebody says.
    @Test(arguments: [
        ("<b>x</b>", "banner", "text/html; charset=utf-8"),
        ("<?xml version='1.0'?><VAST/>", "video", "application/xml"),
        ("\u{FEFF} <VAST/>", "video", "application/xml"), (#"{"native": {}}"#, "native", "application/json"),
        ("", "banner", "text/html; charset=utf-8"),
    ])
    func theTypeIsToldByTheBeginning(_ body: String, _ kind: String, _ type: String) async throws {
        let put = try await cache("put", "-", "--ttl", "2h", "--json", input: body).json()
        #expect(put["outcome"] == "stored")
        #expect(put["creative"]?["kind"] == .string(kind) && put["creative"]?["contentType"] == .string(type))
        let (stored, ends) = (
            put["creative"]?["storedAtMs"]?.integerValue, put["creative"]?["expiresAtMs"]?.integerValue
        )
        // An hour is the longest life.
        #expect(try #require(ends) - (try #require(stored)) == 3_600_000)
    }

    @Test(arguments: [
        (["put", "-", "--id", "../x"], 2, "--id"), (["put", "-", "--id", ".x"], 2, "--id"),
        (["put", "-", "--id", String(repeating: "a", count: 129)], 2, "--id"),
        (["put", "-", "--ttl", "soon"], 2, "--ttl: 'soon' is not a duration"),
        (["put", "-", "--ttl=-5s"], 2, "--ttl: '-5s' is negative"),
        (["put", "-", "--type", "text/html\r\nX: y"], 2, "--type"),
        (["put", "-", "--fallback", "cache.example"], 2, "--fallback: 'cache.example' is not absolute"),
        (["put", "/nonexistent"], 4, "/nonexistent: no such file"),
        (["put", "-", "--bid", "/nonexistent"], 4, "/nonexistent: no such file"),
        (["get", "nobody"], 1, "nobody: no such creative"), (["get", "a/b"], 2, "<id>: 'a/b' is not valid"),
        (["serve", "--port", "65536"], 2, "--port: '65536' is not a port between 0 and 65535"),
        (["serve", "--cors", "some"], 2, "--cors: 'some' is not any or none"),
        (["serve", "--memory", "0"], 2, "--memory: '0' is not a number of MiB"),
        (["serve", "--allow-origin", "https://pub.example/page"], 2, "is not scheme://host"),
        (["serve", "--allow-origin", "null"], 2, "is not scheme://host"),
    ])
    func whatIsWrongIsOneLineAndAnExitCode(_ arguments: [String], _ status: Int, _ message: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.file("creatives"), withIntermediateDirectories: true)
        let run = try await AdtopProcess.run(
            ["cache"] + arguments + ["--folder", folder.file("creatives")], input: "<b>x</b>")
        #expect(Int(run.status) == status && run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasPrefix("adtop: ") && run.errors.split(separator: "\n").count == 1 && run.output.isEmpty)
    }

    @Test(arguments: [
        (["creative", "--server", "pub"], 2), (["creative", "--port", "0"], 2), (["creative", "--timeout", "0s"], 2),
        (["creative", "--universal", "javascript:alert(1)"], 2), (["bench", "--n", "0"], 2),
        (["bench", "--n", "1", "--remote", "http://127.0.0.1:9/x"], 3), (["list", "--folder", "/etc/passwd"], 4),
        (["cert", "show", "--tls-folder", "/nonexistent-adtop"], 4),
    ])
    func otherVerbsSayIt(_ arguments: [String], _ status: Int) async throws {
        let run = try await AdtopProcess.run(["cache"] + arguments)
        #expect(Int(run.status) == status && run.errors.hasPrefix("adtop: ") && run.output.isEmpty, "\(run.errors)")
    }

    @Test func aBidThatIsNoJSONIsNotKept() async throws {
        try folder.write("{\n  adm}", to: "bid.json")
        let put = try await cache("put", "-", "--bid", folder.file("bid.json"), input: "<b>x</b>")
        #expect(put.status == 4 && put.errors.contains("bid.json:2:3: not JSON"), "\(put.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("creatives")))
    }

    @Test func bytesThatAreNoTextAreBase64InJSON() async throws {
        try Data([0xFF, 0x00, 0x41]).write(to: URL(fileURLWithPath: folder.file("ad.bin")))
        #expect(try await cache("put", folder.file("ad.bin"), "--id", "b").status == 0)
        let json = try await cache("get", "b", "--json").json()["creative"]
        #expect(json?["body"] == .null && json?["bodyBase64"] == "/wBB")
        #expect(try await cache("put", "-", "--id", "t", input: "<b>x</b>").status == 0)
        let text = try await cache("get", "t", "--json").json()["creative"]
        #expect(text?["body"] == "<b>x</b>" && text?["bodyBase64"] == nil)
    }

    /// It is a mistyped one, not an empty cache.
    @Test(arguments: [["list"], ["purge"], ["get", "a"], ["rm", "a"]])
    func aVerbThatStoresNothingMakesNoFolder(_ arguments: [String]) async throws {
        let place = folder.file("typo/deep")
        let run = try await AdtopProcess.run(["cache"] + arguments + ["--folder", place])
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors == "adtop: \(place): no such folder; check the name\n")
        #expect(!FileManager.default.fileExists(atPath: folder.file("typo")))
    }

    /// A verb with shorter lives would take what is there for damaged, and delete it.
    @Test func allVerbsGoByTheSettings() async throws {
        try folder.write("cache-max-ttl: 2h\ncache-ttl: 90m\ncache-write-key: hush\n", to: "config.yaml")
        let config = ["--config", folder.file("config.yaml")]
        let place = config + ["--folder", folder.file("creatives")]
        let put = try await AdtopProcess.run(
            ["cache", "put", "-", "--id", "long", "--ttl", "3h"] + place, input: "<b>x</b>")
        let usual = try await AdtopProcess.run(["cache", "put", "-", "--id", "usual"] + place, input: "<b>x</b>")
        #expect(put.status == 0 && usual.status == 0, "\(put.errors)\(usual.errors)")
        let list = try await AdtopProcess.run(["cache", "list", "--json"] + place).json()
        let lives = (list["creatives"]?.arrayValue ?? []).map { entry in
            "\(entry["id"]?.stringValue ?? "") "
                + "\((entry["expiresAtMs"]?.integerValue ?? 0) - (entry["storedAtMs"]?.integerValue ?? 0))"
        }
        #expect(Set(lives) == ["long 7200000", "usual 5400000"])
        for form in [[], ["--json"]] {
            let shown = try await AdtopProcess.run(["config"] + config + form)
            #expect(shown.status == 0 && shown.output.contains("***") && !shown.output.contains("hush"))
        }
    }

    /// Two programs on one folder: the server has at once what the other put, and no more what it removed.
    @Test func aServerSeesWhatOthersDo() async throws {
        let server = try AdtopChild(
            ["cache", "serve", "--port", "0", "--no-tls", "--json", "--folder", folder.file("creatives")])
        let text = try await server.expect("adtop-cache-serve/1")
        let port = try #require(text.firstMatch(of: /"port":([0-9]+)/).flatMap { Int($0.output.1) })
        let client = LoopbackClient(port: port)
        #expect(await client.get("/a-1").body != "<b>one</b>")
        #expect(try await cache("put", "-", "--id", "a-1", input: "<b>one</b>").status == 0)
        #expect(await client.get("/a-1").body == "<b>one</b>")
        try await server.expect(#""subject":"a-1","status":200,"bytes":10"#)
        let other = try await AdtopProcess.run(["cache", "serve", "--port", "\(port)", "--no-tls", "--memory-only"])
        #expect(other.status == 2 && other.errors.contains("port \(port) is taken on 127.0.0.1"), "\(other.errors)")
        #expect(try await server.interrupt().status == 0)
    }
}
