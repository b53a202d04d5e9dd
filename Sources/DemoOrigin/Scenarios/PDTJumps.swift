/// PROGRAM-DATE-TIME jumps forward seven seconds at the start of a break and again at its end, with a discontinuity
/// and no gap in the media (HLS-12, TRK-30). The metadata uses these dates.
enum PDTJumps {
    static let scenario = BuiltinScenario(
        name: "pdt-jumps",
        summary: "Dates jump seven seconds at both ends of every break.",
        shape: #"""
            stream: {segment: 2s, window: 60s, date-jump: 7s}
            metadata: {window: 2m}
            \#(SharedText.twoPods)
            \#(SharedText.threeAdsLastTwice)
            """#)
}
