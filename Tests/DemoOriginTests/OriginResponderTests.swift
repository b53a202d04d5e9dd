import Testing

@testable import DemoOrigin

@Suite struct OriginResponderTests {
    private static let hls = "/variant/v1/hls/"
    private let responder = OriginResponder(scenario: .twoAds, seed: 1, startMs: tenOClockMs, authority: "127.0.0.1:9")

    /// The answers of one origin to requests in order, at the same time.
    private func answers(_ requests: [OriginRequest], atMs: Int = tenOClockMs) -> [OriginResponse] {
        var state = OriginState()
        return requests.map { responder.respond(to: $0, at: atMs, state: &state) }
    }

    private func get(_ target: String, method: String = "GET", host: String = "localhost:80") -> OriginResponse {
        answers([OriginRequest(method: method, target: target, headers: [("Host", host)])])[0]
    }

    private static let statuses: [(String, String, Int)] = [
        ("GET", "/", 200), ("HEAD", "/", 200), ("POST", "/", 405), ("GET", "/healthz", 200), ("GET", "/nothing", 404),
        ("GET", hls + "index.m3u8", 200), ("POST", hls + "index.m3u8", 200), ("PUT", hls + "index.m3u8", 405),
        ("GET", hls + "index.m3u8?sessid=..%2F", 400), ("GET", hls + "01.m3u8", 200), ("GET", hls + "02.m3u8", 200),
        ("GET", hls + "03.m3u8", 404), ("POST", hls + "01.m3u8", 405), ("GET", hls + "metadata", 400),
        ("GET", hls + "metadata?sessid=a%22b", 400), ("GET", hls + "metadata?sessid=abc_-9", 200),
        ("GET", hls + "01/seg-x.ts", 404), ("GET", hls + "01/seg--1.ts", 404), ("GET", hls + "01/seg-99999999.ts", 404),
        ("GET", hls + "01/seg-99999999999999999999.ts", 404), ("GET", hls + "03/seg-1.ts", 404),
        ("GET", "/receipts", 200), ("DELETE", "/receipts", 204), ("POST", "/receipts", 405),
        ("GET", "/plan", 400), ("GET", "/plan?sessid=s&fromMs=1&toMs=2", 400),
        ("GET", "/plan?sessid=s&fromMs=\(tenOClockMs)&toMs=\(tenOClockMs - 1)", 400),
        ("GET", "/plan?sessid=s&fromMs=\(tenOClockMs)&toMs=9223372036854775807", 400),
        ("GET", "/plan?sessid=s&fromMs=-9223372036854775808&toMs=0", 400),
        ("GET", "/plan?sessid=s&fromMs=\(tenOClockMs)&toMs=\(tenOClockMs + 1)", 200), ("POST", "/plan", 405),
        ("GET", "/s/rush" + hls + "01.m3u8", 200), ("GET", "/s/none" + hls + "01.m3u8", 404),
        ("GET", "/beacon/two-ads", 204), ("POST", "/beacon/nobody", 204), ("GET", "/beacon-hop/x/0", 204),
    ]

    @Test(arguments: statuses) func everyRequestHasItsStatus(method: String, target: String, status: Int) {
        #expect(get(target, method: method).status == status)
    }

    @Test func contentTypesAreTheFieldsOwn() {
        let types = ["01.m3u8", "index.m3u8", "metadata?sessid=s", "index.m3u8?initSession=true"].map {
            get(Self.hls + $0).header("content-type")
        }
        let playlist = "application/vnd.apple.mpegurl"
        #expect(types == [playlist, playlist, "application/json", "application/json"])
        #expect(get("/").header("cache-control") == "no-store")
    }

    @Test func aWrongMethodNamesTheRightOnes() {
        #expect(get("/receipts", method: "PUT").header("allow") == "GET, DELETE")
    }

    @Test func listedSegmentsCanBeFetchedAndLaterOnesNotYet() {
        let window = responder.stream.window(at: tenOClockMs)
        let statuses = [window.lowerBound, window.upperBound - 1, window.upperBound].map {
            get("\(Self.hls)01/seg-\($0).ts").status
        }
        #expect(statuses == [200, 200, 404])
        let tooOld = window.lowerBound - window.count - 1
        #expect(get("\(Self.hls)01/seg-\(tooOld).ts").status == 404)
    }

