/// Scenarios for tests, nearly as fast as a program can follow them.
enum Sprint {
    /// What `rush` has, six times as fast: a test that needs a whole break, or three, waits for seconds. A viewer polls its
    /// metadata every 500 ms, or an ad would be over before its beacons are known. One ad of each break is long enough to
    /// kill a viewer in it and to join it again.
    static let scenario = BuiltinScenario(
        name: "sprint",
        summary: "A break every 5 s with ads of 1 to 2.5 s, for tests; poll it every 500 ms.",
        shape: #"""
            stream: {segment: 250ms, window: 15s}
            metadata: {window: 15s}
            breaks:
              every: 5s
              first: 1s
              pods:
                - [marathon, dash]
                - [relay, marathon]
                - [hurdles, marathon]
            ads:
              marathon:
                duration: 2.5s
                urls: {impression: 2, complete: 2}
              dash:
                duration: 1s
                urls: {impression: 2}
              relay:
                duration: 1.25s
                urls: {start: 2}
              hurdles: {duration: 1.5s}
            """#)

    /// As `client-side`, nearly as fast as `sprint`. A tag is answered with the pod of the newest break at the live edge, so a
    /// break is over for every viewer before the next one begins there.
    static let clientSide = BuiltinScenario(
        name: "client-sprint",
        summary: "As client-side with a break every 6 s and ads of about a second, for tests.",
        shape: #"""
            stream: {segment: 250ms, window: 15s}
            metadata: none
            \#(SharedText.viewersTag)
            breaks:
              every: 6s
              first: 1s
              pods:
                - [hurdles, dash]
                - {ads: [relay], wrappers: 2}
                - [dash, hurdles]
            ads:
              hurdles:
                duration: 1s
                urls: {impression: 2, start: 2}
              dash:
                duration: 750ms
                progress: [500ms]
              relay: {duration: 1.5s}
            """#)
}
