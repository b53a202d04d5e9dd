/// Breaks that are only marked: the viewer requests the ads of each break from the origin's ad server. One pod is
/// behind two wrappers, whose URLs are part of the plan.
enum ClientSide {
    static let scenario = BuiltinScenario(
        name: "client-side",
        summary: "Marked breaks without metadata; the viewer gets its ads from a VAST tag.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: none
            \#(SharedText.viewersTag)
            breaks:
              every: 40s
              first: 4s
              pods:
                - [sneakers, espresso]
                - {ads: [night-train], wrappers: 2}
                - [ceramics, espresso, night-train]
            ads:
              sneakers:
                duration: 10.01s
                urls: {impression: 2, start: 2}
              espresso:
                duration: 5.005s
                progress: [3s]
              night-train: {duration: 10.01s}
              ceramics: {duration: 6.006s}
            """#)
}
