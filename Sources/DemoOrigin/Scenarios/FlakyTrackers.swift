/// Every tracker failure that a client must survive (TRK-15, findings L57 and L58).
enum FlakyTrackers {
    static let scenario = BuiltinScenario(
        name: "flaky-trackers",
        summary: "Trackers that answer 503, 404, late, never, or with redirects.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            breaks:
              every: 40s
              first: 2s
              pods:
                - [busy, healthy]
                - [broken, healthy]
            ads:
              busy:
                duration: 10.01s
                urls: {impression: 2, start: 2}
              broken:
                duration: 10.01s
                urls: {start: 3}
              healthy: {duration: 5.005s}
            beacons:
              - {ad: busy, event: impression, n: 2, redirect: 3}
              - {ad: busy, event: start, n: 1, status: 503, times: 2}
              - {ad: busy, event: firstQuartile, delay: 3s}
              - {ad: busy, event: midpoint, drop: reset, times: 1}
              - {ad: busy, event: complete, status: 503, times: 1}
              - {ad: broken, event: impression, status: 404}
              - {ad: broken, event: start, n: 1, redirect: loop}
              - {ad: broken, event: start, n: 2, drop: reset}
              - {ad: broken, event: midpoint, drop: close}
              - {ad: broken, event: thirdQuartile, status: 503}
              - {ad: broken, event: complete, delay: 20s}
            """#)
}
