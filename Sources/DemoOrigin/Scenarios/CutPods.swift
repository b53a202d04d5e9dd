/// Pods that are longer than their breaks and contain an ad that cannot be played: its error URL, and those of the ads that
/// no longer fit, are requested once however the break moves.
enum CutPods {
    static let scenario = BuiltinScenario(
        name: "cut-pods",
        summary: "The ad server fills more than the break has, and one ad cannot be played.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: none
            vast-tag: "/ads/vast?sessid=viewer&ads=night-train,espresso,flash,sneakers&id=[TRANSACTIONID]"
            breaks:
              every: 60s
              first: 4s
              pods:
                - {ads: [night-train], marker-error: {longer: 20s}}
                - {ads: [night-train, espresso], marker-error: {longer: 10s}}
            ads:
              night-train: {duration: 10.01s}
              espresso: {duration: 5.005s}
              flash: {duration: 5.005s, media: flash}
              sneakers: {duration: 10.01s}
            """#)
}
