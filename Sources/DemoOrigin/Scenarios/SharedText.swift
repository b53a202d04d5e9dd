/// Lines that several scenarios have in common.
enum SharedText {
    /// A break every 40 s: two ads, then one.
    static let twoPods = """
        breaks:
          every: 40s
          first: 4s
          pods:
            - [sneakers, espresso]
            - [night-train]
        """

    /// The ads of ``twoPods``; the first has two impression URLs.
    static let threeAds = """
        ads:
          sneakers:
            duration: 10.01s
            urls: {impression: 2}
          espresso: {duration: 5.005s}
          night-train: {duration: 10.01s}
        """

    /// The ads of ``twoPods``; the last has two impression URLs.
    static let threeAdsLastTwice = """
        ads:
          sneakers: {duration: 10.01s}
          espresso: {duration: 5.005s}
          night-train:
            duration: 10.01s
            urls: {impression: 2}
        """

    /// Two short ads, then one; the first has two impression URLs.
    static func shortPods(every: String, first: String) -> String {
        """
        breaks:
          every: \(every)
          first: \(first)
          pods:
            - [sneakers, espresso]
            - [espresso]
        ads:
          sneakers:
            duration: 6.006s
            urls: {impression: 2}
          espresso: {duration: 5.005s}
        """
    }

    /// A tag with the macros of a viewer who requests the ads of each break.
    static let viewersTag = #"""
        vast-tag: "/ads/vast?sessid=viewer&break=[BREAKPOSITION]&duration=[BREAKMAXDURATION]&playhead=[MEDIAPLAYHEAD]&txn=[TRANSACTIONID]&cb=[CACHEBUSTING]"
        """#
}
