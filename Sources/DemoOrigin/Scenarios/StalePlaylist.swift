extension BuiltinScenarios {
    /// A packager that hangs for ten seconds, more than 3.5 target durations, and then publishes everything at once
    /// (HLS-8, HLS-9). Nothing is lost; the viewer only waits.
    static let stalePlaylistText = #"""
        name: stale-playlist
        summary: The playlist stops for ten seconds every fifty seconds, then continues.
        stream:
          segment: 2s
          window: 60s
          stall: {every: 50s, for: 10s}
        metadata: {window: 2m}
        breaks:
          every: 40s
          first: 4s
          pods:
            - [sneakers, espresso]
            - [night-train]
        ads:
          sneakers: {duration: 10.01s}
          espresso: {duration: 5.005s}
          night-train:
            duration: 10.01s
            urls: {impression: 2}

        """#
}
