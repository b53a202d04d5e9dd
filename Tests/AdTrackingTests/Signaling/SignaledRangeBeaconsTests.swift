import AdTracking
import HLS
import Ports
import Testing

/// What is sent of date ranges whose length or break changes (TRK-29).
@Suite struct SignaledRangeBeaconsTests {
    private typealias Ranges = SignaledRangesTests

    /// What had no moment while the length was unknown is sent once the length is known, once each: before the range plays, while it does,
    /// and after its end (TRK-29).
    @Test(arguments: [-1_000, 0, 3_000, 11_000]) func eventsOfALengthThatBecomesKnown(_ known: Int64) {
        var signaled = SignaledRanges()
        let start = UnixTime.second(20).milliseconds
        let types = ["podStart", "podEnd"].map { #"{"type":"\#($0)","urls":["https://t.example/\#($0)"]}"# }
        let slot = Ranges.slot("", ["impression", "thirdQuartile", "complete"])
        let envelope = Ranges.envelope("pod", #"{"slots":[\#(slot)],"tracking":[\#(types.joined(separator: ","))]}"#)
        var viewer = AdViewer()
        viewer.place(Ranges.take([Ranges.range("a", 20, nil, envelope)], by: &signaled).placed, by: .signaling)
        for step in stride(from: Int64(-2_000), to: 14_000, by: 250) {
            if step >= known {
                let change = Ranges.take([Ranges.range("a", 20, step > known ? 10.5 : 10, envelope)], by: &signaled)
                viewer.place(change.placed, by: .signaling)
            }
            viewer.play(start + step, start + step + 250)
        }
        #expect(
            viewer.requests.sorted()
                == ["complete", "impression", "podEnd", "podStart", "thirdQuartile"].map { "https://t.example/\($0)" })
        #expect(viewer.state(.complete) == .done && viewer.state(.podEnd) == .done)
    }
}
