extension BuiltinScenarios {
    /// Breaks that are only marked: the viewer requests the ads of each break from the origin's ad server. One pod is
    /// behind two wrappers, whose URLs are part of the plan.
    static let clientSideText = #"""
        name: client-side
        summary: Marked breaks without metadata; the viewer gets its ads from a VAST tag.
        stream: {segment: 2s, window: 60s}
        metadata: none
        vast-tag: "/ads/vast?sessid=viewer&break=[BREAKPOSITION]&duration=[BREAKMAXDURATION]&playhead=[MEDIAPLAYHEAD]&txn=[TRANSACTIONID]&cb=[CACHEBUSTING]"
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

        """#
}
