/// The page at `GET /`, written for curl.
enum IndexText {
    /// Paths of `stream` below `prefix` at `base`, and the other scenarios.
    static func text(stream: LiveStream, prefix: String, base: String) -> String {
        let root = base + prefix
        var lines = [
            "adtop origin, scenario \(stream.scenario.name): \(stream.scenario.summary)",
            "",
            "stream      \(root)\(OriginResponder.streamPath(of: stream.scenario))",
            "session     \(root)\(OriginResponder.masterPath)?initSession=true",
            "metadata    \(root)\(OriginPath.streamDirectory)metadata?sessid=ID",
            "plan        \(root)/plan?sessid=ID&fromMs=MS&toMs=MS[&continues=true]",
            "receipts    \(base)/receipts[?event=&break=&ad=&sessid=&scenario=]  (DELETE clears)",
            "vast        \(root)/ads/vast[?id=&ads=&depth=&answer=&status=&delay=&redirects=]",
            "vmap        \(root)/ads/vmap[?breaks=&repeat=&inline=1]",
            "prebid      \(root)\(BidServer.prebidPath)[?answer=&delay=&status=]  (POST)",
            "bidder      \(root)\(BidServer.bidderPath)[?seat=&price=&cur=&deal=&answer=&delay=&status=]  (POST)",
            "zone        \(root)/ads/zone?zone=NAME[&fault=&refresh=]  (NAME: banner-1, interstitial-1, rewarded-1, native-1)",
            "bid cache   \(base)/pbc/v1/cache[?uuid=&status=&delay=&drop=]  (POST writes)",
            "decisions   \(base)/decisions[?endpoint=&break=&scenario=]  (DELETE clears)",
            "outages     \(root)/outages[?file=02.m3u8&status=503]  (POST starts, DELETE ends)",
            "health      \(base)/healthz",
            "",
            "scenarios",
        ]
        lines += BuiltinScenarios.names.map { "  \(base)\(OriginPath.scenarioPrefix)\($0)\(streamPath(of: $0))" }
        return lines.joined(separator: "\n")
    }

    /// The path by which a scenario is recognised as the provider that it plays.
    private static func streamPath(of name: String) -> String {
        // A test reads every built-in scenario; one that could not be read would answer 404 at any path.
        let loaded = try? BuiltinScenarios.load(name)
        return loaded.map { OriginResponder.streamPath(of: $0.scenario) } ?? OriginResponder.masterPath
    }
}
