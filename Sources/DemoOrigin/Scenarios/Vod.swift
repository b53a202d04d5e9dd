/// A finished stream with three stitched breaks and their metadata (HLS-15).
enum Vod {
    static let scenario = BuiltinScenario(
        name: "vod",
        summary: "A finished stream of two minutes with three stitched breaks.",
        shape: #"""
            stream: {segment: 4s, window: 60s, finished: yes}
            metadata: {window: 3m}
            breaks:
              every: 36s
              first: 12s
              pods:
                - [sneakers, espresso]
                - [night-train]
                - [ceramics, espresso]
            ads:
              sneakers: {duration: 10.01s}
              espresso: {duration: 5.005s}
              night-train:
                duration: 10.01s
                urls: {impression: 2}
              ceramics: {duration: 6.006s}
            """#)
}
