import Ports
import Testing

@testable import VAST

@Suite struct WrapperResolutionTests {
    private func bytes(_ body: String) -> [UInt8] { Array("<VAST version=\"4.2\">\(body)</VAST>".utf8) }

    private func wrapper(_ id: String, to url: String, _ attributes: String = "", extra: String = "") -> String {
        """
        <Ad id="\(id)"><Wrapper \(attributes)><Error>https://t.example.test/\(id)?[ERRORCODE]</Error>\(extra)
        <VASTAdTagURI>\(url)</VASTAdTagURI></Wrapper></Ad>
        """
    }

    private static let files = "<MediaFiles><MediaFile>https://c.example.test/</MediaFile></MediaFiles>"
    private static let playable = "<Creative><Linear><Duration>00:00:15</Duration>\(files)</Linear></Creative>"

    private func inLine(_ id: String, _ creatives: String = Self.playable) -> String {
        """
        <Ad id="\(id)"><InLine><Error>https://t.example.test/\(id)?[ERRORCODE]</Error><Creatives>\(creatives)</Creatives></InLine></Ad>
        """
    }

    private func resolution(_ options: ResolutionOptions = ResolutionOptions()) -> WrapperResolution {
        WrapperResolution(tag: "https://a.example.test/tag?[ADCOUNT]", options: options, values: MacroValues(), seed: 7)
    }

    @Test func expandsTheFirstTag() {
        var machine = resolution()
        #expect(machine.start().map(\.url.text) == ["https://a.example.test/tag?-1"])
        #expect(machine.start().isEmpty)
        #expect(!machine.isFinished)
    }

    @Test func aTagThatIsNoURLFailsAtOnce() {
        var machine = WrapperResolution(tag: "javascript:1", values: MacroValues(), seed: 1)
        #expect(machine.start().isEmpty)
        #expect(machine.isFinished)
        #expect(machine.result.failure?.code == 300)
    }

    @Test func blockedCategoriesGoIntoTheNextRequest() throws {
        var machine = resolution()
        _ = machine.start()
        // Long lists are broken over lines.
        let blocked = "<BlockedAdCategories authority=\"a\">IAB1,\n\tIAB2, ,</BlockedAdCategories>"
        let tag = "https://b.example.test/?[BLOCKEDADCATEGORIES]"
        let next = machine.answered(0, with: .body(bytes(wrapper("w", to: tag, extra: blocked)), url: ""))
        #expect(next.map(\.url.text) == ["https://b.example.test/?IAB1,IAB2"])
        #expect(next.map(\.depth) == [1])
        #expect(next.map(\.parent) == [0])
        // Those of all wrappers, each once.
        let more = "<BlockedAdCategories authority=\"b\">IAB3,IAB2,IAB3</BlockedAdCategories>"
        let inner = wrapper("x", to: "https://c.example.test/?[BLOCKEDADCATEGORIES]", extra: more)
        let last = machine.answered(1, with: .body(bytes(inner), url: ""))
        #expect(last.map(\.url.text) == ["https://c.example.test/?IAB1,IAB2,IAB3"])
    }

    @Test func theNextStandAloneAdTakesThePlaceOfOneThatFails() throws {
        var machine = resolution()
        _ = machine.start()
        let outer = machine.answered(0, with: .body(bytes(wrapper("w", to: "https://b.example.test/")), url: ""))
        let body = wrapper("x", to: "https://c.example.test/") + inLine("spare")
        let inner = machine.answered(outer[0].id, with: .body(bytes(body), url: outer[0].url.text))
        #expect(inner.map(\.url.host) == ["c.example.test"])
        #expect(machine.answered(inner[0].id, with: .httpStatus(500)).isEmpty)
        #expect(machine.result.ads.map(\.ad.id) == ["spare"])
        #expect(machine.pixels.map(\.url) == ["https://t.example.test/w?301", "https://t.example.test/x?301"])
        #expect(machine.isFinished)
    }

