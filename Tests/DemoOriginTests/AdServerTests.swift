import Testing

@testable import DemoOrigin

@Suite struct AdServerTests {
    private let responder: OriginResponder
    private let lists: OriginResponder

    init() throws {
        let vast = try #require(try BuiltinScenarios.load("client-side")).scenario
        responder = OriginResponder(scenario: vast, seed: 1, startMs: tenOClockMs, authority: "h")
        let interstitials = try #require(try BuiltinScenarios.load("interstitials")).scenario
        lists = OriginResponder(scenario: interstitials, seed: 1, startMs: tenOClockMs, authority: "h")
    }

    private func get(
        _ target: String, atMs: Int = tenOClockMs + 30_000, _ state: inout OriginState,
        from origin: OriginResponder? = nil
    ) -> OriginResponse {
        (origin ?? responder).respond(
            to: OriginRequest(target: target, headers: [("Host", "h"), ("User-Agent", "test/1")]), at: atMs,
            state: &state)
    }

    private func get(_ target: String, atMs: Int = tenOClockMs + 30_000) -> OriginResponse {
        var state = OriginState()
        return get(target, atMs: atMs, &state)
    }

    /// The content of CDATA after `element`.
    private func urls(_ text: String, _ element: String) -> [String] {
        text.components(after: "<\(element)", "<![CDATA[", upTo: "]]>")
    }

    @Test func aTagGetsThePodOfTheNewestBreak() throws {
        for adBreak in responder.stream.breaks(from: tenOClockMs, through: tenOClockMs + 110_000) {
            let text = get("/ads/vast?sessid=v", atMs: adBreak.startMs + 5_000).text
            let expected = adBreak.pod.wrappers == 0 ? adBreak.ads.map(\.id) : ["wrapper-2-\(adBreak.id)"]
            #expect(text.components(after: "<Ad ", "id=\"", upTo: "\"") == expected)
        }
    }

