/// A creative whose URLs are the same whenever it airs. No document lists two breaks, so only their distance shows that
/// the beacons of the second are to be sent, too; one break has the creative twice.
enum Reruns {
    static let scenario = BuiltinScenario(
        name: "reruns",
        summary: "A creative with fixed URLs airs again every 100 s, once twice in one break.",
        shape: #"""
            stream: {segment: 2s, window: 30s}
            metadata: {window: 40s}
            breaks:
              every: 100s
              first: 4s
              pods:
                - [espresso]
                - [espresso, night-train, espresso]
            ads:
              espresso:
                duration: 5.005s
                urls: {impression: 2}
                fixed-urls: yes
              night-train: {duration: 6.006s}
            """#)
}