    /// A waterfall of wrappers whose answers are pods: one pod plays, and the ads of the others are spares.
    @Test func onlyTheFirstAlternativeIsPlayed() throws {
        func pod(_ names: String...) -> [UInt8] {
            bytes(names.map { inLine($0).replacing("<Ad ", with: "<Ad sequence=\"1\" ") }.joined())
        }
        func result(_ body: String, _ pods: [[UInt8]]) -> ResolutionResult {
            var machine = resolution()
            _ = machine.start()
            let fetches = machine.answered(0, with: .body(bytes(body), url: ""))
            for (fetch, pod) in zip(fetches, pods) { _ = machine.answered(fetch.id, with: .body(pod, url: "")) }
            return machine.result
        }
        let wrappers = ["x", "y"].map { wrapper($0, to: "https://\($0).example.test/", "allowMultipleAds=\"true\"") }
        let both = result(wrappers.joined(), [pod("a", "b"), pod("c")])
        #expect(both.pod.map(\.ad.id) == ["a", "b"] && both.standalone.map(\.ad.id) == ["c"])
        let second = result(wrappers.joined(), [bytes(""), pod("c", "d")])
        #expect(second.pod.map(\.ad.id) == ["c", "d"] && second.standalone.isEmpty)
        let inlineFirst = result(inLine("i") + wrappers[0], [pod("a", "b")])
        #expect(inlineFirst.pod.isEmpty && inlineFirst.standalone.map(\.ad.id) == ["i", "a", "b"])
        let placed = inLine("p").replacing("<Ad ", with: "<Ad sequence=\"1\" ")
        let beside = result(placed + wrappers[0], [pod("a")])
        #expect(beside.pod.map(\.ad.id) == ["p"] && beside.standalone.map(\.ad.id) == ["a"])
    }

    private static let flags = ["", "fallbackOnNoAd=\"true\"", "fallbackOnNoAd=\"false\""]

    /// VAST 4.3 section 3.19: false decides for the ads of a pod only; elsewhere the player has the choice and takes the next ad.
    @Test(arguments: flags, [false, true])
    func aStandAloneWrapperWithoutAdsIsReplaced(flag: String, isBehindWrapper: Bool) throws {
        var machine = resolution()
        var open = try #require(machine.start().first)
        if isBehindWrapper {
            let outer = bytes(wrapper("w", to: "https://b.example.test/"))
            open = try #require(machine.answered(open.id, with: .body(outer, url: "")).first)
        }
        let body = wrapper("x", to: "https://c.example.test/", flag) + inLine("spare")
        let inner = try #require(machine.answered(open.id, with: .body(bytes(body), url: "")).first)
        _ = machine.answered(inner.id, with: .body(bytes(""), url: ""))
        #expect(machine.isFinished && machine.result.pod.isEmpty)
        #expect(machine.result.standalone.map(\.ad.id) == ["spare"])
    }

    @Test(arguments: zip(flags, [["spare", "b"], ["spare", "b"], ["b"]]))
    func aWrapperOfAPodWithoutAdsIsReplacedUnlessItForbidsIt(flag: String, pod: [String]) throws {
        var machine = resolution()
        _ = machine.start()
        let ads = wrapper("a", to: "https://b.example.test/", flag) + inLine("b")
        let body = ads.replacing("<Ad ", with: "<Ad sequence=\"1\" ") + inLine("spare")
        let inner = try #require(machine.answered(0, with: .body(bytes(body), url: "")).first)
        _ = machine.answered(inner.id, with: .body(bytes(""), url: ""))
        #expect(machine.result.pod.map(\.ad.id) == pod && machine.result.pod.map(\.sequence) == pod.map { _ in 1 })
        #expect(machine.result.standalone.map(\.ad.id) == (pod.contains("spare") ? [] : ["spare"]))
    }