    /// Follows the wrappers of every break and collects their URLs: those of the plan, and no other timed URL.
    @Test func thePlanIsWhatTheDocumentsCarry() throws {
        let breaks = responder.stream.breaks(from: tenOClockMs, through: tenOClockMs + 110_000)
        #expect(breaks.count == 3)
        var carried: Set<String> = []
        for adBreak in breaks {
            var target = "/ads/vast?sessid=viewer&id=\(adBreak.id)"
            for _ in 0...adBreak.pod.wrappers {
                let text = get(target, atMs: tenOClockMs + 119_000).text
                for event in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "progress"] {
                    carried.formUnion(urls(text, "Tracking event=\"\(event)\""))
                }
                carried.formUnion(urls(text, "Impression"))
                target = urls(text, "VASTAdTagURI").first.map { String($0.dropFirst("http://h".count)) } ?? ""
            }
            #expect(target.isEmpty)
        }
        let planned = responder.stream.plan(
            session: "viewer", fromMs: tenOClockMs, toMs: tenOClockMs + 120_000, joins: false)
        #expect(Set(planned.map { "http://h" + $0.target }) == carried)
        #expect(planned.count == carried.count)
        #expect(planned.count { $0.adId.hasPrefix("wrapper") } == 6)
    }

    @Test(arguments: [
        ("answer=no-ad", 200, "<Error>"), ("answer=empty", 204, ""), ("answer=html", 200, "<!DOCTYPE html>"),
        ("status=503", 503, "503"), ("answer=nothing", 400, "answer: must be one of"), ("depth=21", 400, "depth"),
        ("ads=nobody", 400, "the ads of this scenario are"), ("id=1", 400, "no such break"), ("drop=reset", 500, ""),
        ("answer=hostile", 200, "file:///etc/passwd"), ("answer=hostile&url=2", 200, "169.254.169.254"),
        ("answer=wrapper-loop", 200, "http://h/ads/vast?answer=wrapper-loop"),
    ])
    func theQueryChoosesTheAnswer(query: String, status: Int, part: String) {
        let response = get("/ads/vast?\(query)")
        #expect(response.status == status)
        #expect(part.isEmpty || response.text.contains(part))
        #expect((response.drop != nil) == query.hasPrefix("drop"))
    }

    @Test func aMalformedAnswerEndsInTheMiddle() {
        let text = get("/ads/vast?answer=malformed").text
        #expect(text.hasPrefix("<?xml"))
        #expect(!text.contains("</VAST>"))
    }

    @Test func redirectsEndAndLoopsDoNot() {
        var target = "/ads/vast?ads=espresso&redirects=3&depth=1"
        for _ in 0..<3 {
            let response = get(target)
            #expect(response.status == 302)
            target = response.header("location") ?? ""
        }
        #expect(get(target).text.contains("<Wrapper"))
        let loop = get("/ads/vast?redirects=loop").header("location") ?? ""
        #expect(get(loop).header("location") == loop)
    }

    @Test func aDelayIsPartOfTheAnswer() {
        #expect(get("/ads/vast?delay=700").delayMs == 700)
        #expect(get("/ads/vast?delay=999999999").delayMs == 0)
    }

    @Test func rulesHoldForTheFirstRequestAndNotForItsWrappers() throws {
        var scenario = responder.stream.scenario
        scenario.decisions = [DecisionRule(endpoint: .vast, pod: 2, answer: .status(503), times: 1)]
        let origin = OriginResponder(scenario: scenario, seed: 1, startMs: tenOClockMs, authority: "h")
        let adBreak = try #require(
            origin.stream.breaks(from: tenOClockMs, through: tenOClockMs + 110_000).first { $0.podNumber == 2 })
        var state = OriginState()
        let target = "/ads/vast?id=\(adBreak.id)"
        let answers = [target, target + "&level=1&depth=0", target].map {
            get($0, atMs: tenOClockMs + 119_000, &state, from: origin).status
        }
        #expect(answers == [503, 200, 200])
        #expect(state.decisions.records.map(\.status) == [503, 200, 200])
        #expect(state.decisions.records.map(\.level) == [0, 1, 0])
    }

    @Test func aDecisionIsKeptAsItWasAsked() {
        var state = OriginState()
        let target = "/ads/vast?sessid=v&id=nobody&ads=espresso&break=[BREAKPOSITION]&duration=15.015"
        _ = get(target, &state)
        _ = get("/ads/vmap", &state)
        let text = get("/decisions?endpoint=vast", &state).text
        #expect(text.hasPrefix(#"{"schema":"adtop-decisions/1","count":1,"dropped":0,"decisions":[{"atMs":"#))
        #expect(text.contains(#""breakId":"nobody","level":0,"url":"\#(target)","userAgent":"test/1","status":200"#))
        _ = responder.respond(
            to: OriginRequest(method: "DELETE", target: "/decisions"), at: tenOClockMs, state: &state)
        #expect(state.decisions.records.isEmpty)
    }

    @Test func anAssetListCarriesThePlansOwnUrls() throws {
        let breaks = lists.stream.breaks(from: tenOClockMs, through: tenOClockMs + 239_000)
        for adBreak in breaks {
            var state = OriginState()
            let response = get(
                "/variant/v1/hls/assets/\(adBreak.id).json?_HLS_primary_id=p-1", atMs: adBreak.startMs, &state,
                from: lists)
            let planned = lists.stream.plan(
                session: "p-1", fromMs: adBreak.startMs - 1, toMs: adBreak.startMs, joins: false)
            #expect(response.status == (adBreak.podNumber == 5 ? 503 : 200))
            // A playout limit cuts the plan, and a list that no tag names is never requested.
            let isListed = planned.allSatisfy { response.text.contains("\"http://h\($0.target)\"") }
            #expect(isListed, "\(adBreak.podNumber)")
            #expect(planned.isEmpty == [4, 5, 6].contains(adBreak.podNumber))
            #expect(state.decisions.records.map(\.endpoint) == [.assetList])
        }
    }

    @Test func assetsAreFinishedPlaylistsOfTheirLength() {
        let text = get("/variant/v1/hls/assets/sneakers.m3u8").text
        #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
        let lengths = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }.compactMap {
            Double($0.dropFirst(8).dropLast())
        }
        #expect((lengths.reduce(0, +) * 1_000).rounded() == 10_010)
        let paths = ["sneakers/seg-0.ts", "sneakers-360.mp4", "pixel.gif", "nobody.m3u8", "9.json"]
        #expect(paths.map { get("/variant/v1/hls/assets/\($0)").status } == [200, 200, 200, 404, 404])
    }

    @Test func vmapBreaksTakeThePodsInTurn() {
        let text = get("/ads/vmap?breaks=start,00:00:20,50%25,end&repeat=00:00:30").text
        #expect(
            text.components(after: "<vmap:AdBreak ", "timeOffset=\"", upTo: "\"") == [
                "start", "00:00:20", "50%", "end",
            ])
        #expect(text.components(after: "<vmap:AdBreak ", "repeatAfter=\"", upTo: "\"").count == 2)
        #expect(get("/ads/vmap?breaks=%3Cscript%3E").status == 400)
        #expect(get("/ads/vmap?inline=1").text.contains("<vmap:VASTAdData>\n<VAST version=\"4.2\""))
    }

    @Test func anOutageLastsUntilItIsEnded() {
        var state = OriginState()
        func send(_ method: String, _ target: String) -> Int {
            responder.respond(to: OriginRequest(method: method, target: target), at: tenOClockMs, state: &state).status
        }
        #expect(send("POST", "/outages?file=02.m3u8") == 204)
        #expect(send("GET", "/variant/v1/hls/02.m3u8") == 503)
        #expect(send("GET", "/variant/v1/hls/01.m3u8") == 200)
        #expect(send("POST", "/outages?file=index.m3u8") == 400)
        #expect(send("POST", "/outages?file=01.m3u8&status=200") == 400)
        #expect(send("DELETE", "/outages") == 204)
        #expect(send("GET", "/variant/v1/hls/02.m3u8") == 200)
    }
}

extension String {
    /// The texts between `open` and `close`, one after each `mark`.
    fileprivate func components(after mark: String, _ open: String, upTo close: String) -> [String] {
        var found: [String] = []
        for piece in split(separator: mark, omittingEmptySubsequences: false).dropFirst() {
            guard let start = piece.firstRange(of: open)?.upperBound,
                let end = piece[start...].firstRange(of: close)?.lowerBound
            else { continue }
            found.append(String(piece[start..<end]))
        }
        return found
    }
}
