extension BuiltinScenarios {
    /// PROGRAM-DATE-TIME jumps forward seven seconds at the start of a break and again at its end, with a discontinuity
    /// and no gap in the media (HLS-12, TRK-30). The metadata uses these dates.
    static let pdtJumpsText = #"""
        name: pdt-jumps
        summary: Dates jump seven seconds at both ends of every break.
        stream: {segment: 2s, window: 60s, date-jump: 7s}
        metadata: {window: 2m}
        breaks:
          every: 40s
          first: 4s
          pods:
            - [sneakers, espresso]
            - [night-train]
        ads:
          sneakers: {duration: 10.01s}
          espresso: {duration: 5.005s}
          night-train:
            duration: 10.01s
            urls: {impression: 2}

        """#
}
