/// Metadata whose documents list the same ads differently (TRK-16). Every beacon is still one beacon.
enum ChangingMetadata {
    /// Breaks that the server calculates again while they play, as after a discontinuity of the encoder.
    static let movedAds = BuiltinScenario(
        name: "moved-ads",
        summary: "Every 25 s the server moves all breaks by up to twelve seconds.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata:
              window: 2m
              changes: {every: 25s, starts: 12s}
            \#(SharedText.twoPods)
            \#(SharedText.threeAds)
            """#)

    /// A server that makes up its ids with each answer, and adds a cache buster that only it knows.
    static let changingIDs = BuiltinScenario(
        name: "changing-ids",
        summary: "Ids, starts and cache busters differ in every metadata document.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata:
              window: 2m
              changes: {every: poll, ids: yes, starts: 300ms, cache-buster: zx}
            \#(SharedText.twoPods)
            \#(SharedText.threeAds)
            """#)

    /// Two instances that know the same breaks by other ids, a millisecond apart.
    static let twoInstances = BuiltinScenario(
        name: "two-instances",
        summary: "Two instances behind a balancer answer in turn, with other ids and starts.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata:
              window: 2m
              changes: {every: instance, ids: yes, starts: 1ms}
            \#(SharedText.twoPods)
            \#(SharedText.threeAds)
            """#)

    /// The URLs of segments and beacons carry a token that is replaced three times a minute.
    static let rotatingTokens = BuiltinScenario(
        name: "rotating-tokens",
        summary: "URLs of segments and beacons carry a token that changes every 20 s.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            session: {token: 20s}
            metadata: {window: 2m}
            \#(SharedText.twoPods)
            \#(SharedText.threeAds)
            """#)
}
