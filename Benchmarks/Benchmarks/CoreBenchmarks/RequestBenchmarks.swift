import Benchmark
import Ports

/// What a person's settings and the jar add to the cost of a request.
func requestBenchmarks() {
    for hosts in [1, 600] {
        Benchmark(
            "request: cookies of \(hosts * 5) in the jar, headers and proxy of one (target 20 µs)",
            configuration: .init(scalingFactor: .kilo)
        ) { benchmark in
            var viewer = try RequestSample(hosts: hosts)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(viewer.fields()) }
        }
    }
}

/// A viewer behind a proxy, with headers, a token and cookies of several hosts.
private struct RequestSample {
    private var jar = CookieJar()
    private var identity: RequestIdentity
    private let proxies: ProxyChoice
    private let url: WebURL
    private let now = UnixTime(milliseconds: 1_800_000_000_000)
    private let own = [HTTPField("Accept", "*/*"), HTTPField("User-Agent", "adtop/1 (+monitor)")]

    init(hosts: Int) throws {
        url = try WebURL("https://edge-0.cdn.example/live/channel/1080p/index.m3u8?session=4711")
        for host in 0..<hosts {
            for number in 0..<5 {
                let cookie = Cookie(
                    name: "name-\(number)", value: "value-\(host)-\(number)", domain: "edge-\(host).cdn.example",
                    expiry: UnixTime(milliseconds: 1_900_000_000_000))
                jar.store(cookie, at: now)
            }
        }
        identity = RequestIdentity(typed: url)
        identity.bearer = "eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo"
        identity.cookies = ["given=1"]
        identity.streamFields = try ["X-Device: tv", "Referer: https://player.example/", "Origin: https://player.example"]
            .map { try HeaderField($0) }
        identity.hostFields = [.init(HostPattern(host: "tracker.example"), try HeaderField("X-Debug: 1"))]
        proxies = try ProxyChoice(
            proxy: ProxyServer("http://user:word@proxy.example:3128"),
            noProxy: NoProxyList("localhost,127.0.0.0/8,10.0.0.0/8,.intern.example,a.example,b.example"),
            environment: [:])
    }

    mutating func fields() -> (Int, Bool) {
        let kept = jar.pairs(for: url, at: now)
        let fields = identity.fields(of: own, for: .stream, at: url, first: url, kept: kept)
        jar.store([HTTPField("Set-Cookie", "name-1=value; Path=/; Max-Age=60")], from: url, at: now)
        return (fields.count, proxies.proxy(for: url) != nil)
    }
}
