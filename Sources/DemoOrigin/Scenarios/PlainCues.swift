/// Every family of cue tags, one break each (HLS-22); no metadata, so nothing is tracked.
enum PlainCues {
    static let scenario = BuiltinScenario(
        name: "plain-cues",
        summary: "Breaks marked in seven dialects of cue tags, without metadata.",
        shape: #"""
            stream:
              segment: 2s
              window: 60s
              markers: [elemental, enhanced, attributes, scte35, splicepoint, adobe, open]
            metadata: none
            breaks:
              every: 30s
              first: 2s
              pods:
                - [sneakers]
                - [night-train, espresso]
                - [espresso, ceramics]
                - [ceramics]
                - [sneakers]
                - [night-train]
                - [ceramics, espresso]
            ads:
              sneakers: {duration: 10.01s}
              espresso: {duration: 5.005s}
              night-train: {duration: 10.01s}
              ceramics: {duration: 6.006s}
            """#)
}
