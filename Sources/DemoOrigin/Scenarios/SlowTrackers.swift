extension BuiltinScenarios {
    /// Trackers that are ten times as slow as usual: some answer late, the others after the viewer gave up.
    static let slowTrackersText = #"""
        name: slow-trackers
        summary: Every tracker takes two seconds to answer, third parties seven.
        stream: {segment: 2s, window: 60s}
        metadata: {window: 2m}
        breaks:
          every: 40s
          first: 4s
          pods:
            - [sneakers, espresso]
            - [night-train]
        ads:
          sneakers:
            duration: 10.01s
            urls: {impression: 2}
          espresso: {duration: 5.005s}
          night-train: {duration: 10.01s}
        beacons:
          - {n: 2, delay: 7s}
          - {event: midpoint, delay: 7s}
          - {delay: 2s}

        """#
}
