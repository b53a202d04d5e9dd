import CreativeCache
import CreativeServer
import Foundation
import Ports
import TestSupport
import Testing

/// A page in a real browser shows the creative of the loopback server through the generated snippet, and the universal
/// creative when the server has none.
@Suite(
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"),
        "chromium is not here (Debian: apt-get install chromium)"))
final class ChromiumTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let shelf: CreativeShelf
    private let port: Int

    init() throws {
        folder = try TemporaryFolder()
        let clock = { @Sendable in UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
        shelf = CreativeShelf(limits: StoreLimits(), rules: LoopbackRules(), wallClock: clock)
        shelf.put(
            CachedCreative(
                id: try #require(CreativeID("known")), kind: .banner,
                content: CachedCreative.Content(body: Array("<b>from this computer</b>".utf8))))
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        configuration.identity = try LocalCertificates(folder: folder.file("tls"), wallClock: clock).identity()
        server = LoopbackServer(shelf, configuration: configuration)
        port = try server.start().port
    }

    deinit { server.stop() }

    /// The content of the page after its scripts have run.
    private func page(_ id: String) async throws -> String {
        var snippet = CreativeSnippet(server: .plain, port: port)
        // The browser starts slowly in a test, and the time limit is not tested here.
        snippet.timeout = 20_000
        try folder.write(
            """
            <!DOCTYPE html><title>page</title>
            <script>
            // Records in the page which script was requested, without network access.
            var append = Node.prototype.appendChild;
            Node.prototype.appendChild = function (node) {
              if (node.tagName === "SCRIPT") {
                var note = document.createElement("p");
                note.textContent = "asked for " + node.src;
                return append.call(this, note);
              }
              return append.call(this, node);
            };
            </script>
            \(snippet.text)
            """, to: "page.html")
        // The browser's own store of authorities belongs to the user; CurlTests check the certificate itself.
        let ending = try await ChildProcess(
            "/usr/bin/timeout",
            [
                "90", "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--user-data-dir=\(folder.file("profile"))", "--ignore-certificate-errors",
                "--disable-features=LocalNetworkAccessChecks", "--timeout=20000", "--virtual-time-budget=15000",
                "--dump-dom", "file://\(folder.file("page.html"))?hb_cache_id=\(id)&hb_size=320x50",
            ],
            environment: ProcessInfo.processInfo.environment
        ).end()
        let errors = String(decoding: ending.errors, as: UTF8.self)
        try #require(ending.exit == .status(0), "\(errors.suffix(2_000))")
        return String(decoding: ending.output, as: UTF8.self)
    }

    @Test func theCreativeOfThisComputerIsShownInASandbox() async throws {
        let page = try await page("known")
        #expect(page.contains("srcdoc=\"&lt;b&gt;from this computer&lt;/b&gt;\""))
        #expect(page.contains("sandbox=\"allow-scripts") && page.contains("width=\"320\" height=\"50\""))
        #expect(!page.contains("asked for https://cdn"))
        #expect(shelf.report().hits == 1)
    }

    @Test func anUnknownIDFallsBackToTheUniversalCreative() async throws {
        let page = try await page("unknown")
        #expect(page.contains("asked for \(CreativeSnippet.universalCreative)") && !page.contains("<iframe"))
        #expect(shelf.report().misses == 1)
    }
}
