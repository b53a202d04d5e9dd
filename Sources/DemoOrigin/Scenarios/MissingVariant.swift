/// A ladder was changed and the multivariant playlist was not: its best variant does not exist. Players step down.
enum MissingVariant {
    static let scenario = BuiltinScenario(
        name: "missing-variant",
        summary: "The best variant is answered 404; the other one plays, with a break every 20 s.",
        shape: #"""
            stream: {segment: 2s, window: 60s, lacks-best: yes}
            metadata: {window: 2m}
            \#(SharedText.shortPods(every: "20s", first: "4s"))
            """#)
}
