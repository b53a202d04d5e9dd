/// The default of `adtop demo`: a viewer who joins at the live hold-back sees the first ad within ten seconds.
enum Rush {
    static let scenario = BuiltinScenario(
        name: "rush",
        summary: "A break every 30 s, two or three short ads, everything answers.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            breaks:
              every: 30s
              first: 1s
              pods:
                - [sneakers, espresso]
                - [night-train, espresso, ceramics]
                - [ceramics, sneakers]
            ads:
              sneakers:
                duration: 10.01s
                urls: {impression: 2, start: 2}
              espresso:
                duration: 5.005s
                urls: {impression: 2}
              night-train:
                duration: 6.006s
                urls: {start: 2, complete: 2}
              ceramics:
                duration: 6.006s
            """#)
}
