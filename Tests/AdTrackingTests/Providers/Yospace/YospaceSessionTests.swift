import Ports
import Testing

@testable import AdTracking

/// Addresses of sessions (PRV-30).
@Suite struct YospaceSessionTests {
    private static func url(_ text: String) throws -> WebURL { try WebURL(text) }

    @Test func theTagHasTheSession() throws {
        let text = "#EXTM3U\n#EXT-X-YOSPACE-ANALYTICS-URL:\"/csm/analytics;jsessionid=A.b?id=3\"\n"
        let session = try #require(
            YospaceSession(manifest: text, at: Self.url("https://live.example/x/ch.m3u8?token=9")))
        #expect(session.tracking?.text == "https://live.example/csm/analytics;jsessionid=A.b?id=3")
        #expect(session.manifest.text == "https://live.example/x/ch.m3u8;jsessionid=A.b?token=9" && session.id == "A.b")
        #expect(YospaceSession(manifest: "#EXTM3U\n", at: try Self.url("https://h/")) == nil)
        let running = try Self.url("https://live.example/x/ch.m3u8;jsessionid=old?token=9")
        #expect(YospaceSession(manifest: text, at: running)?.manifest == session.manifest)
        for count in 2..<text.count {
            #expect(YospaceSession(manifest: String(text.dropLast(count)), at: running) == nil)
        }
    }

    @Test func aPresentationHasItInAnAttributeOrInItsLocation() throws {
        let url = try Self.url("https://live.example/x.mpd")
        let named =
            #"<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" analytics="https://c.example/csm/analytics;jsessionid=7"/>"#
        #expect(
            YospaceSession(manifest: named, at: url)?.tracking?.text == "https://c.example/csm/analytics;jsessionid=7")
        let located = "<MPD><Location>https://c.example/csm/extlive/x.mpd;jsessionid=8?a=1</Location></MPD>"
        let session = try #require(YospaceSession(manifest: located, at: url))
        #expect(session.tracking?.text == "https://c.example/csm/analytics;jsessionid=8?a=1" && session.id == "8")
        #expect(session.manifest.text == "https://c.example/csm/extlive/x.mpd;jsessionid=8?a=1")
    }

    @Test func aProgrammeNamesItsManifest() throws {
        let text =
            "<vmap:VMAP \(VMAPTexts.namespaces) xmlns:yospace=\"urn:y\"><vmap:Extensions><vmap:Extension>"
            + "<yospace:Stream id=\"s1\" duration=\"00:10:00\" urlDomain=\"csm.example\" urlSuffix=\"/csm/access/1.m3u8\"/>"
            + "</vmap:Extension></vmap:Extensions></vmap:VMAP>"
        let session = try #require(
            YospaceSession(programme: Array(text.utf8), at: try Self.url("https://vod.example/a.m3u8")))
        #expect(session.manifest.text == "https://csm.example/csm/access/1.m3u8" && session.id == "s1")
        #expect(session.tracking == nil && session.length == ExactDecimal(600))
    }

    /// The document has the length of its programme, and a break without a place names its `timeOffset` (PRV-27).
    @Test func aSavedProgrammeHasItsLength() throws {
        let breaks = ["50%", "end", "#1"].map { VMAPTexts.adBreak(at: $0, name: $0, ads: VMAPTexts.ad("a", 10)) }
        func saved(_ duration: String) throws -> ListedAnswer {
            let stream = "<yospace:Stream \(duration) urlDomain=\"csm.example\" urlSuffix=\"/1.m3u8\"/>"
            let text =
                "<vmap:VMAP \(VMAPTexts.namespaces) xmlns:yospace=\"urn:y\">\(breaks.joined())<vmap:Extensions>"
                + "<vmap:Extension>\(stream)</vmap:Extension></vmap:Extensions></vmap:VMAP>"
            return try YospaceProvider.saved(Array(text.utf8)).listed
        }
        let known = try saved("duration=\"00:10:00\"")
        #expect(known.breaks.map(\.start.text) == ["300", "600"] && known.findings.map(\.path) == ["#1"])
        #expect(
            known.findings.map(\.message) == [
                "the break has the timeOffset '#1' in a programme of 600 s: it is ignored"
            ])
        let unknown = try saved("")
        #expect(unknown.breaks == [] && unknown.findings.map(\.rule) == ["P01", "P01", "P01"])
    }

    /// Breaks without a place do not overlap.
    @Test func savedAnswersHaveNoPlaces() throws {
        let breaks = ["1", "2"].map {
            VMAPTexts.adBreak(at: "00:00:00", name: $0, ads: VMAPTexts.ad("a\($0)", 10, media: "1_YO_m\($0)"))
        }
        let text = "<vmap:VMAP \(VMAPTexts.namespaces)>\(breaks.joined())</vmap:VMAP>"
        let answer = try YospaceProvider.saved(Array(text.utf8)).listed
        #expect(answer.breaks.count == 2 && answer.breaks.flatMap(\.ads).allSatisfy(\.isPlanned))
        #expect(ListingLint.findings(in: answer.breaks) == [])
    }
}
