/// A packager that hangs for ten seconds, more than 3.5 target durations, and then publishes everything at once
/// (HLS-8, HLS-9). Nothing is lost; the viewer only waits.
enum StalePlaylist {
    static let scenario = BuiltinScenario(
        name: "stale-playlist",
        summary: "The playlist stops for ten seconds every fifty seconds, then continues.",
        shape: #"""
            stream:
              segment: 2s
              window: 60s
              stall: {every: 50s, for: 10s}
            metadata: {window: 2m}
            \#(SharedText.twoPods)
            \#(SharedText.threeAdsLastTwice)
            """#)
}
