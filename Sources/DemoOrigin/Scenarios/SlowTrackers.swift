/// Trackers that are ten times as slow as usual: some answer late, the others after the viewer gave up.
enum SlowTrackers {
    static let scenario = BuiltinScenario(
        name: "slow-trackers",
        summary: "Every tracker answers after two seconds, those of third parties after seven.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            \#(SharedText.twoPods)
            \#(SharedText.threeAds)
            beacons:
              - {n: 2, delay: 7s}
              - {event: midpoint, delay: 7s}
              - {delay: 2s}
            """#)
}
