import Ports
import Testing

@testable import VAST

/// A URL that several failures reach is one request.
@Suite struct ErrorReportTests {
    /// Behind a wrapper a document of which nothing can be played: a wrapper whose tag answers 500, and two ads without creatives.
    private func failed() -> WrapperResolution {
        var machine = WrapperResolution(tag: "https://a.example.test/", values: MacroValues(), seed: 7)
        _ = machine.start()
        func body(_ ads: String) -> TagAnswer { .body(Array("<VAST version=\"4.2\">\(ads)</VAST>".utf8), url: "") }
        func wrapper(_ id: String, _ errors: String, to tag: String) -> String {
            "<Ad id=\"\(id)\"><Wrapper>\(errors)<VASTAdTagURI>\(tag)</VASTAdTagURI></Wrapper></Ad>"
        }
        let errors = """
            <Error>https://t.example.test/code?[ERRORCODE]</Error><Error>https://t.example.test/plain?[CACHEBUSTING]</Error>
            """
        let outer = machine.answered(0, with: body(wrapper("w", errors, to: "https://b.example.test/")))
        let empty = "<InLine><Creatives></Creatives></InLine>"
        let ads =
            wrapper("x", "<Error>https://t.example.test/x</Error>", to: "https://c.example.test/")
            + "<Ad id=\"e\">\(empty)</Ad><Ad id=\"f\">\(empty)</Ad>"
        let inner = machine.answered(outer[0].id, with: body(ads))
        _ = machine.answered(inner[0].id, with: .httpStatus(500))
        return machine
    }

    @Test func eachURLIsListedOnceWithItsCodes() {
        let machine = failed()
        #expect(machine.failures.map(\.code) == [301, 101, 101] && machine.pixels.count == 7)
        let reports = machine.result.errorReports
        #expect(
            reports.map(\.pixel.template) == [
                "https://t.example.test/code?[ERRORCODE]", "https://t.example.test/plain?[CACHEBUSTING]",
                "https://t.example.test/x", "https://t.example.test/code?[ERRORCODE]",
            ])
        #expect(reports.map(\.codes) == [[301], [301, 101], [301], [101]])
        #expect(reports.map(\.failures) == [1, 3, 1, 2])
        #expect(reports[0].pixel.url.hasSuffix("?301") && reports[3].pixel.url.hasSuffix("?101"))
        #expect(reports.map(\.pixel.adID) == ["w", "w", "x", "w"])
    }

    /// The names of before, of the first failure, and how many there were.
    @Test func theJSONHasTheSameEntries() throws {
        let pixels = try #require(failed().json["pixels"]?.arrayValue)
        #expect(pixels.map { $0["code"]?.integerValue } == [301, 301, 301, 101])
        #expect(pixels.map { $0["ad"]?.stringValue } == ["w", "w", "x", "w"])
        #expect(pixels.map { $0["failures"]?.integerValue } == [1, 3, 1, 2])
        #expect(pixels[1]["codes"]?.arrayValue?.compactMap(\.integerValue) == [301, 101])
        #expect(pixels.allSatisfy { $0["url"]?.stringValue?.hasPrefix("https://t.example.test/") == true })
    }

    @Test func withoutFailuresThereIsNothing() {
        #expect(ErrorReport.joined([]).isEmpty)
    }
}
