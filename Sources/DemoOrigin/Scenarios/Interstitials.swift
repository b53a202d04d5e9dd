/// Interstitials of every kind (HLS-16), in turn: a list that also has tracking of the pod; an explicit resume
/// offset with restrictions and snapping; a playout limit that cuts the second ad; one asset by URI, which has no
/// tracking; a list that fails; an empty list. Every joining viewer sees a preroll once.
enum Interstitials {
    static let scenario = BuiltinScenario(
        name: "interstitials",
        summary: "Ads as HLS interstitials with asset lists, a preroll, limits, and lists that fail.",
        shape: #"""
            stream: {segment: 4s, window: 2m}
            metadata: none
            breaks:
              as: interstitials
              every: 40s
              first: 16s
              preroll:
                ads: [espresso]
                interstitial: {cue: [pre, once], resume: 0s, occupies: point}
              pods:
                - ads: [sneakers, espresso]
                  interstitial: {pod-tracking: yes, list-skip-after: 5, occupies: range}
                - ads: [night-train, ceramics]
                  interstitial: {resume: 12.012s, snap: [out, in], restrict: [skip, jump], shift: 400ms}
                - ads: [sneakers, night-train]
                  interstitial: {limit: 13s, skip-after: 5}
                - ads: [ceramics]
                  interstitial: {asset: uri, resume: 6.006s}
                - ads: [sneakers]
                - ads: [espresso]
                  interstitial: {asset: empty-list}
            ads:
              sneakers:
                duration: 10.01s
                urls: {impression: 2}
              espresso:
                duration: 5.005s
                progress: [3s]
              night-train: {duration: 6.006s}
              ceramics: {duration: 6.006s}
            decisions:
              - {endpoint: asset-list, pod: 5, status: 503}
            """#)
}