    @Test func anEmptyBodyBehindAWrapperIsNoAd() {
        var machine = resolution()
        _ = machine.start()
        let next = machine.answered(0, with: .body(bytes(wrapper("w", to: "https://b.example.test/")), url: ""))
        _ = machine.answered(next[0].id, with: .body([], url: ""))
        #expect(machine.result.failure?.code == 303)
        var first = resolution()
        _ = first.start()
        _ = first.answered(0, with: .body([], url: ""))
        #expect(first.result.failure?.code == 100)
    }

    @Test func theTimeForTheChainEndsWhatIsOpen() {
        var machine = resolution()
        _ = machine.start()
        let body = inLine("here") + wrapper("w", to: "https://b.example.test/")
        let next = machine.answered(0, with: .body(bytes(body), url: ""))
        machine.timedOut()
        #expect(machine.isFinished)
        #expect(machine.result.ads.map(\.ad.id) == ["here"])
        #expect(machine.pixels.map(\.code) == [301])
        #expect(machine.answered(next[0].id, with: .httpStatus(200)).isEmpty)
    }

    @Test func aChainIsFinishedWhenEveryBranchIs() {
        var machine = resolution()
        _ = machine.start()
        let next = machine.answered(
            0, with: .body(bytes(wrapper("w", to: "https://b.example.test/") + inLine("here")), url: ""))
        #expect(!machine.isFinished)
        _ = machine.answered(next[0].id, with: .body(bytes(inLine("behind")), url: ""))
        #expect(machine.isFinished)
    }

    @Test func nothingIsAskedForWhenTheTimeIsOver() {
        var machine = resolution()
        _ = machine.start()
        let outer = machine.answered(0, with: .body(bytes(wrapper("w", to: "https://b.example.test/")), url: ""))
        let body = wrapper("x", to: "https://c.example.test/") + wrapper("y", to: "https://d.example.test/")
        _ = machine.answered(outer[0].id, with: .body(bytes(body), url: ""))
        machine.timedOut()
        #expect(machine.isFinished)
        #expect(machine.responses.allSatisfy { !$0.isWaiting })
        #expect(machine.failures.map(\.code) == [301, 301])
    }

    @Test func everyMacroOnTheWayIsAccountedFor() {
        var machine = resolution()
        _ = machine.start()
        #expect(machine.responses[0].macros.map(\.token) == ["[ADCOUNT]"])
        #expect(machine.responses[0].macros.map(\.reason) == [.unknown])
        let next = machine.answered(0, with: .body(bytes(wrapper("w", to: "https://b.example.test/")), url: ""))
        _ = machine.answered(next[0].id, with: .httpStatus(500))
        #expect(machine.pixels.map { $0.macros.map(\.replacement) } == [["301"]])
    }

    @Test func requestsAreBounded() {
        var options = ResolutionOptions()
        options.maximumRequests = 5
        var machine = resolution(options)
        _ = machine.start()
        let many = (0..<10).map { wrapper("w\($0)", to: "https://b.example.test/\($0)") }.joined()
        let next = machine.answered(0, with: .body(bytes(many), url: ""))
        #expect(next.count == 4)
        #expect(machine.failures.map(\.code) == Array(repeating: 302, count: 6))
    }

    @Test func strictnessRefusesWhatOnlyALenientReaderTakes() {
        let body = Array(
            "<VAST version=\"3.0\"><Ad id=\"a\"><Inline><Creatives>\(Self.playable)</Creatives></Inline></Ad></VAST>"
                .utf8)
        for isStrict in [false, true] {
            var options = ResolutionOptions()
            options.isStrict = isStrict
            var machine = resolution(options)
            _ = machine.start()
            _ = machine.answered(0, with: .body(body, url: ""))
            #expect(machine.result.isOK == !isStrict)
            #expect(machine.result.failure?.code == (isStrict ? 101 : nil))
        }
    }

    @Test func conditionalAdsAndAdsWithoutCreativesAreRejected() {
        var options = ResolutionOptions()
        options.acceptsConditionalAds = false
        var machine = resolution(options)
        _ = machine.start()
        let conditional = inLine("c").replacing("<Ad ", with: "<Ad conditionalAd=\"true\" ")
        _ = machine.answered(0, with: .body(bytes(conditional + inLine("e", "")), url: ""))
        #expect(machine.failures.map(\.code) == [408, 101])
        #expect(machine.isFinished && !machine.result.isOK)
    }

