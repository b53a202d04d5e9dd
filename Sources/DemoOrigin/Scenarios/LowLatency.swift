/// Parts of half a second, blocking reloads, delta updates, and a second copy of every variant that can be used
/// when `POST /outages?file=02.m3u8` makes one fail (HLS-2, HLS-3, HLS-14).
///
/// A viewer 1.5 s behind the edge would play each ad before a poll every 4 s could list it, so the server of such a stream
/// decides ahead.
enum LowLatency {
    static let scenario = BuiltinScenario(
        name: "low-latency",
        summary: "Parts, blocking reloads and delta updates, with a redundant copy of every variant.",
        shape: #"""
            stream: {segment: 4s, window: 60s, part: 500ms, backup: yes}
            metadata: {window: 2m, ahead: 6s}
            breaks:
              every: 40s
              first: 6s
              pods:
                - [sneakers, espresso]
                - [night-train, ceramics]
            ads:
              sneakers:
                duration: 10.01s
                urls: {impression: 2}
              espresso: {duration: 5.005s}
              night-train: {duration: 6.006s}
              ceramics: {duration: 6.006s}
            """#)
}
