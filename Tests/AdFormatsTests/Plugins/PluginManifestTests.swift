import AdFormats
import Ports
import Testing

@Suite struct PluginManifestTests {
    private static let whole = """
        {"identifier":"acme","name":"Acme","type":"advertisement","api":{"executable":"acme.py","protocol":1,
        "capabilities":["banner","hologram"]},"configuration_fields":[{"key":"zone","type":"text","default":"z1"}],
        "sizes":{"WIDE":[640,50],"BAD":[0,1]}}
        """

    @Test func aWholeManifestIsRead() throws {
        let reading = PluginManifestReading(Array(Self.whole.utf8))
        let manifest = try #require(reading.manifest)
        #expect(manifest.identifier == "acme" && manifest.executable == "acme.py" && manifest.capabilities == [.banner])
        #expect(manifest.sizes.size(of: "WIDE", on: .phone) == PixelSize(width: 640, height: 50))
        #expect(manifest.sizes.size(of: "BAD", on: .phone) == nil)
        #expect(manifest.configuration([:])["zone"] == "z1")
        #expect(manifest.configuration(["zone": "mine"])["zone"] == "mine")
        #expect(reading.findings.map(\.rule) == ["plugin-capability"])
        #expect(reading.findings.first?.severity == .warning)
    }

    @Test(arguments: [
        ("../bin/sh", "plugin-executable"), ("/bin/sh", "plugin-executable"), ("..", "plugin-executable"),
        ("../\u{301}sh", "plugin-executable"), ("a\u{D4E}/sh", "plugin-executable"),
    ])
    func theExecutableStaysInItsFolder(name: String, rule: String) {
        let reading = PluginManifestReading(Array(Self.whole.replacing("acme.py", with: name).utf8))
        #expect(reading.manifest == nil && reading.findings.contains { $0.rule == rule && $0.severity == .error })
    }

    @Test(arguments: [
        ("\"advertisement\"", "\"game\"", "plugin-type", "type"),
        ("\"protocol\":1", "\"protocol\":9", "plugin-protocol", "api.protocol"),
        ("\"identifier\":\"acme\",", "", "plugin-member", "identifier"),
    ])
    func whatIsMissingOrWrongIsNamed(text: String, other: String, rule: String, path: String) {
        let reading = PluginManifestReading(Array(Self.whole.replacing(text, with: other).utf8))
        #expect(reading.manifest == nil)
        #expect(reading.findings.contains { $0.rule == rule && $0.path == path })
    }

    @Test func brokenJSONHasItsPlace() {
        let reading = PluginManifestReading(Array("{\n\"a\" 1}".utf8))
        #expect(reading.findings.first?.rule == "plugin-json" && reading.findings.first?.line == 2)
    }
}