    @Test func beaconUrlsNameTheHostTheClientUsed() {
        let target = Self.hls + "metadata?sessid=s"
        #expect(get(target, host: "localhost:80").text.contains("\"http://localhost:80/beacon/two-ads?sessid=s&"))
        #expect(get(target, host: "[::1]:80").text.contains("\"http://[::1]:80/beacon/"))
        for host in ["", "evil/x?", "a b", "h\"", "user@h", String(repeating: "h", count: 300)] {
            #expect(get(target, host: host).text.contains("\"http://127.0.0.1:9/beacon/"), "\(host)")
        }
    }

    @Test func scenariosBesideTheDefaultKeepTheSeedAndTheStart() throws {
        let rush = try #require(try BuiltinScenarios.load("rush")).scenario
        let stream = LiveStream(scenario: rush, seed: 1, startMs: tenOClockMs)
        let answer = get("/s/rush\(Self.hls)02.m3u8")
        #expect(answer.text == MediaPlaylistText(stream: stream, file: "02", nowMs: tenOClockMs, root: "").text)
    }

    @Test func theCollectorPlaysTheRulesOfTheScenarioInItsPath() {
        let target = "/beacon/flaky-trackers?sessid=s&break=7&ad=broken-7&event=impression&n=1"
        #expect(get(target).status == 404)
        #expect(get(target.replacing("flaky-trackers", with: "rush")).status == 204)
    }

    @Test func receiptsAreListedFilteredAndCleared() {
        let beacon = "/beacon/two-ads?sessid=s&break=7&ad=car-7&event=start&n=1"
        let texts = answers([
            OriginRequest(target: beacon), OriginRequest(target: beacon),
            OriginRequest(target: "/receipts?event=start"),
            OriginRequest(target: "/receipts?event=mute"), OriginRequest(method: "DELETE", target: "/receipts"),
            OriginRequest(target: "/receipts"),
        ]).map(\.text)
        #expect(texts[2].hasPrefix(#"{"schema":"adtop-receipts/1","count":2,"duplicates":1,"#))
        #expect(texts[3].hasPrefix(#"{"schema":"adtop-receipts/1","count":0,"duplicates":0,"#))
        #expect(texts[5].hasSuffix(#""receipts":[]}"#))
    }

    @Test func thePlanIsAskedByTime() {
        let fromMs = tenOClockMs + 2_000
        let text = get("/plan?sessid=abc&fromMs=\(fromMs)&toMs=\(fromMs)").text
        let id = responder.stream.breaks(from: fromMs, through: fromMs)[0].id
        let url = "http://localhost:80/beacon/two-ads?sessid=abc&break=\(id)&ad=car-\(id)&event=impression&n=1"
        #expect(
            text.hasPrefix(
                #"{"schema":"adtop-plan/1","scenario":"two-ads","sessid":"abc","#
                    + #""fromMs":\#(fromMs),"toMs":\#(fromMs),"count":2,"#
                    + #""beacons":[{"url":"\#(url)","event":"impression","#))
        #expect(get("/plan?sessid=abc&fromMs=\(fromMs)&toMs=\(fromMs)&continues=true").text.contains(#""count":0"#))
    }

    @Test func aPlanOfAnOriginAtTheEpochDoesNotOverflow() {
        let origin = OriginResponder(scenario: .twoAds, seed: 1, startMs: 0, authority: "h")
        var state = OriginState()
        for (fromMs, toMs) in [(-1, Int.max), (Int.min, Int.max), (0, Int.max), (Int.min, 0)] {
            let request = OriginRequest(target: "/plan?sessid=s&fromMs=\(fromMs)&toMs=\(toMs)")
            #expect(origin.respond(to: request, at: 0, state: &state).status == 400)
        }
    }

    @Test func theIndexListsEveryScenario() {
        let text = get("/").text
        let urls = text.split(separator: "\n").filter { $0.contains("/s/") }.suffix(BuiltinScenarios.names.count)
        for (name, url) in zip(BuiltinScenarios.names, urls) {
            #expect(url.hasPrefix("  http://localhost:80/s/\(name)/"))
        }
        #expect(text.contains("http://localhost:80/s/rush/variant/v1/hls/index.m3u8\n"))
        #expect(text.hasPrefix("adtop origin, scenario two-ads"))
    }

    @Test func equalOriginsGiveEqualAnswers() {
        let requests = ["index.m3u8?initSession=true", "index.m3u8", "01.m3u8", "metadata?sessid=s"].map {
            OriginRequest(target: Self.hls + $0)
        }
        #expect(answers(requests, atMs: tenOClockMs + 5_000) == answers(requests, atMs: tenOClockMs + 5_000))
    }
}