    @Test func startsFromADocumentAtHand() {
        var machine = resolution()
        let next = machine.start(with: bytes(wrapper("w", to: "next.xml")), url: "https://a.example.test/dir/x.xml")
        #expect(next.map(\.url.text) == ["https://a.example.test/dir/next.xml"])
    }

    @Test func aVMAPDocumentIsNamedAsSuch() {
        for breaks in ["", "<AdBreak timeOffset=\"start\" breakType=\"linear\"/>"] {
            var machine = resolution()
            _ = machine.start()
            _ = machine.answered(0, with: .body(Array("<VMAP version=\"1.0\">\(breaks)</VMAP>".utf8), url: ""))
            #expect(machine.result.failure?.code == 101)
            #expect(machine.result.failure?.message == "is VMAP, not VAST")
        }
    }

    /// Error 302 is also that of a loop, which does not make a chain within the limit too long.
    @Test func aLoopBesideALongChainDoesNotExceedTheLimit() {
        var machine = resolution()
        _ = machine.start()
        let loop = wrapper("loop", to: "https://a.example.test/tag?[ADCOUNT]")
        let body = bytes(loop + wrapper("w", to: "https://b.example.test/0"))
        var open = machine.answered(0, with: .body(body, url: "https://a.example.test/tag"))
        _ = machine.answered(open[0].id, with: .body(body, url: "https://a.example.test/tag"))
        for level in 1...3 {
            let next = level < 3 ? wrapper("w\(level)", to: "https://b.example.test/\(level)") : inLine("in")
            open = machine.answered(open.last?.id ?? 0, with: .body(bytes(next), url: ""))
        }
        #expect(machine.isFinished && machine.result.ads.map(\.ad.id) == ["in"])
        #expect(machine.failures.map(\.code) == [302])
        #expect(machine.result.findings.filter { $0.rule == "wrapper-depth" }.map(\.severity) == [.warning])
    }

    @Test(arguments: [
        (3, 4, Severity.warning, 0), (2, 4, nil, 0), (5, 4, .error, 1), (3, 2, .error, 1), (2, 1, .error, 1),
    ])
    func longChainsAreFindings(wrappers: Int, limit: Int, severity: Severity?, failures: Int) {
        var options = ResolutionOptions()
        options.maximumWrappers = limit
        var machine = resolution(options)
        var open = machine.start()
        for level in 0...wrappers {
            guard let fetch = open.first else { break }
            let body = level < wrappers ? wrapper("w\(level)", to: "https://b.example.test/\(level)") : inLine("in")
            open = machine.answered(fetch.id, with: .body(bytes(body), url: fetch.url.text))
        }
        #expect(machine.isFinished && machine.failures.map(\.code) == Array(repeating: 302, count: failures))
        #expect(machine.result.findings.first { $0.rule == "wrapper-depth" }?.severity == severity)
    }

    @Test func loopsAndDeadEndsAreFindings() {
        var machine = resolution()
        _ = machine.start()
        let body = bytes(
            wrapper("w", to: "https://a.example.test/tag?[ADCOUNT]") + wrapper("x", to: "https://b.example.test/"))
        let next = machine.answered(0, with: .body(body, url: "https://a.example.test/tag"))
        _ = machine.answered(next[0].id, with: .body(body, url: "https://a.example.test/tag"))
        _ = machine.answered(next[1].id, with: .httpStatus(404))
        #expect(machine.result.findings.map(\.rule) == ["wrapper-loop", "wrapper-dead-end"])
        #expect(machine.failures.map(\.code) == [302, 301])
        #expect(machine.json["outcome"] == "error")
        #expect(machine.json["requests"]?.arrayValue?.map { $0["error_code"]?.integerValue } == [302, 302, 301])
    }
}
