/// Metadata whose documents list the same ads differently (TRK-16). Every beacon is still one beacon.
extension BuiltinScenarios {
    /// Breaks that the server calculates again while they play, as after a discontinuity of the encoder.
    static let movedAdsText = #"""
        name: moved-ads
        summary: Every 25 s the server moves all breaks by up to twelve seconds.
        stream: {segment: 2s, window: 60s}
        metadata:
          window: 2m
          changes: {every: 25s, starts: 12s}
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

        """#

    /// A server that makes up its ids with each answer, and adds a cache buster that only it knows.
    static let changingIDsText = #"""
        name: changing-ids
        summary: Ids, starts and cache busters differ in every metadata document.
        stream: {segment: 2s, window: 60s}
        metadata:
          window: 2m
          changes: {every: poll, ids: yes, starts: 300ms, cache-buster: zx}
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

        """#

    /// Two instances that know the same breaks by other ids, a millisecond apart.
    static let twoInstancesText = #"""
        name: two-instances
        summary: Two instances behind a balancer answer in turn, with other ids and starts.
        stream: {segment: 2s, window: 60s}
        metadata:
          window: 2m
          changes: {every: instance, ids: yes, starts: 1ms}
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

        """#

    /// The URLs of segments and beacons carry a token that is replaced three times a minute.
    static let rotatingTokensText = #"""
        name: rotating-tokens
        summary: URLs of segments and beacons carry a token that changes every 20 s.
        stream: {segment: 2s, window: 60s}
        session: {token: 20s}
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

        """#
}
